import { compact, map, memoize } from 'lodash';

import { decimalsOf } from './currencies';

/** A sentence for a person, in each language that the node speaks: an item's data has both, an error or a hint one of them. */
export type Bilingual = Record<Language, string>;
export type Language = 'en' | 'de';

/** A sentence, or the end of one, in both languages. */
export const both = (en: string, de: string): Bilingual => ({ en, de });

export const bilingual = (say: (language: Language) => string): Bilingual => ({
	en: say('en'),
	de: say('de'),
});

/** What reads the same in each language, such as a name. */
export const sameInBoth = (text: string): Bilingual => both(text, text);

/** What another program says, in English, which nobody translates. */
export const foreign = (text: string): Bilingual => both(text, `Meldung des Programms (englisch): „${text}“`);

/** Sentences one after another; empty if there are none. */
export const sentences = (...parts: ReadonlyArray<Bilingual | '' | false | undefined>): Bilingual =>
	bilingual((language) => compact(map(compact(parts), language)).join(' '));

/** The most that `Intl` writes. */
const MOST_DECIMALS = 20;

/** Making a format takes long. @param decimals as many as there are, without a limit, but at least `least` */
const formatIn = memoize(
	(language: Language, decimals?: number, least?: number) =>
		new Intl.NumberFormat(language, {
			minimumFractionDigits: decimals ?? least,
			maximumFractionDigits: decimals ?? MOST_DECIMALS,
		}),
	(...key) => key.join(),
);

/** A number as people write it: `7,5` in German. @param least how many decimals it has at least */
export const numberIn = (language: Language, number: number, least?: number): string =>
	formatIn(language, undefined, least).format(number);

/** An amount as people write it: `1.250,50 EUR` in German. */
export const amountIn = (language: Language, amount: number, currency: string): string =>
	`${formatIn(language, decimalsOf(currency)).format(amount)} ${currency}`;

/** A day as people write it: `31.12.2026` in German. @param date begins with `YYYY-MM-DD` */
export function dayIn(language: Language, date: string): string {
	const day = date.slice(0, 'YYYY-MM-DD'.length);
	return language === 'en' ? day : day.split('-').reverse().join('.');
}

const AND_MORE = { en: ' and # more', de: ' und # weitere' };
const MOST_LISTED = 10;

/** The first of many names: `1000, 1200 and 3 more`. */
export function listed(names: readonly string[], language: Language = 'en', most = MOST_LISTED): string {
	const more = names.length - most;
	return names.slice(0, most).join(', ') + (more > 0 ? AND_MORE[language].replace('#', String(more)) : '');
}
