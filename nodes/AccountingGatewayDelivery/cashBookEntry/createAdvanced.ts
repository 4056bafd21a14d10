import { uniq } from 'lodash';

import { defineWrite } from '../../shared/operation';
import {
	additionalFields,
	amount,
	attachmentsOf,
	choice,
	connectionId,
	costCenters,
	lines,
	linesOfJson,
	rate,
	shownFor,
	text,
} from '../../shared/parameters';
import { daysAround, earlierYears } from '../dateTime';
import { dateiname } from '../fileName';
import { ADVANCED_ENTRY } from './answer';
import { amountOf, brokenSum, combineEntries, linesOf } from './combine';
import { contentOfAdvancedEntry } from './content';
import { checkFileName, existingEntry, explainParts, ofEntry, withSign } from './entry';
import {
	ALREADY_BOOKED,
	alreadyBooked,
	belegbilder,
	gegenkonto,
	kassenbestand,
	kassenname,
	MOVEMENTS,
	transaktionsdatum,
	waehrung,
} from './parameters';
import { noteRate, TAX_RATE } from './rates';
import { summaryOfAdvancedEntry } from './summary';
import { both, numberIn } from '../../shared/values';

/** How amounts are given: with their sign, unless `bewegung` says it. */
const SIGN = {
	currency: 'waehrung',
	movement: 'bewegung',
	negative: both(
		'is negative: give it without a sign, because Movement says which way the money went, or set Movement to "By the Sign of the Amounts" and give all amounts with their sign',
		'ist negativ: Geben Sie ihn ohne Vorzeichen an, denn die Bewegung sagt, wohin das Geld ging; oder wählen Sie „nach Vorzeichen“ und geben Sie alle Beträge mit Vorzeichen an',
	),
} as const;

/** The fields of a line. The contract leaves open which ones it must have; the amount is needed for the sum. */
const LINE = {
	betrag: amount({
		displayName: 'Amount',
		description:
			'Gross amount of the line (betrag, Betrag): without a sign where Movement says Income or Expense; otherwise income positive, expense negative',
		placeholder: 'e.g. 19.00 or -19,00',
		...SIGN,
		required: true,
	}),
	prozent: rate({
		displayName: TAX_RATE,
		description:
			'Tax rate in percent: 19, 7,0 or 19 % (prozent, Steuersatz). 0.19 is refused: it is how percent cells of spreadsheets store 19 %.',
		placeholder: 'e.g. 19',
		decisive: true,
	}),
	belegtext: text({
		displayName: 'Booking Text',
		description: 'Text of the booking (belegtext, Buchungstext)',
		placeholder: 'e.g. Büromaterial',
	}),
	gegenkonto,
	belegNummer: text({
		displayName: 'Receipt No. (Belegfeld 1)',
		description: 'Number on the receipt (belegNummer, Belegfeld 1)',
		placeholder: 'e.g. RE-4711',
	}),
	buSchluessel: text({
		displayName: 'Tax Key (BU-Schlüssel)',
		description: 'Tax key (buSchluessel, BU-Schlüssel), e.g. 9 for 19 % input tax',
		placeholder: 'e.g. 9',
	}),
	...costCenters,
};

const alreadyBookedOption = alreadyBooked(
	"Whether an entry that this node has booked before counts as done, with a warning, so that reading a file again books nothing twice. An entry is recognized by its content: cash book, day, amounts, texts, accounts, receipts. Remembers 50,000 entries that were sent with it on, in n8n's database, and sends nothing when that is full; two runs with the same data at the same moment may not see each other.",
);

/** Only the node recognizes such an entry. It may have been booked, or reported as unknown and left to a person. */
const REMEMBERED = both(
	'this node remembers the entry from an earlier run, so nothing was sent now.',
	'Der Node kennt den Eintrag aus einem früheren Lauf, darum wurde jetzt nichts gesendet.',
);
/** What a different purchase needs that looks like one that the node remembers. */
const OTHER_TEXT = both('change its booking text', 'ändern Sie den Text');

/** `createAdvancedCashBookEntry` */
export const createAdvanced = defineWrite({
	...ofEntry,
	value: 'createAdvanced',
	name: 'Create Advanced',
	action: 'Create cash book entry with several lines',
	description:
		'Write one transaction that is split over several lines, e.g. by tax rate or cost center (Kassenbucheintrag, erweitert)',
	endpoint: 'POST /v2/acct-duo/kassenbuch-advanced',
	parameters: {
		connectionId: connectionId('Duo'),
		kassenname,
		bewegung: choice({
			displayName: 'Movement',
			description:
				'Whether money comes in or goes out (bewegung, Bewegung). With Income or Expense, the amounts are given without a sign; an expression gives EINNAHME or AUSGABE. Otherwise each amount carries its sign: income positive, expense negative.',
			choices: MOVEMENTS,
			default: '',
			empty: 'By the Sign of the Amounts (Vorzeichen)',
			decisive: true,
		}),
		betrag: amount({
			displayName: 'Amount',
			description:
				'Gross amount of the whole transaction (betrag, Betrag): when empty, the sum of its lines; otherwise it must equal that. 12.50, 12,50 or 1.234,50; a trailing minus is fine (12,50-). 1.234 is refused: it could be thousands or a fraction.',
			hint: 'Without a sign where Movement says Income or Expense; otherwise income positive, expense negative',
			placeholder: 'e.g. 119.00 or -119,00',
			...SIGN,
			decisive: true,
			// A day of a register on which all is paid by card; a line of 0 has its own warning.
			mayBeZero: true,
		}),
		waehrung,
		transaktionsdatum,
		combineBy: text({
			displayName: 'Combine By',
			description:
				'Items with the same value become one entry with all of their lines, e.g. the rows of a receipt by its number (combineBy, Belegnummer). When empty, each item is its own entry.',
			hint: 'An expression like {{ $json.Bon }}; connection, cash book, movement, currency and day must be the same',
			placeholder: 'e.g. {{ $json.Bon }}',
			decisive: true,
			// Items are grouped by it.
			max: 1_000,
		}),
		belegzeilenFrom: choice({
			displayName: 'Lines From',
			description: 'Where the lines of an entry come from (belegzeilenFrom)',
			choices: [
				{ name: 'Fields Below', value: 'fields', description: 'As many lines as you add here' },
				{ name: 'JSON', value: 'json', description: "A list in the item's data, of any length" },
			],
			required: true,
		}),
		belegzeilen: shownFor(
			'belegzeilenFrom',
			['fields'],
			lines(LINE, {
				displayName: 'Lines',
				description: 'One cash-book entry is created per line (belegzeilen, Belegzeilen)',
				placeholder: 'Add line',
				line: 'Line',
				titledBy: 'betrag',
				group: 'belegzeile',
			}),
		),
		belegzeilenJson: shownFor(
			'belegzeilenFrom',
			['json'],
			linesOfJson(LINE, {
				displayName: 'Lines (JSON)',
				description: `A list of lines (belegzeilen, Belegzeilen), each with some of these fields: ${Object.keys(LINE).join(', ')}`,
				line: 'Line',
				default: '={{ $json.belegzeilen }}',
				required: true,
			}),
		),
		belegbilder,
		additionalFields: additionalFields({ dateiname }),
	},
	itemName: ['combineBy'],
	options: { alreadyBooked: alreadyBookedOption, earlierYears, kassenbestand },
	check({ betrag, combineBy, transaktionsdatum: date, ...entry }, addIssue, _options, addNote) {
		linesOf(entry).forEach(({ prozent: rate, buSchluessel: key }, i) => {
			const field = `${entry.belegzeilen ? 'belegzeilen' : 'belegzeilenJson'}[${i + 1}].prozent`;
			if (date) noteRate({ rate, key }, date.value, field, addNote);
		});
		// With several items, the sum and the files aren't known until they are combined.
		if (combineBy !== undefined) return;
		checkFileName(entry, addIssue);
		const given = entry.belegzeilen ?? entry.belegzeilenJson;
		const broken = given && brokenSum(betrag, given);
		if (broken) addIssue('betrag', betrag, broken);
	},
	combine: { by: 'combineBy', values: combineEntries },
	request: ({ connectionId, ...entry }) => ({
		query: { connectionId },
		body: {
			waehrung: entry.waehrung,
			kassenname: entry.kassenname,
			betrag: withSign(amountOf(entry), entry),
			transaktionsdatum: entry.transaktionsdatum.value,
			belegzeilen: linesOf(entry).map(({ prozent, buSchluessel, ...line }) => ({
				belegtext: line.belegtext,
				gegenkonto: line.gegenkonto,
				belegNummer: line.belegNummer,
				betrag: withSign(line.betrag, entry),
				steuersatz:
					prozent === undefined && buSchluessel === undefined ? undefined : { prozent, buSchluessel },
				kostenstelle1: line.kostenstelle1,
				kostenstelle2: line.kostenstelle2,
			})),
			belegbilder: attachmentsOf(entry.belegbilder, entry.additionalFields.dateiname),
		},
	}),
	expects: ADVANCED_ENTRY,
	explain: (refusal, entry) =>
		explainParts(refusal, linesOf(entry).length + (entry.belegbilder?.length ?? 0)),
	identity({ query, body }, { alreadyBooked: isWanted }, { transaktionsdatum: date }, nth) {
		// Without the option, nothing is remembered.
		if (!isWanted) return undefined;
		const around = daysAround(date);
		const day = (around ? date.value : date.meant).slice(0, 'YYYY-MM-DD'.length);
		const content = contentOfAdvancedEntry({ query, body }, day);
		const on = (one: string) => contentOfAdvancedEntry({ query, body }, `${date.meant} on ${one}`);
		const count = around && nth(on(day));
		const counted = (one: string) => `${on(one)} ${count}`;
		return {
			kind: 'content',
			content: `${content} ${nth(content)}`,
			onDay: around && {
				sent: counted(day),
				others: around.filter((one) => one !== day).map(counted),
			},
			outputIfExisted: () => existingEntry(body, REMEMBERED, OTHER_TEXT),
			again: 'ifDateMoves',
			recognizedBy: ALREADY_BOOKED,
		};
	},
	label({ body }) {
		const numbers = uniq(body.belegzeilen.flatMap(({ belegNummer }) => belegNummer ?? [])).join(', ');
		return both(
			`entry of ${body.betrag}${numbers && ` (belegNummer ${numbers})`}`,
			`Eintrag über ${numberIn('de', body.betrag)}${numbers && ` (Belegfeld 1: ${numbers})`}`,
		);
	},
	summary: ({ body }) => summaryOfAdvancedEntry(body),
	columns: [
		'betrag',
		'transaktionsdatum',
		'waehrung',
		'kassenname',
		'belegzeilen',
		'erstellungsdatum',
		'alreadyExisted',
		'meldungen',
	],
});
