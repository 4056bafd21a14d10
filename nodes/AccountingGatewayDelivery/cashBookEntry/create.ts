import { explainExisting } from '../../shared/gateway';
import { defineWrite } from '../../shared/operation';
import {
	additionalFields,
	amount,
	attachmentsOf,
	choice,
	connectionId,
	rate,
	shorten,
	text,
} from '../../shared/parameters';
import { earlierYears } from '../dateTime';
import { dateiname } from '../fileName';
import { ENTRY } from './answer';
import { contentOfEntry, numberOf } from './content';
import { checkFileName, existingEntry, explainParts, ofEntry } from './entry';
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
import { summaryOfEntry } from './summary';
import { both } from '../../shared/values';
import type { Bilingual } from '../../shared/values';

const alreadyBookedOption = alreadyBooked(
	'Whether an entry counts as done, with a warning, if the gateway already has its number (belegnummer). This lets you repeat a run that ended halfway, with corrected data. Entries whose number the node made always count as done.',
);

const explain = explainExisting(
	both('receipt', 'Beleg'),
	both(
		`If it's a different receipt, give it a different number. The option "${ALREADY_BOOKED}" continues with the other items.`,
		`Ist es ein anderer, geben Sie ihm eine andere Nummer. Mit der Option „${ALREADY_BOOKED}“ geht es mit den anderen Items weiter.`,
	),
);

/** What a different purchase needs that looks like one that is booked. */
const OTHER_TEXT_OR_NUMBER = both(
	'change its booking text or give it its own number',
	'ändern Sie den Text, oder geben Sie ihm eine eigene Nummer',
);
const OTHER_NUMBER = both('give it a different number', 'geben Sie ihm eine andere Nummer');

/** `createCashBookEntry` */
export const create = defineWrite({
	...ofEntry,
	value: 'create',
	name: 'Create',
	action: 'Create cash book entry',
	description: 'Write one income or expense to a cash book (Kassenbucheintrag, einfach)',
	endpoint: 'POST /v2/acct-duo/kassenbuch-einfach',
	parameters: {
		connectionId: connectionId('Duo'),
		kassenname,
		bewegung: choice({
			displayName: 'Movement',
			description:
				'Whether money comes in or goes out; the sign of the booking follows from it (bewegung, Bewegung). An expression must give AUSGABE or EINNAHME, or Expense or Income, in upper- or lowercase.',
			choices: MOVEMENTS,
			// Neither is the default: an expense must not be booked as income because someone forgot to choose.
			default: '',
			required: true,
		}),
		betrag: amount({
			displayName: 'Amount',
			description:
				'Gross amount without a sign (betrag, Betrag): 12.50, 12,50, 1.234,50 or 12,50 €, with at most the decimals of the currency. 1.234 is refused: it could be thousands or a fraction.',
			placeholder: 'e.g. 12.50 or 12,50',
			builderHint:
				'Never negative: bewegung says whether money came in or went out. For a receipt, give the gross amount. As text, so that 12,50 stays 12.50.',
			currency: 'waehrung',
			min: 0,
			negative: both(
				'is negative: give it without a sign, because Movement says which way the money went: AUSGABE is money that goes out',
				'ist negativ: Geben Sie ihn ohne Vorzeichen an, denn die Bewegung sagt, wohin das Geld ging: AUSGABE ist Geld, das hinausgeht',
			),
			required: true,
		}),
		waehrung,
		steuersatz: rate({
			displayName: TAX_RATE,
			description:
				'Tax rate in percent, 0 for none: 19, 7,0 or 19 % (steuersatz, Steuersatz). 0.19 is refused: it is how percent cells of spreadsheets store 19 %.',
			placeholder: 'e.g. 19',
			required: true,
		}),
		transaktionsdatum,
		belegnummer: text({
			displayName: 'Transaction No.',
			description:
				'Unique ID of the transaction (belegnummer, Nummer im Kassenbuch): at most 36 letters, digits and $ % & * + - /, with at least one digit from 1 to 9. When empty, the node makes it from the content of the entry and its receipts; an identical purchase in another run then needs its own number or text.',
			hint: "When empty, made from the entry's content: the same entry is booked once, even if it is sent again",
			placeholder: 'e.g. K-2026-0001, or empty',
			// Without such a digit, it stands for a missing number, and would be the same for all entries without one.
			pattern: /^(?=.*[1-9])[a-zA-Z0-9$%&*+\-/]{1,36}$/,
			characters: /[a-zA-Z0-9$%&*+\-/]/,
			max: 36,
			rule: both(
				'must consist of at most 36 letters (without umlauts), digits and $ % & * + - /, with a digit from 1 to 9; without a number, leave it empty',
				'muss aus höchstens 36 Buchstaben (ohne Umlaute), Ziffern und $ % & * + - / bestehen, mit einer Ziffer von 1 bis 9; ohne Nummer bleibt das Feld leer',
			),
			leftOut: both("was made from the entry's content", 'entstand aus dem Inhalt des Eintrags'),
		}),
		belegtext: text({
			displayName: 'Booking Text',
			description: 'Text of the booking (belegtext, Buchungstext)',
			placeholder: 'e.g. Büromaterial',
			required: true,
		}),
		belegbilder,
		additionalFields: additionalFields({
			gegenkonto,
			belegNummer: text({
				displayName: 'Receipt No. (Belegfeld 1)',
				description:
					'Number on the receipt (belegNummer, Belegfeld 1); not to be confused with the transaction no.',
				placeholder: 'e.g. RE-4711',
			}),
			dateiname,
		}),
	},
	check(values, addIssue, _options, addNote) {
		const { steuersatz: rate, transaktionsdatum: date } = values;
		checkFileName(values, addIssue);
		if (date) noteRate({ rate }, date.value, 'steuersatz', addNote);
	},
	itemName: ['belegnummer', 'belegtext'],
	number: 'belegnummer',
	options: { alreadyBooked: alreadyBookedOption, earlierYears, kassenbestand },
	request: ({ connectionId, additionalFields: additional, ...entry }) => ({
		query: { connectionId },
		body: {
			waehrung: entry.waehrung,
			kassenname: entry.kassenname,
			belegtext: entry.belegtext,
			betrag: entry.betrag,
			transaktionsdatum: entry.transaktionsdatum.value,
			// Without one, the run puts in the number that `identity` makes from the content.
			belegnummer: entry.belegnummer ?? '',
			steuersatz: entry.steuersatz,
			bewegung: entry.bewegung,
			gegenkonto: additional.gegenkonto,
			belegNummer: additional.belegNummer,
			belegbilder: attachmentsOf(entry.belegbilder, additional.dateiname),
		},
	}),
	expects: ENTRY,
	explain: (refusal, { belegbilder }) => ({
		...explain(refusal),
		...explainParts(refusal, 1 + (belegbilder?.length ?? 0)),
	}),
	identity({ query, body }, { alreadyBooked: isWanted }, { transaktionsdatum }, nth) {
		const common = { field: 'belegnummer', within: query.connectionId };
		const outputWith = (belegnummer: string, needs: Bilingual) => (said?: string) => {
			const numbered = { ...body, belegnummer };
			const reason = both(
				`belegnummer ${belegnummer} was already booked, so nothing was booked now.`,
				`Die Nummer im Kassenbuch ${belegnummer} war schon gebucht, darum wurde jetzt nichts gebucht.`,
			);
			return existingEntry(numbered, reason, needs, said);
		};
		if (body.belegnummer !== '') {
			const { belegnummer: value } = body;
			const outputIfExisted = isWanted ? outputWith(value, OTHER_NUMBER) : undefined;
			return { ...common, kind: 'given', value, outputIfExisted, recognizedBy: ALREADY_BOOKED };
		}
		const content = contentOfEntry({ query, body }, transaktionsdatum.meant);
		const value = numberOf(content, nth(content));
		return {
			...common,
			kind: 'made',
			value,
			outputIfExisted: outputWith(value, OTHER_TEXT_OR_NUMBER),
			again: 'ifDateMoves',
		};
	},
	label({ body }, isMade) {
		const { belegnummer } = body;
		const text = shorten(body.belegtext);
		return isMade
			? both(`“${text}”, belegnummer ${belegnummer}`, `„${text}“, Nummer im Kassenbuch ${belegnummer}`)
			: both(`belegnummer ${belegnummer}`, `Nummer im Kassenbuch ${belegnummer}`);
	},
	summary: ({ body }) => summaryOfEntry(body),
	columns: [
		'betrag',
		'belegtext',
		'transaktionsdatum',
		'waehrung',
		'bewegung',
		'kassenname',
		'steuersatz',
		'alreadyExisted',
		'meldungen',
		'belegnummer',
	],
});
