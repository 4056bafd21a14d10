/** Warnings about tax rates: one that Germany doesn't have on that day, and one that contradicts its tax key. */
import type { AddNote } from '../../shared/operation';
import { allRates, both, dayIn, numberIn, taxRatesOn } from '../../shared/values';

/** The rate that a tax key stands for: DATEV's keys for output tax (2, 3) and input tax (8, 9) of the rates of the day. */
const RATE_OF_KEY: Record<string, 'standard' | 'reduced' | undefined> = {
	2: 'reduced',
	3: 'standard',
	8: 'reduced',
	9: 'standard',
};

/** The name of the field in the form. */
export const TAX_RATE = 'Tax Rate (%)';

interface Taxed {
	/** In percent. */
	rate?: number;
	key?: string;
}

/**
 * Warns about the rate of an entry or of a line.
 * @param day begins with `YYYY-MM-DD`
 * @param field of the rate
 */
export function noteRate({ rate, key = '' }: Taxed, day: string, field: string, addNote: AddNote): void {
	const rates = taxRatesOn(day);
	if (rate === undefined || !rates) return;
	if (!allRates(rates).includes(rate)) {
		const { standard, reduced, farmers } = rates;
		const [forestry, others] = farmers;
		const of = both(
			`0, ${reduced} and ${standard}; farmers ${forestry} and ${others}`,
			`0, ${reduced} und ${standard}; Landwirte ${numberIn('de', forestry)} und ${numberIn('de', others)}`,
		);
		const text = both(
			`${rate} is no German rate of ${dayIn('en', day)} (${of.en})`,
			`${numberIn('de', rate)} % ist kein deutscher Satz vom ${dayIn('de', day)} (${of.de})`,
		);
		addNote(field, TAX_RATE, text);
	}
	const ofKey = RATE_OF_KEY[key.replace(/^0+/, '')];
	if (ofKey === undefined || rates[ofKey] === rate) return;
	const text = both(
		`${rate} contradicts its tax key ${key}, which stands for ${rates[ofKey]} %`,
		`${numberIn('de', rate)} % widerspricht dem BU-Schlüssel ${key}, der für ${rates[ofKey]} % steht`,
	);
	addNote(field, TAX_RATE, text);
}
