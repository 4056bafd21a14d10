import { numberIn } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import { shortened } from '../values';

/** What the tax office calls an error in what an e-invoice says; it is one nevertheless. */
export const RULE: Bilingual = {
	en: 'Business-rule error (Geschäftsregelfehler)',
	de: 'Geschäftsregelfehler',
};

export const moneyIn =
	(currency: string | null) =>
	(amount: number): Bilingual => {
		const code = currency ? ` ${shortened(currency)}` : '';
		const en = amount.toFixed(Math.max(2, decimalPlaces(amount)));
		return { en: en + code, de: numberIn('de', amount, 2) + code };
	};
const decimalPlaces = (amount: number) => String(amount).split('.')[1]?.length ?? 0;
export const rateText = (rate: number) => String(rate).replace('.', ',');
