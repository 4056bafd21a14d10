/** The discounts of a payment term of the books, chosen from its list. */
import type { IDataObject } from 'n8n-workflow';
import { sortBy } from 'lodash';

import { listIn, sameText } from '../../shared/answer';
import { excerpt } from '../../shared/errors';
import { gatewayRequest } from '../../shared/gateway';
import type { Ask } from '../../shared/operation';
import { connectionId, defineList, locator, LookedUp, text } from '../../shared/parameters';
import type { Parameter } from '../../shared/parameters';
import { both, isObject, objectsIn, parseNumber, today } from '../../shared/values';
import { explainFixedCompany } from '../exportSubscription';
import { fiscalYearsRequest, newestYear } from '../fiscalYear/list';
import type { Rate } from '../openItem/discount';
import { yearQuery } from '../parameters';
import type { Bilingual, SentenceEnd } from '../../shared/values';

/** The newest fiscal year that has begun; the form has no field for it. */
const newest: Parameter<string> = {
	property: { displayName: 'Fiscal Year', type: 'string', default: '' },
	read(_given, place) {
		const day = today(place.holder.zone);
		const lookup = { request: fiscalYearsRequest, find: (body: unknown) => newestYear(body, day) };
		return new LookedUp(place, day, lookup);
	},
};

const termsRequest = (values: Parameters<typeof yearQuery>[0]) =>
	gatewayRequest(
		'GET /v2/acct-rewe-read/zahlungsbedingungen',
		{ query: yearQuery(values) },
		explainFixedCompany,
	);

export const paymentTerm = locator(
	text({
		displayName: 'Payment Term',
		description:
			'The payment term of the books that says discounts and days (paymentTerm, Zahlungsbedingung), in place of those in the options. Always of the default company of the connection.',
		placeholder: 'e.g. 40',
	}),
	{
		list: defineList({
			name: 'searchPaymentTerms',
			of: { connectionId: connectionId('ReweRead'), geschaeftsjahrStartDatum: newest },
			request: termsRequest,
			value: ['id'],
		}),
	},
);

/** Asks for the discounts of a term, in the newest fiscal year that had begun on a day. */
export async function discountsOfTerm(
	ask: Ask,
	{ connectionId, paymentTerm, day }: { connectionId: string; paymentTerm: string; day: string },
): Promise<Rate[]> {
	const geschaeftsjahrStartDatum = await ask(fiscalYearsRequest({ connectionId }), (body) =>
		newestYear(body, day),
	);
	return await ask(termsRequest({ connectionId, geschaeftsjahrStartDatum }), (body) => {
		const term = listIn(body)
			?.filter(isObject)
			.find(({ id }) => sameText(paymentTerm, id, {}));
		return term
			? discountsIn(term)
			: {
					problem: both(
						`has no payment term "${paymentTerm}"`,
						`hat keine Zahlungsbedingung „${paymentTerm}“`,
					),
				};
	});
}

/** Whose days are counted from the document date. */
const AFTER_DAYS = 'NACH_TAGE';

/** The discounts of a term, the one that lasts longest at the end; what counts otherwise than in days can't be used. */
function discountsIn(term: IDataObject): { value: Rate[] } | { problem: SentenceEnd } {
	const { id, faelligkeitsart, perioden } = term;
	const problem = (why: Bilingual) => ({
		problem: both(
			`has a payment term "${String(id)}" that ${why.en}: give the discount in the options`,
			`hat eine Zahlungsbedingung „${String(id)}“, die ${why.de}: Geben Sie das Skonto in den Optionen an`,
		),
	});
	const kind = excerpt(faelligkeitsart ?? '', 40);
	if (faelligkeitsart !== AFTER_DAYS)
		return problem(
			both(
				`doesn't count in days after the document date (faelligkeitsart "${kind}")`,
				`nicht in Tagen ab dem Belegdatum rechnet (faelligkeitsart „${kind}“)`,
			),
		);
	const stages = [1, 2].map((n) => ({
		percent: numberIn(term[`skontoSatz${n}`]),
		days: term[`skontoFrist${n}`],
		n,
	}));
	const rates = stages.filter(({ percent }) => percent > 0);
	const ofPeriods = objectsIn(perioden);
	if (
		rates.some(({ days, n }) => ofPeriods.some((one) => numberIn(one[`skontoFrist${n}`]) !== numberIn(days)))
	)
		return problem(
			both(
				'has other days for some parts of the month (perioden)',
				'für Teile des Monats andere Tage hat (perioden)',
			),
		);
	if (rates.some(({ days }) => !(Number.isInteger(numberIn(days)) && numberIn(days) >= 0)))
		return problem(both('has a discount without days', 'ein Skonto ohne Tage hat'));
	return {
		value: sortBy(
			rates.map(({ percent, days }) => ({ percent, days: numberIn(days) })),
			'days',
		),
	};
}

/** A number of the gateway's; `NaN` for none. */
function numberIn(value: unknown): number {
	const parsed = parseNumber(value);
	return 'value' in parsed ? parsed.value : NaN;
}
