/** What values are built from: money, dates, currencies, IBANs, texts, file patterns. */
export {
	amountIn,
	bilingual,
	both,
	dayIn,
	foreign,
	listed,
	numberIn,
	sameInBoth,
	sentences,
} from './bilingual';
export type { Bilingual, Language } from './bilingual';
export { CURRENCIES, decimalsOf, isEuro } from './currencies';
export {
	DATE_SHAPE,
	DAY_MS,
	dayOfSerial,
	inDefaultZone,
	isDatevDay,
	parseDate,
	parseDateTime,
	strangeDay,
	today,
} from './dates';
export type { Moment } from './dates';
export { sha256 } from './hash';
export { isWrongIban, maskIbans } from './iban';
export {
	MAX_NESTING,
	firstEntries,
	isMissing,
	isObject,
	isTooDeep,
	newRecord,
	objectsIn,
	parseJson,
	quoteInexactNumbers,
	setField,
} from './json';
export { centsOf, parseAmount, parseNumber, parseRate, sum } from './money';
export type { ParsedNumber } from './money';
export { plainLine, plainText } from './plainText';
export { isPrivateHost, publicUrlProblem } from './publicUrl';
export type { Rule, SentenceEnd } from './sentenceEnd';
export { allRates, taxRatesOn } from './taxRates';
export { Turn, serialize } from './turn';
