/** What users may enter, field by field: all valid values, and what expressions, spreadsheets and typos make of them. */
import fc from 'fast-check';

import { CURRENCY_CODES, decimalsOf } from './money.mjs';
import type { Field } from './operations.mjs';

/**
 * An expression that returns an item's value of a field. An item's JSON can't hold luxon values, so the expression
 * creates them; `fails` stands for an expression that n8n can't evaluate.
 */
export function expressionOf(path: string): string {
	const value = `$json.given[${JSON.stringify(path)}]`;
	return (
		`={{ ${value}?.luxon !== undefined ? DateTime.fromMillis(${value}.luxon, ${value}) ` +
		`: ${value}?.fails ? $('No such node').item : ${value} }}`
	);
}

/** What `expressionOf` turns into a luxon value. */
export interface Luxon {
	/** Milliseconds since 1970. */
	luxon: number;
	zone: string;
	locale: string;
}

/** What a text has that was read in the wrong encoding; the last ones only with certain characters behind them. */
const WRONG_ENCODING = /[\p{Cc}\ufffdÂÃÅâð]/u;

/** No line or paragraph separators: they become a space, as line breaks do. */
const TEXT = fc
	.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
	.filter(
		(text) =>
			!['', '.', '..'].includes(text.trim()) && !WRONG_ENCODING.test(text) && !/[\u2028\u2029]/.test(text),
	);

/** Amounts of up to 10 digits with the decimals of their currency, in every unambiguous notation. */
const amount = (min: number, currency: string) =>
	fc
		.tuple(
			fc.integer({ min, max: 9_999_999_999 }),
			fc.integer({ min: 0, max: decimalsOf(currency) ?? 4 }),
			fc.nat(1000),
		)
		.map(([units, scale, choice]): unknown => {
			const value = units / 10 ** scale;
			const plain = value.toFixed(scale);
			const behind = value < 0 ? `${plain.slice(1)}-` : plain;
			const named = [`${plain} ${currency}`, `${currency} ${plain.replace('.', ',')}`];
			if (currency === 'EUR') named.push(`${plain} €`, `€${plain}`);
			// Three decimals may look like thousands.
			const texts = scale === 3 ? [] : [plain, plain.replace('.', ','), ` ${plain} `, behind, ...named];
			const grouped = ['de-DE', 'de-CH', 'de-AT', 'fr-FR', 'sv-SE'].map((locale) =>
				value.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
			);
			// The sum of two amounts has floating-point noise.
			const sum = value * 0.3 + value * 0.7;
			const noisy = Math.abs(sum - value) < 1e-5 * 10 ** -scale ? [sum] : [];
			const notations = [value, ...texts, ...noisy, ...(scale === 2 ? grouped : [])];
			return notations[choice % notations.length];
		});

/** Host names that mean this machine or its own network: a generated one ends like this now and then. */
const OWN_NETWORK =
	/\.(localhost|test|invalid|local|intranet|internal|private|corp|home|lan|onion|home\.arpa|alt|box)$/;

const iso = (date: Date) => date.toISOString();
const offset = fc.constantFrom('Z', '+00:00', '+01:00', '-05:30', '+1345', '+14:00', '-12:00');

/** Points in time as given by the date picker, expressions and other systems. */
function momentsIn(min: Date, max: Date): fc.Arbitrary<unknown> {
	const days = fc.date({ min, max, noInvalidDate: true });
	return fc.oneof(
		days,
		days.map((date) => iso(date).slice(0, 10)),
		days.map((date) => iso(date).slice(0, 10).split('-').reverse().join('.')),
		days.map(
			(date) =>
				`${iso(date).slice(0, 10).split('-').reverse().map(Number).join('.')} ${iso(date).slice(11, 19)}`,
		),
		fc.tuple(days, offset).map(([date, zone]) => iso(date).slice(0, 19) + zone),
		fc.tuple(days, offset).map(([date, zone]) => iso(date).slice(0, 23).replace('T', ' ') + zone),
		fc.record<Luxon>({
			luxon: days.map(Number),
			zone: fc.constantFrom('Europe/Berlin', 'Asia/Kathmandu', 'UTC+14', 'utc'),
			locale: fc.constantFrom('en', 'de', 'ar-EG', 'fa-IR'),
		}),
	);
}

const days = momentsIn(new Date('1970-01-02'), new Date('2199-12-30'));
/** A year without two days: offsets of +14:00 and −12:00 are 26 hours apart. */
const NEAR = 363 * 24 * 60 * 60 * 1000;
/** When something may have been booked. */
const moments = momentsIn(new Date(Date.now() - NEAR), new Date(Date.now() + NEAR));

const json = fc.dictionary(
	fc.string({ maxLength: 8 }).map((key) => `x${key}`),
	fc.jsonValue({ maxDepth: 2 }).filter((value) => !/\d{16}|e\+/.test(JSON.stringify(value))),
	{ maxKeys: 4, noNullPrototype: true },
);
const object = json.chain((value): fc.Arbitrary<unknown> => fc.constantFrom(value, JSON.stringify(value)));

const RATES = fc.constantFrom(0, 7, 19, '19', '7,0', 5.5, 100, '19 %', '7,0%', ' 5.5 % ', '0');

const MOVEMENTS = ['EINNAHME', 'AUSGABE', 'Einnahme', 'ausgabe', ' EINNAHME '];

/** The movements of an entry with lines, which may be left open. */
export const movements = fc.constantFrom(...MOVEMENTS, '', ' ');

/** Fields with rules that the contract's schema doesn't express, and fields that aren't sent. */
const OWN: Record<string, fc.Arbitrary<unknown>> = {
	bewegung: fc.constantFrom(...MOVEMENTS),
	belegzeilenFrom: fc.constant('fields'),
	// Read only if the lines come from it: see belegzeilenJson.test.mts.
	belegzeilenJson: fc.constantFrom('', null, '[]', 'x'),
	// Combines several items into one entry: see combineBy.test.mts.
	combineBy: fc.constantFrom('', ' '),
	steuersatz: RATES,
	prozent: RATES,
	// What has no other digit than 0 stands for a missing number.
	belegnummer: fc.stringMatching(/^[a-zA-Z0-9$%&*+\-/]{1,36}$/).filter((number) => /[1-9]/.test(number)),
	datei: fc.constantFrom('data', 'scan', '*', 'sc*', '*.pdf', 'scan, data'),
	belegbilder: fc.constantFrom(...'*|data|scan|data, scan| scan ,data,|*.PDF|sc*, data|'.split('|'), null),
	tariff_settings: object,
	identification_medium: object,
	postal_code: fc.stringMatching(/^\d{5}$/),
	phone_number: fc.stringMatching(/^\+\d{6,15}$/),
	simple: fc.boolean(),
	limit: fc.constantFrom(1, '50', 100_000),
	toolOutput: fc.constantFrom('simplified', 'raw', 'selected'),
	toolFields: fc.constantFrom(['betrag'], 'betrag, id', ['kontonummer', 'saldo']),
	includeCredits: fc.boolean(),
	// Of these, a run has one value.
	minimumCredits: fc.constantFrom(0, '0'),
	// Last month is found in the list of fiscal years: see upToPeriod.test.mts.
	asOf: fc.constantFrom('yearEnd', 'period'),
	bisPeriode: fc.constantFrom(1, '3', 12, ' 16 '),
	// The year before is found in the list of fiscal years, and a month before needs a month: see compareWith.test.mts.
	compareWith: fc.constant('nothing'),
	// Of the books, and in place of a discount: see verdicts.test.mts.
	paymentTerm: fc.constantFrom('', ' '),
	graceDays: fc.constantFrom(0, '3', 10),
	earlyDiscountDays: fc.constantFrom(1, '8', 14),
	earlyDiscount: fc.constantFrom(1, '3', '2,5'),
	// On a busy machine, an answer takes seconds.
	timeout: fc.constantFrom(300, '300', ' 300 '),
	kontonummernLaenge: fc.constantFrom(4, '6'),
	bankBalances: fc.constantFrom('[]', '[{"kontonummer": "1200", "eod": 1}]'),
	dryRun: fc.constant(false),
	idFromContent: fc.constant(false),
	alreadyUploaded: fc.constant(false),
	url: fc.webUrl({ validSchemes: ['https'] }).filter((url) => !OWN_NETWORK.test(new URL(url).hostname)),
	urlField: fc.constantFrom('url', 'webhook_url', '', null),
	allowPrivateUrl: fc.boolean(),
};

/** What an operation compares with an answer, and doesn't send. */
const COMPARED: Record<string, fc.Arbitrary<unknown>> = {
	amount: fc.constantFrom('119,00', -50, 0),
	currency: fc.constantFrom('EUR', 'CHF'),
	day: days,
	discount: fc.constantFrom(0, 2, '3'),
	discountDays: fc.constantFrom(0, 14),
	previousYears: fc.constant(0),
	taxRates: fc.constantFrom('19', 7, '7 %, 19', ''),
	kontonummer: fc.constantFrom('1200', '04930', 10003),
};

/** The currencies that an item may be in, most items in euros. */
export const currencies = fc.oneof(fc.constant('EUR'), fc.constantFrom(...CURRENCY_CODES));

/**
 * All values allowed in a field. Optional fields may also be empty.
 * @param currency of the item; it determines the possible amounts
 */
export function domain(
	{ name, property, schema, optional, target }: Field,
	currency: string,
): fc.Arbitrary<unknown> {
	if (name === 'waehrung') return fc.constant(currency);
	// Findings need the fiscal year's chart: see review.test.mts.
	if (name === 'output') return byChoices(property)!.filter((one) => !String(one).startsWith('review'));
	const values =
		OWN[name] ?? bySchema(schema, currency) ?? byChoices(property) ?? COMPARED[name] ?? anyText(property);
	if (!values)
		throw new Error(`The proofs don't know what may be entered in "${name}" (test/conformance/domains.mts)`);
	// A line without a rate is one that says so: an expression that returns nothing is refused.
	const empty = name === 'prozent' ? ['', ' '] : ['', ' ', null, undefined];
	return optional && target ? fc.oneof({ weight: 9, arbitrary: values }, fc.constantFrom(...empty)) : values;
}

const anyText = ({ type }: Field['property']) =>
	['string', 'resourceLocator'].includes(type) ? TEXT : undefined;

function bySchema(
	{ type, format, pattern, enum: choices, minimum, maxLength }: Field['schema'],
	currency: string,
) {
	if (choices) return fc.constantFrom(...choices);
	if (format === 'uuid') return fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase()));
	if (format === 'date') return days;
	if (format === 'date-time') return moments;
	if (pattern) return fc.stringMatching(new RegExp(pattern, 'u'));
	if (type === 'number') return amount(minimum ?? -9_999_999_999, currency);
	if (type === 'boolean') return fc.boolean();
	if (type !== 'string') return undefined;
	return fc.oneof(
		{
			weight: 9,
			arbitrary: maxLength
				? TEXT.map((text) => [...text.repeat(9)].slice(0, maxLength).join('')).filter(
						(text) => text.trim() !== '',
					)
				: TEXT,
		},
		fc.maxSafeInteger(),
	);
}

function byChoices({ type, options }: Field['property']): fc.Arbitrary<unknown> | undefined {
	if (type === 'boolean') return fc.boolean();
	if (type !== 'options') return undefined;
	return fc.constantFrom(...(options as Array<{ value: unknown }>).map(({ value }) => value));
}

/** Any of these texts, between bars. */
const anyOf = (texts: string) => fc.constantFrom(...texts.split('|'));
const UUID = '123e4567-e89b-12d3-a456-426614174000';

/** Values nobody should enter. Some are valid in some fields: then they must arrive unchanged. */
export const nasty: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom<unknown>(null, undefined, '', ' ', '\t\n', true, false, [], {}, [null], [['a']]),
	fc.constantFrom(
		...[0, -0, 1, -1, 1e21, -1e21, 1e-7, 5e-324, 2 ** 53, 0.1 + 0.2, 1 / 3, 123456789012345.67],
	),
	fc.constantFrom<unknown>(NaN, Infinity, -Infinity, 10n, 12345678901234.56, 0.19, 1.234, 0.004),
	anyOf('0|-0|+1|1e3|0x10|0b1|NaN|Infinity|1.234|1,234|1.234.567|12,50 €|JPY 12,50|19 %|0,19 %'),
	anyOf("９|१२|12 345,00|1'234.50|(12,50)|12-|9007199254740993|0.1234567890123456|1n"),
	anyOf('.|..|./|../../x|a/b|%2e%2e|%|?a=1|#|;|&|=|\\|ü?&=#%+ /'),
	anyOf('__proto__|constructor|toString|null|undefined|true|[object Object]|={{ 1 }}'),
	anyOf('\ud800|a\udfff|\u0000|a\u0007b|\r\nx-api-key: 1|\u202e|\ufeff|\u2028|🥐|BrÃ¶tchen|Br\ufffdtchen'),
	fc.constantFrom('x'.repeat(61), '🥐'.repeat(60), '🥐'.repeat(61), 'e\u0301'.repeat(31), 'x'.repeat(20_000)),
	anyOf('2026-02-30|2026-13-01|0000-00-00|2026-3-1|01.03.2026|03/01/2026|12|2026|2026-W10|20260301'),
	anyOf(
		'2026-03-29T02:30:00|2026-10-25T02:30:00|2026-03-01T24:00:00|2026-03-01T24:00:00Z|2026-03-01T23:59:60Z',
	),
	anyOf('10:00:00+99:99|10:00:00+24:00|10:00:00-00:00|10:00:00.123456789Z').map(
		(time) => `2026-03-01T${time}`,
	),
	anyOf(
		'2026-03-01T10|2026-03-01T10:00Z| 2026-03-01 |2026-03-01T10:00:00 Europe/Berlin|2026-03-01t10:00:00z',
	),
	anyOf('1800-01-01T00:00:00|0001-01-01|0000-01-01|9999-12-31T23:59:59-12:00|10000-01-01'),
	anyOf('+012026-01-01|-000001-01-01'),
	fc.constantFrom(...[NaN, 8.64e15, -8.64e15, 0, -62_200_000_000_000].map((time) => new Date(time))),
	fc.constantFrom<unknown>(
		{ luxon: 9e15 },
		// The engine `vm` passes it on as text without the seconds of its offset.
		...(process.env.N8N_EXPRESSION_ENGINE === 'vm' ? [] : [{ luxon: -3.8e12, zone: 'Europe/Berlin' }]),
		{ luxon: 3e14 },
		{ fails: true },
	),
	anyOf('eur|EURO|XXX|DEM|EINNAHME|einnahme|AUSGABE |leer|data,leer|nope|*'),
	fc.constantFrom<unknown>(new Map([['a', 1]]), new Set([1]), /x/, new Uint8Array(2), { toJSON: 1 }),
	fc.constantFrom<unknown>({ a: { b: 1 } }, { n: NaN }, { d: new Date(0) }),
	fc.constantFrom(UUID.slice(0, -1), UUID.replaceAll('-', ''), `{${UUID}}`, `urn:uuid:${UUID}`),
	fc.string({ unit: 'binary', maxLength: 50 }),
	fc.string({ unit: 'grapheme', maxLength: 70 }),
	fc.double(),
	fc.bigInt().map(String),
	fc.jsonValue({ maxDepth: 2 }).filter((value) => !/\d{16}|e\+/.test(JSON.stringify(value))),
	fc.date(),
	moments,
);
