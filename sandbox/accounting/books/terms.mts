import type { components } from '../../../api/gateway.js';

export type PaymentTerm = components['schemas']['PaymentTerm'];

/** The companies' payment terms, for payments from customers and to suppliers. */
export const PAYMENT_TERMS: readonly PaymentTerm[] = [
	term('10', 'Sofort fällig', 0),
	term('20', '14 Tage netto', 14),
	term('30', '30 Tage netto', 30),
	term('40', '10 Tage 2 %, 30 Tage netto', 30, [10, 2]),
	term('50', '8 Tage 3 %, 14 Tage 2 %, 30 Tage netto', 30, [8, 3], [14, 2]),
	{
		...term('60', 'Monatsrechnung, 14 Tage 2 %, 30 Tage netto', 30, [14, 2]),
		perioden: [
			{ rechnungsbereich: '01-15', skontoFrist1: '14', skontoFrist2: null, nettoFrist: '30' },
			{ rechnungsbereich: '16-31', skontoFrist1: '14', skontoFrist2: null, nettoFrist: '45' },
		],
	},
];

/** @param discounts days and percent of each cash discount (Skonto) */
function term(
	id: string,
	bezeichnung: string,
	nettoFrist: number,
	[skontoFrist1, skontoSatz1] = [0, 0],
	[skontoFrist2, skontoSatz2] = [0, 0],
): PaymentTerm {
	return {
		id,
		bezeichnung,
		skontoFrist1,
		skontoFrist2,
		nettoFrist,
		skontoSatz1,
		skontoSatz2,
		faelligkeitsart: 'NACH_TAGE',
		perioden: [],
	};
}

export function termOf(id: string): PaymentTerm {
	const found = PAYMENT_TERMS.find((one) => one.id === id);
	if (!found) throw new Error(`There is no payment term ${id}.`);
	return found;
}
