import { map, uniq } from 'lodash';

import { defineRead } from '../../shared/operation';
import { output } from '../../shared/form';
import { Finder, INVALID, number, shownFor, text } from '../../shared/parameters';
import type { Parameter } from '../../shared/parameters';
import { oncePerAnswer } from '../../shared/answer';
import { allYearsIn, fiscalYearsRequest } from '../fiscalYear/list';
import { explainCompany } from '../exportSubscription';
import { filled, ofCompany, yearQuery } from '../parameters';
import { BookedBefore, BOOKINGS } from './journal';

const count = number({
	displayName: 'Previous Years',
	description:
		'How many fiscal years before this one are read as well (Vorjahre): in January, this one has no bookings yet',
	default: 1,
	min: 0,
	max: 5,
	integer: true,
});

/** The first days of the fiscal years before the chosen one, from the list of fiscal years. */
const previousYears: Parameter<string[]> = {
	property: count.property,
	async read(given, place) {
		const wanted = await count.read(given, place);
		if (wanted === INVALID) return INVALID;
		if (!wanted) return [];
		return new Finder<string[]>(place, wanted, {
			request: fiscalYearsRequest,
			find(body, { geschaeftsjahrStartDatum: chosen }) {
				const all = allYearsIn(body);
				if ('problem' in all) return all;
				const before = uniq(map(all.value, 'first')).filter((day) => day < String(chosen));
				return { value: before.slice(-wanted) };
			},
		});
	},
};

const bookedBeforeIn = oncePerAnswer((answer) => new BookedBefore(answer));

const NOTHING = { kontonummer: null, buSchluessel: null, share: null, bookings: 0, words: '' };
/** A record, with its columns in their order. */
const EXAMPLE = {
	kontonummer: '3300',
	buSchluessel: '8',
	share: 92,
	bookings: 25,
	words: 'muehle, hagedorn, mehl',
	seller: 'Mühle Hagedorn GmbH',
	text: 'Mehl Oktober',
};
const ACCURACY_COLUMNS = ['kontonummer', 'bookings', 'right', 'wrong', 'none'];

/** `listJournalBookings` of several years, once for all items. */
export const suggestAccount = defineRead({
	value: 'suggestAccount',
	name: 'Suggest Account',
	action: 'Suggest account from journal bookings',
	description:
		'Suggest account and tax key for an invoice: those that bookings of the same seller mostly had (Kontenvorschlag). Reads the journal once, and books nothing.',
	endpoint: 'GET /v2/acct-rewe-read/buchungsdaten',
	parameters: {
		...ofCompany,
		previousYears,
		output: output([
			[
				'suggestions',
				'Suggestions',
				'One item per invoice: account and tax key, with share and number of bookings',
			],
			[
				'accuracy',
				'Accuracy',
				'One item per account: how often the suggestion would have been right for what is booked (Trefferquote)',
			],
		]),
		seller: shownFor(
			'output',
			['suggestions'],
			filled(
				text({
					displayName: 'Seller',
					description: 'Who has sent the invoice (Rechnungsaussteller, Lieferant)',
					asWritten: true,
					required: true,
				}),
				'$json.sellerName',
			),
		),
		text: shownFor(
			'output',
			['suggestions'],
			text({
				displayName: 'Text',
				description:
					'What was bought, in words that booking texts have, too (Buchungstext): it decides between several accounts of a seller',
				asWritten: true,
			}),
		),
	},
	knownBy: ['seller'],
	request: (values) => ({ query: { ...yearQuery(values), companyId: values.companyId } }),
	earlier: ({ connectionId, companyId, previousYears }) =>
		previousYears.map((geschaeftsjahrStartDatum) => ({
			query: { ...yearQuery({ connectionId, geschaeftsjahrStartDatum }), companyId },
		})),
	sharesAnswer: true,
	async prepare(answer, { output }, turn) {
		if (output === 'accuracy') await bookedBeforeIn(answer).check(turn);
	},
	companyOf: ({ companyId }) => companyId,
	explain: explainCompany,
	answer: BOOKINGS,
	columns: ({ output }) => (output === 'accuracy' ? ACCURACY_COLUMNS : Object.keys(EXAMPLE)),
	example: EXAMPLE,
	records(answer, { output, seller = '', text = '' }) {
		if (output === 'accuracy') return bookedBeforeIn(answer).accuracy;
		return [{ ...(bookedBeforeIn(answer).suggest(seller, text) ?? NOTHING), seller, text }];
	},
});
