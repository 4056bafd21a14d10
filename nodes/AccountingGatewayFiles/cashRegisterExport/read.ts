import type { IDataObject } from 'n8n-workflow';
import { isUndefined, map, mapValues, omitBy, sumBy } from 'lodash';

import { cut } from '../../shared/errors';
import { defineLocal } from '../../shared/operation';
import {
	amount,
	choice,
	costCenters,
	files,
	lines,
	number,
	rate,
	shownFor,
	text,
} from '../../shared/parameters';
import { bilingual, both, listed } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { labelOfFiles } from '../labelOfFiles';
import { ACCOUNTED, NON_CASH, SALES, SHORTAGE, SURPLUS } from './accounts';
import type { Position } from './closing';
import type { ReadClosing } from './readExport';
import { EXPORT_LIMITS } from './limits';

/** What an account can be given for, where its official name doesn't say it all. */
const CASE_NAMES: Record<string, string> = {
	[SALES]: 'All Sales (Erlöse)',
	[NON_CASH]: 'All Non-Cash Payments (Unbare Zahlungen)',
	[SHORTAGE]: 'Cash Difference, Short (Fehlbetrag)',
	[SURPLUS]: 'Cash Difference, Over (Überschuss)',
};

const ACCOUNT = {
	vorgang: choice({
		displayName: 'Business Case',
		description:
			'Business case or means of payment (Geschäftsvorfall, Zahlart), as DSFinV-K calls it, or a group of them. One by itself goes before its group, and a row for a name or tax key before one for all.',
		choices: ACCOUNTED.map((value) => ({ value, name: CASE_NAMES[value] ?? value })),
		required: true,
	}),
	name: text({
		displayName: 'Name',
		description:
			'Only what the register calls so (name, GV_NAME or ZAHLART_NAME), e.g. PayPal; when empty, whatever its name',
		placeholder: 'e.g. PayPal',
	}),
	ustSchluessel: text({
		displayName: "Register's Tax Key (UST_SCHLUESSEL)",
		description:
			'Only with this tax key of the register (ustSchluessel, UST_SCHLUESSEL), e.g. 1001; when empty, with all. Sales with 5, 6, 7 and the keys that its maker chose (from 1000 on) need a row that names the key.',
		placeholder: 'e.g. 1001',
	}),
	prozent: rate({
		displayName: 'Tax Rate (%)',
		description: 'For this tax rate only (prozent, Steuersatz), e.g. 19; when empty, for all',
		placeholder: 'e.g. 19',
	}),
	gegenkonto: text({
		displayName: 'Account',
		description: 'Account that it is booked to (gegenkonto, Gegenkonto)',
		placeholder: 'e.g. 8400',
		required: true,
	}),
	buSchluessel: text({
		displayName: 'Tax Key (BU-Schlüssel)',
		description:
			'Tax key of the booking (buSchluessel, BU-Schlüssel), if the account has none of its own, e.g. 9 for 19 % input tax of a payout',
		placeholder: 'e.g. 3',
	}),
	...costCenters,
};

const OWN = 'own';

const smallDifference = amount({
	displayName: 'Small Cash Difference',
	description:
		'Differences of cash up to this amount are booked without a warning (smallDifference, Kassendifferenz). Without it, a warning names each.',
	placeholder: 'e.g. 1,00',
	min: 0,
	mayBeZero: true,
});

export const read = defineLocal({
	value: 'read',
	name: 'Read (Kassenexport)',
	action: 'Read cash register export',
	description:
		'Read the closings (Kassenabschluss, Z-Bon) of a cash register from its export (DSFinV-K): one item for each, with lines and accounts for "Cash Book Entry: Create Advanced", the cash at the end, warnings, and why one must not be booked. Sends nothing and needs no credential.',
	parameters: {
		datei: files({
			displayName: 'Input Data Field Name',
			description:
				"The export (datei, Datei): a ZIP, or its tables as files; an item's files are read together",
			ending: '.zip',
			required: true,
			mayBeEmpty: true,
			untaken: both('not read', 'Nicht gelesen'),
		}),
		kontenrahmen: choice({
			displayName: 'Standard Chart (SKR)',
			description:
				'Where the accounts of business cases come from (kontenrahmen, Kontenrahmen). Ask the tax adviser whether they fit, above all those for cards, tips and differences.',
			choices: [
				{ name: 'Own Accounts Only', value: OWN, description: 'Only the accounts that you add below' },
				{ name: 'SKR03', value: 'SKR03' },
				{ name: 'SKR04', value: 'SKR04' },
			],
			// None is the default: a forgotten choice would book into the wrong chart.
			default: '',
			required: true,
		}),
		kontonummernLaenge: shownFor(
			'kontenrahmen',
			['SKR03', 'SKR04'],
			number({
				displayName: 'Account Number Length (Sachkontenlänge)',
				description:
					"Digits of your client's general ledger accounts (kontonummernLaenge, Sachkontenlänge), not of those of customers and suppliers. The chart's accounts have four; a longer one ends in zeros: 84000 with five. Your own accounts are taken as they are.",
				default: 4,
				min: 4,
				max: 8,
				integer: true,
			}),
		),
		konten: lines(ACCOUNT, {
			displayName: 'Own Accounts',
			description:
				'Accounts by business case or payment, its name, tax key and rate (konten, Konten), instead of those of the chart',
			placeholder: 'Add account',
			line: 'Account',
			titledBy: 'vorgang',
			group: 'konto',
			mayBeNone: true,
		}),
	},
	options: { smallDifference },
	example: {
		Z_KASSE_ID: 'KASSE-1',
		Z_NR: 311,
		NAME: 'Bäckerei Sonnenschein GmbH',
		STNR: '231/456/78901',
		USTID: 'DE999999999',
		transaktionsdatum: '2026-11-16T18:42:10',
		waehrung: 'EUR',
		betrag: 100,
		belegzeilen: [
			{
				betrag: 129.7,
				prozent: 19,
				belegtext: 'Z 311 KASSE-1 Umsatz',
				gegenkonto: '8400',
				belegNummer: 'Z-311',
			},
		],
		cashAtEnd: 200,
		warnings: [{ en: 'Number 310 is missing before it.', de: 'Davor fehlt die Nummer 310.' }],
		problem: {
			en: 'No account is given for Auszahlung.',
			de: 'Für Auszahlung ist kein Konto angegeben.',
		},
		sha256: 'cafe1d5a11c0ffee5eed0ddba11deca1cafe1d5a11c0ffee5eed0ddba11deca1',
	},
	check({ kontenrahmen, konten }, addIssue) {
		if (kontenrahmen === OWN && konten?.length === 0)
			addIssue(
				'konten',
				'',
				both('is required without a standard chart', 'ist ohne Standardkontenrahmen nötig'),
			);
	},
	label: labelOfFiles,
	warnings(records) {
		const idle = records.filter(isIdle).map(nameIn);
		return [
			...records.flatMap((record) =>
				([record.problem ?? [], record.warnings ?? []] as Bilingual[][])
					.flat()
					.map((one) =>
						record.Z_NR === null ? one : bilingual((language) => `${nameIn(record)}: ${one[language]}`),
					),
			),
			...(idle.length > 0
				? [
						both(
							`nothing was sold, taken out or put in, so there is nothing to book: ${listed(idle)}`,
							`Nichts wurde verkauft, entnommen oder eingelegt, also ist nichts zu buchen: ${listed(idle, 'de')}`,
						),
					]
				: []),
		];
	},
	async make({ datei, kontenrahmen, kontonummernLaenge, konten }, { bytesOf, simple, earlier, options }) {
		const { readExport } = await import('./readExport.js');
		const [first] = datei;
		if (sumBy(datei, ({ content }) => content.bytes) > EXPORT_LIMITS.bytes) {
			return [
				unread(
					{
						en: `The export is larger than ${EXPORT_LIMITS.bytes / 2 ** 20} MiB: export a shorter period.`,
						de: `Der Export ist größer als ${EXPORT_LIMITS.bytes / 2 ** 20} MiB: Bitte einen kürzeren Zeitraum exportieren.`,
					},
					first.content.sha256,
				),
			];
		}
		const read = [];
		for (const file of datei) {
			read.push({ name: file.name, bytes: await bytesOf(file), sha256: file.content.sha256 });
		}
		const accounts = {
			own: konten,
			chart: kontenrahmen === OWN ? undefined : kontenrahmen,
			length: kontonummernLaenge,
		};
		const found = await readExport(read, accounts, options.smallDifference);
		if ('problem' in found) return [unread(found.problem, first.content.sha256)];
		const known = new Set(earlier.flatMap((record) => identityIn(record).own));
		return found.closings.map((one) => {
			const record = simplified(one);
			// A closing is booked once in a run, even if two exports overlap.
			const isToBook = one.lines.length > 0 || one.problems.length > 0;
			const { own, same } = identityIn(record);
			const isRepeated = isToBook && same.some((one) => known.has(one));
			own.forEach((one) => known.add(one));
			const problems = (isRepeated ? [REPEATED, ...one.problems] : one.problems).slice(
				0,
				EXPORT_LIMITS.listedProblems,
			);
			const problem = { en: map(problems, 'en').join(' '), de: map(problems, 'de').join(' ') };
			const whole = problems.length === 0 ? record : { ...record, belegzeilen: [], problem };
			return simple ? whole : { ...whole, ...details(one) };
		});
	},
});

const REPEATED: Bilingual = {
	en: 'It is in an earlier export, too, and booked from there at most. If it has a problem there, or the amounts differ, book the rest by hand.',
	de: 'Er steht auch in einem früheren Export und wird höchstens von dort gebucht. Wenn er dort ein Problem hat oder die Beträge abweichen: bitte den Rest von Hand buchen.',
};

/** Whether nothing happened, as on a closed day: that is neither booked nor a problem. */
const isIdle = ({ problem, belegzeilen }: IDataObject): boolean =>
	problem === null && (belegzeilen as unknown[]).length === 0;

const nameIn = ({ Z_KASSE_ID, Z_NR }: IDataObject): string =>
	`Z ${String(Z_NR)} ${cut(String(Z_KASSE_ID), 40)}`;

/**
 * What a closing is known by. Two companies may have registers with one ID, as their makers choose it; one that names no company may be
 * of any.
 */
function identityIn({ Z_KASSE_ID, Z_NR, NAME, STNR, USTID }: IDataObject): { own: string[]; same: string[] } {
	const company = USTID ?? STNR ?? NAME;
	const [of, any, none] = [company, 'any', 'none'].map((one, i) =>
		JSON.stringify([Z_KASSE_ID, Z_NR, one, i]),
	);
	return company === null ? { own: [none, any], same: [any] } : { own: [of, any], same: [of, none] };
}

/** A closing, as "Create Advanced" takes it. */
const simplified = ({ closing, currency, lines, gain, cashAtEnd, warnings }: ReadClosing): IDataObject => ({
	Z_KASSE_ID: closing.register,
	Z_NR: /^\d{1,15}$/.test(closing.number) ? Number(closing.number) : closing.number || null,
	...mapValues(closing.company, (said) => said || null),
	transaktionsdatum: closing.day,
	waehrung: currency,
	betrag: gain,
	belegzeilen: lines.map((line) => omitBy(line, isUndefined)),
	cashAtEnd: cashAtEnd ?? null,
	warnings,
	problem: null,
	sha256: closing.sha256 ?? null,
});

const details = ({ closing, opening }: ReadClosing): IDataObject => ({
	cashAtStart: opening ?? null,
	Z_ERSTELLUNG: closing.time,
	Z_BUCHUNGSTAG: closing.bookingDay || null,
	TAXONOMIE_VERSION: closing.version || null,
	geschaeftsvorfaelle: [...closing.cases.values()].map(({ type, name, vat, amount, net, tax }: Position) => ({
		GV_TYP: type,
		GV_NAME: name,
		UST_SCHLUESSEL: vat,
		Z_UMS_BRUTTO: amount,
		Z_UMS_NETTO: net ?? null,
		Z_UST: tax ?? null,
	})),
	zahlarten: [...closing.payments.values()].map(({ type, name, amount }) => ({
		ZAHLART_TYP: type,
		ZAHLART_NAME: name,
		Z_ZAHLART_BETRAG: amount,
	})),
});

/** The record for an export that can't be read: nothing to book, and the reason. */
const unread = (problem: Bilingual, sha256?: string): IDataObject => ({
	Z_KASSE_ID: null,
	Z_NR: null,
	NAME: null,
	STNR: null,
	USTID: null,
	transaktionsdatum: null,
	waehrung: null,
	betrag: null,
	belegzeilen: [],
	cashAtEnd: null,
	warnings: [],
	problem,
	sha256: sha256 ?? null,
});
