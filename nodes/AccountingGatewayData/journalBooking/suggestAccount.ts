import type { IDataObject } from 'n8n-workflow';
import { map, uniq } from 'lodash';

import { defineRead } from '../../shared/operation';
import { number, text } from '../../shared/parameters';
import type { Parameter } from '../../shared/parameters';
import { listIn, oncePerAnswer } from '../../shared/answer';
import { bilingual, both, isMissing, isObject, listed, parseJson } from '../../shared/values';
import { chartRequest } from '../account/list';
import { allYearsIn, fiscalYearsRequest } from '../fiscalYear/list';
import { explainCompany } from '../exportSubscription';
import { filled, ofCompany, yearQuery } from '../parameters';
import { BOOKINGS } from './answer';
import type { BookedBefore } from './journal';
import type { SentenceEnd } from '../../shared/values';

const NO_NAMES = new Map<string, string>();

/** The names of accounts, by number. */
const namesIn = oncePerAnswer((chart): { value: typeof NO_NAMES } | { problem: SentenceEnd } => {
	const accounts = listIn(chart);
	if (!accounts) return { problem: both('holds no list of accounts', 'enthält keine Liste der Konten') };
	const names = accounts.flatMap((account): Array<[string, string]> => {
		const { kontonummer, kontobeschriftung } = Object(account) as IDataObject;
		return typeof kontobeschriftung === 'string' ? [[String(kontonummer), kontobeschriftung]] : [];
	});
	return { value: new Map(names) };
});

/** A number in a text such as "19 %" or "7,0 and 19". */
const NUMBERS_IN_TEXT = /\d+(?:[.,]\d+)?/g;
const ratesIn = (value: unknown): number[] => {
	if (Array.isArray(value)) return value.flatMap(ratesIn);
	// What isn't taxable has no rate.
	if (isObject(value)) return isMissing(value.rate) ? [] : ratesIn(value.rate);
	if (typeof value === 'number') return [value];
	return typeof value === 'string'
		? (value.match(NUMBERS_IN_TEXT) ?? ['none']).map((one) => Number(one.replace(',', '.')))
		: [NaN];
};

const RATES_RULE = both(
	'must be tax rates in percent, e.g. 19, or the taxes of E-Invoice: Read',
	'müssen Steuersätze in Prozent sein, etwa 19, oder die Steuern von „E-Invoice: Read“',
);
const taxRates: Parameter<number[]> = {
	property: {
		displayName: 'Tax Rates',
		type: 'string',
		default: '={{ $json.taxes }}',
		placeholder: 'e.g. 19',
		description:
			'The tax rates of the invoice in percent (Steuersätze), as numbers, text, or the taxes of E-Invoice: Read: only bookings with one of them count. All count if empty.',
	},
	read(given, place) {
		const rates = isMissing(given) || given === '' ? [] : ratesIn(parsedIfJson(given));
		const isRate = (rate: number) => rate === 0 || (rate >= 1 && rate <= 100);
		return rates.every(isRate) ? rates : place.addIssue(RATES_RULE, given);
	},
};
/** A model, or a text field, gives a list as text. */
const parsedIfJson = (given: unknown): unknown =>
	typeof given === 'string' && /^\s*[[{]/.test(given) ? (parseJson(given)?.value ?? given) : given;

/** The journal of an answer, once it is read. */
interface Reading {
	read?: Promise<void>;
	journal?: BookedBefore;
	error?: Error;
}
const journalIn = oncePerAnswer((): Reading => ({}));

const NO_SUGGESTION = {
	kontonummer: null,
	buSchluessel: null,
	share: null,
	bookings: 0,
	supplier: null,
	words: '',
};

/** What the suggestion is, with whose bookings it is of, in a line for a person who decides. */
function suggestionOf(found: ReturnType<BookedBefore['suggest']>): IDataObject {
	if (!found || found === 'otherRates')
		return { ...NO_SUGGESTION, finding: { ...(found ? OTHER_RATES : UNKNOWN_SELLER) } };
	if ('several' in found) {
		const supplier = listed(found.several);
		const finding = bilingual((language) => `${SEVERAL[language]}: ${listed(found.several, language)}`);
		return { ...NO_SUGGESTION, supplier, finding: { ...finding } };
	}
	const { had, ...suggested } = found;
	const { kontonummer, buSchluessel, bookings, supplier } = suggested;
	const finding = both(
		`${had} of ${bookings} bookings of “${supplier}” had account ${kontonummer}${buSchluessel && ` with tax key ${buSchluessel}`}`,
		`${had} von ${bookings} Buchungen zu „${supplier}“ hatten Konto ${kontonummer}${buSchluessel && ` mit BU-Schlüssel ${buSchluessel}`}`,
	);
	return { ...suggested, finding: { ...finding } };
}

const UNKNOWN_SELLER = both(
	'No booking has the name of this seller',
	'Keine Buchung trägt den Namen dieses Rechnungsausstellers',
);
const OTHER_RATES = both(
	'No booking of this seller has one of these tax rates',
	'Keine Buchung dieses Rechnungsausstellers hat einen dieser Steuersätze',
);
const SEVERAL = both(
	'Several sellers fit, so no account is suggested',
	'Mehrere Lieferanten passen, daher kein Vorschlag',
);
/** A record, with its columns in their order. */
const EXAMPLE_SUGGESTION = {
	kontonummer: '4930',
	buSchluessel: '9',
	share: 92,
	bookings: 25,
	supplier: '70002 Papier Schmidt OHG',
	words: 'papier, schmidt, toner',
	seller: 'Papier Schmidt OHG',
	text: 'Toner',
	finding: { en: '', de: '' },
};

/** `listJournalBookings` of several years, once for all items. */
export const suggestAccount = defineRead({
	value: 'suggestAccount',
	name: 'Suggest Account',
	action: 'Suggest account from journal bookings',
	description:
		'Suggest account and tax key for an invoice: those that bookings of the same seller mostly had (Kontenvorschlag). Reads journal and chart of accounts once, and books nothing.',
	endpoint: 'GET /v2/acct-rewe-read/buchungsdaten',
	parameters: {
		...ofCompany,
		previousYears: number({
			displayName: 'Previous Years',
			description:
				'How many fiscal years before this one are read as well (Vorjahre): in January, this one has no bookings yet',
			default: 1,
			min: 0,
			max: 5,
			integer: true,
		}),
		seller: filled(
			text({
				displayName: 'Seller',
				description: 'Who has sent the invoice (Rechnungsaussteller, Lieferant)',
				asWritten: true,
				required: true,
			}),
			'$json.sellerName',
		),
		text: text({
			displayName: 'Text',
			description:
				'What was bought, in words that booking texts have, too (Buchungstext): it decides between several accounts of a seller. May be empty.',
			placeholder: 'e.g. Toner',
			asWritten: true,
		}),
		taxRates,
	},
	itemName: ['seller'],
	async lookUp(ask, { previousYears = 0, ...values }) {
		const { companyId, geschaeftsjahrStartDatum: chosen } = values;
		const years = previousYears > 0 ? await ask(fiscalYearsRequest(values), allYearsIn) : [];
		const before = uniq(map(years, 'first')).filter((day) => day < chosen);
		// The gateway has the chart of accounts only of the connection's default company.
		const accountNames = companyId === undefined ? await ask(chartRequest(values), namesIn) : NO_NAMES;
		return { yearsBefore: before.slice(-previousYears), accountNames };
	},
	request: ({ connectionId, companyId, geschaeftsjahrStartDatum: chosen, yearsBefore }) =>
		[...yearsBefore, chosen].map((geschaeftsjahrStartDatum) => ({
			query: { ...yearQuery({ connectionId, geschaeftsjahrStartDatum }), companyId },
		})),
	makesOwnRecords: true,
	readFrom: ({ companyId }) => ({ companyId }),
	explain: explainCompany,
	expects: BOOKINGS,
	columns: Object.keys(EXAMPLE_SUGGESTION),
	example: EXAMPLE_SUGGESTION,
	async prepare(answer, { accountNames }) {
		const reading = journalIn(answer);
		// What reads a journal is loaded when it is used: n8n loads each node at its start.
		reading.read ??= import('./journal.js')
			.then(async ({ BookedBefore }) => await BookedBefore.from(answer, accountNames))
			.then(
				(journal) => void (reading.journal = journal),
				(error: Error) => void (reading.error = error),
			);
		await reading.read;
	},
	records(answer, { seller, text = '', taxRates }) {
		const { journal, error } = journalIn(answer);
		if (!journal) throw error!;
		const found = journal.suggest(seller, text, taxRates);
		const { finding, ...suggestion } = suggestionOf(found);
		return [{ ...suggestion, seller, text, finding }];
	},
});
