import { map, uniqBy, upperFirst } from 'lodash';

import { both, numberIn } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import { shortened } from '../values';

/** What a warning says, and what it rests on: there is no warning without a rule or a paragraph. */
export interface Finding {
	/** The rules of EN 16931, or of its extension, that the invoice breaks. */
	rules?: string[];
	/** A paragraph of German law as a German cites it, `§ 15 Abs. 1 Nr. 1 UStG`, or a term of EN 16931, `BT-81`. */
	source?: string;
	/** A sentence without its period. */
	is: Bilingual;
	/** What to do: sentences. */
	then?: Bilingual;
}

export const ASK = both('Ask the sender before you book it.', 'Vor dem Buchen beim Absender nachfragen.');
export const CORRECT = both('Ask for a corrected invoice.', 'Bitte eine berichtigte Rechnung anfordern.');
export const CHECK = both('Check it yourself.', 'Bitte selbst prüfen.');
/** What the tax office calls an error in what an e-invoice says; it is one nevertheless. */
const RULE = both('Business-rule error (Geschäftsregelfehler): ', 'Geschäftsregelfehler: ');
/** German law as it is cited in English: `§ 15 (1) no. 1 UStG`. */
const cited = (source: string) =>
	source
		.replace(/Abs\. (?<number>\d+\w?)/g, '($<number>)')
		.replace(/Nr\./g, 'no.')
		.replace(/Satz/g, 'sentence')
		.replace(/Buchst\./g, 'lit.')
		.replace(/Rz\./g, 'margin no.')
		.replace(/ bis /g, ' to ')
		.replace(/(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4})/g, '$<year>-$<month>-$<day>');
/** One sentence for all rules of which it says the same. */
export const sentencesOf = (findings: Finding[]): Bilingual[] =>
	uniqBy(findings, textOf).map((one) => {
		const { is, then, rules, source } = one;
		const broken = findings
			.filter((other) => textOf(other) === textOf(one))
			.flatMap((other) => other.rules ?? []);
		const [en, de] = [source && cited(source), source].map((text) =>
			[...new Set(broken), text ?? []].flat().join(', '),
		);
		return both(
			`${rules ? RULE.en + is.en : upperFirst(is.en)} (${en}).${then ? ` ${then.en}` : ''}`,
			`${rules ? RULE.de : ''}${is.de} (${de}).${then ? ` ${then.de}` : ''}`,
		);
	});
const textOf = ({ is, then, source }: Finding) => `${is.en}${then?.en}${source}`;
export const moneyIn =
	(currency: string | null) =>
	(amount: number): Bilingual => {
		const code = currency ? ` ${shortened(currency)}` : '';
		const en = amount.toFixed(Math.max(2, decimalPlaces(amount)));
		return { en: en + code, de: numberIn('de', amount, 2) + code };
	};
const decimalPlaces = (amount: number) => String(amount).split('.')[1]?.length ?? 0;
export const rateText = (rate: number): string => String(rate).replace('.', ',');
/** Rates of taxes in both languages: `7 %, 19 %`. */
export const ratesText = (rates: number[]): Bilingual =>
	both(rates.map((rate) => `${rate} %`).join(', '), rates.map((rate) => `${rateText(rate)} %`).join(', '));
export const bothJoined = (some: Bilingual[]): Bilingual =>
	both(map(some, 'en').join(', '), map(some, 'de').join(', '));
