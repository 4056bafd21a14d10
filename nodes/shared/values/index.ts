/** What values are built from: money, dates, currencies, IBANs, texts, file patterns. */
export { amountIn, bilingual, both, dayIn, joined, listed, numberIn } from './bilingual';
export type { Bilingual, Language } from './bilingual';
export { CURRENCIES, decimalsOf, isEuro, withDecimals } from './currencies';
export {
	DATE_SHAPE,
	DAY_MS,
	dayOfSerial,
	daysAround,
	daysBefore,
	inDefaultZone,
	isDatevDay,
	parseDate,
	parseDateTime,
	serialOf,
	strangeDay,
	today,
} from './dates';
export type { Moment, StrangeDay } from './dates';
export { sha256 } from './hash';
export { isWrongIban, maskIbans } from './iban';
export {
	MAX_NESTING,
	firstEntries,
	isMissing,
	isObject,
	isTooDeep,
	objectsIn,
	parseJson,
	quoteInexactNumbers,
	setField,
} from './json';
export { centsOf, parseAmount, parseNumber, parseRate, sum } from './money';
export type { ParsedNumber } from './money';
export { plainLine, plainText } from './plainText';
export { parseProse } from './prose';
export { isPrivateHost, publicUrlProblem } from './publicUrl';
export type { Rule, SentenceEnd } from './sentenceEnd';
export { taxRatesOn } from './taxRates';
export { Turn, piecesOf } from './turn';
export { matchesWildcard } from './wildcard';
