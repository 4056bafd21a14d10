/** The tax categories of EN 16931 (UNTDID 5305), their names, and what they say about the tax. */
import { compact, map, uniq } from 'lodash';

import type { Bilingual } from '../../shared/values';
import type { Tax } from './invoice';

/** IC is what ZUGFeRD 1 calls K. The name of AE is the one that § 14a (5) UStG wants on the invoice. */
export const TAX_CATEGORIES: Record<string, Bilingual> = {
	S: { en: 'taxed', de: 'steuerpflichtig' },
	AE: { en: 'reverse charge, § 13b UStG', de: 'Steuerschuldnerschaft des Leistungsempfängers, § 13b UStG' },
	K: { en: 'a supply within the EU', de: 'innergemeinschaftliche Lieferung' },
	IC: { en: 'a supply within the EU', de: 'innergemeinschaftliche Lieferung' },
	E: { en: 'exempt from tax', de: 'steuerfrei' },
	G: { en: 'an export', de: 'Ausfuhr' },
	Z: { en: 'a rate of 0 %', de: 'Steuersatz 0 %' },
	O: { en: 'outside the scope of VAT', de: 'nicht steuerbar' },
	B: { en: 'taxed in Italy, paid by the buyer', de: 'Italien: Steuer zahlt der Käufer' },
	L: { en: 'taxed on the Canary Islands', de: 'Kanarische Inseln' },
	M: { en: 'taxed in Ceuta and Melilla', de: 'Ceuta und Melilla' },
};
/** Those for which the buyer owes the tax: by § 13b UStG, or by § 1a UStG. */
export const REVERSE_CHARGE = ['AE'];
export const INTRA_COMMUNITY = ['K', 'IC'];
const TAXED = ['S', 'B', 'L', 'M'];

export const isCategory = (category: string) => Object.hasOwn(TAX_CATEGORIES, category);
export const isTaxed = ({ category }: Pick<Tax, 'category'>) => TAXED.includes(category ?? '');
export const categoriesOf = (some: Array<Pick<Tax, 'category'>>): string[] =>
	uniq(compact(map(some, 'category')));
