/** Makes the booking of a closing: lines with accounts, and the reasons why it must not be booked. */
import { omit, partition, uniq } from 'lodash';

import {
	accountFor,
	CASES,
	DIFFERENCE,
	IN_CASH,
	includesTax,
	isRateOfGross,
	needsNoKey,
	OPENING,
	PAYMENTS,
	UNKNOWN_TAX,
} from './accounts';
import type { Account, Accounts } from './accounts';
import { amountText, rounded, ZONE } from './closing';
import type { Closing, Position } from './closing';
import { cut, oneLine } from '../../shared/errors';
import { CURRENCIES, DAY_MS, parseDateTime, strangeDay, sum } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { EXPORT_LIMITS } from './limits';

/** A line in the form that "Create Advanced" takes. */
interface BookingLine extends Account {
	betrag: number;
	/** Missing where the tax key (BU-Schlüssel) or the account says it. */
	prozent?: number;
	belegtext: string;
	belegNummer: string;
}

export interface Booking {
	currency: string;
	/** None where nothing was sold, taken out or put in, as on a closed day. */
	lines: BookingLine[];
	/** The change of the cash book: the sum of all lines. */
	gain: number;
	/** Cash in the drawer before and after; `undefined` if the register doesn't record it. */
	opening?: number;
	cashAtEnd?: number;
	warnings: Bilingual[];
	problems: Bilingual[];
}

const DEFAULT_CURRENCY = 'EUR';
/** What rounding may change in a row's net amount or tax. */
const CENT = 0.01;
/**
 * What rounding may change in a day's tax, as a part of its gross amount: some registers add up the taxes of all receipts, each
 * of them rounded. The nearest two rates, 9.0 and 9.5 % (§ 24 UStG), are 0.42 % of the gross amount apart; less than half of
 * that still tells each rate from the others.
 */
const OF_RECEIPTS = 1 / 500;

const total = (positions: Iterable<Position>, currency: string): number =>
	rounded(sum([...positions].map(({ amount }) => amount)), currency);
const namesShown = (names: Iterable<string>): string =>
	cut([...new Set(names)].join(', '), EXPORT_LIMITS.shownName);

/** Makes the booking of a closing. @param smallDifference the largest difference of cash that nobody needs to be told of */
export function bookingOf(closing: Closing, accounts: Accounts, smallDifference: number): Booking {
	const problems: Bilingual[] = [...closing.problems];
	// Sums of a closing that isn't read as a whole are no facts, neither about it nor about the next one.
	const isWhole = problems.length === 0;
	const currency = currencyOf(closing, problems);
	const cases = [...closing.cases.values()];
	const payments = [...closing.payments.values()];
	const [openings, others] = partition(cases, { type: OPENING });
	const opening = isWhole && openings.length > 0 ? total(openings, currency) : undefined;
	const moved = inWholeUnits(
		[
			...others,
			...payments
				.filter(({ type }) => type !== IN_CASH)
				.map((payment) => ({ ...payment, amount: 0 - payment.amount, isPayment: true })),
		],
		currency,
	);
	const day = checkDay(closing, problems);
	const lines = moved.flatMap((position) => lineOf(closing, accounts, position, day, problems));
	const gain = total(moved, currency);
	if (isWhole) {
		checkSums(cases, payments, opening ?? 0, currency, problems);
		checkTotals(closing, payments, opening ?? 0, currency, problems);
		cases.forEach((position) => checkTax(closing, position, currency, problems));
	}
	// On a closed day, a register writes no rows, but totals of 0. Without either, its amounts may be missing.
	if (cases.length + payments.length === 0 && closing.totals.payments === undefined && problems.length === 0)
		problems.push({
			en: 'It has neither amounts nor a total (Z_SE_ZAHLUNGEN), so whether anything was sold is not known.',
			de: 'Er hat weder Beträge noch eine Summe (Z_SE_ZAHLUNGEN); ob etwas verkauft wurde, ist nicht bekannt.',
		});
	const cash = [...closing.cash.values()];
	const counted = cash.find(({ type }) => type === currency)?.amount;
	const computed = opening === undefined ? undefined : sum([opening, gain]);
	const inCash = payments.filter(({ type }) => type === IN_CASH);
	// A register that leaves the opening balance out of its cash payments does so in its cash, too.
	const isGainAlone = [total(inCash, currency), closing.totals.inCash].includes(gain);
	// Without an opening balance, counted cash that equals the gain may be without what was in the drawer before.
	const cashAtEnd = computed ?? (isWhole && counted !== gain ? counted : undefined);
	if (cashAtEnd !== undefined && cashAtEnd < 0) {
		const { en, de } = amountText(cashAtEnd, currency);
		problems.push({
			en: `Its cash at the end would be ${en}: cash is never negative.`,
			de: `Der Kassenbestand am Ende wäre ${de}: Eine Kasse ist nie im Minus.`,
		});
	}
	return {
		currency,
		lines,
		gain,
		opening,
		cashAtEnd,
		warnings: [
			...dayWarnings(day),
			...differenceWarnings(moved, currency, smallDifference),
			...cashWarnings(cash, currency, { gain, computed, isGainAlone }, smallDifference),
		],
		problems,
	};
}

type Moved = Position & { isPayment?: boolean };

/**
 * Positions without fractions of a cent, whose sum is that of all fractions: each is the step from one rounded running total
 * to the next. Those of which nothing is left aren't booked.
 */
function inWholeUnits(positions: Moved[], currency: string): Moved[] {
	let exact = 0;
	return positions
		.map((position) => {
			const before = rounded(exact, currency);
			exact = sum([exact, position.amount]);
			return { ...position, amount: sum([rounded(exact, currency), 0 - before]) };
		})
		.filter(({ amount }) => amount !== 0);
}

function currencyOf({ currencies, cash }: Closing, problems: Bilingual[]): string {
	// Where the register's isn't named, cash in one other currency alone may be that, or foreign.
	const counted = cash.size === 1 ? [...cash.values()].map(({ type }) => type) : [];
	const named = currencies.size > 0 ? [...currencies] : uniq([DEFAULT_CURRENCY, ...counted]);
	const [currency] = named;
	const shown = namesShown(named);
	if (named.length > 1)
		problems.push({
			en: `Its register has several currencies: ${shown}.`,
			de: `Die Kasse hat mehrere Währungen: ${shown}.`,
		});
	else if (!CURRENCIES.has(currency))
		problems.push({
			en: `"${shown}" is no currency (KASSE_BASISWAEH_CODE).`,
			de: `„${shown}“ ist keine Währung (KASSE_BASISWAEH_CODE).`,
		});
	return currency;
}

/** The line of a business case or payment; none if its rate isn't known, or it has no account. */
function lineOf(
	closing: Closing,
	accounts: Accounts,
	{ type, name, vat, amount, isPayment, ...position }: Moved,
	day: string,
	problems: Bilingual[],
): BookingLine[] {
	const what = cut([type, name && `(${name})`].filter(Boolean).join(' '), EXPORT_LIMITS.shownName);
	const key = closing.keyText(vat);
	const rate = needsNoKey(type, vat) ? 0 : closing.rateOf(vat);
	const sought = { type, name, vat, rate, amount };
	const isKnown = (isPayment ? PAYMENTS : CASES).includes(type);
	const account = isKnown ? accountFor(accounts, sought, day) : undefined;
	const isWithTax = includesTax(sought);
	if (!isKnown || (!isWithTax && !account && rate === 0)) {
		problems.push({
			en: `No account is given for ${what}.`,
			de: `Für ${what} ist kein Konto angegeben.`,
		});
		return [];
	}
	if (rate === undefined && vat !== UNKNOWN_TAX) {
		problems.push({
			en: `The tax rate of ${what} isn't known (UST_SCHLUESSEL ${key.en || 'missing'}).`,
			de: `Der Steuersatz von ${what} ist nicht bekannt (UST_SCHLUESSEL ${key.de || 'fehlt'}).`,
		});
		return [];
	}
	if (!account || (!isWithTax && rate !== 0 && !account.namesKey)) {
		const percent = rate === undefined ? '' : `${String(rate)} %, `;
		problems.push({
			en: `${what} has tax key ${key.en}, ${percent}for which there is no standard account: add one to Own Accounts, with UST_SCHLUESSEL ${vat}.`,
			de: `${what} hat den Steuerschlüssel ${key.de}, ${percent.replace('.', ',')}für den es kein Standardkonto gibt: Ergänzen Sie eines unter „Own Accounts“, mit UST_SCHLUESSEL ${vat}.`,
		});
		return [];
	}
	const belegtext = bookingText(
		closing,
		type,
		isWithTax && !['1', '2'].includes(vat) ? `USt ${vat}` : '',
		name,
	);
	const line = {
		betrag: amount,
		belegtext,
		...omit(account, 'namesKey'),
		belegNummer: `Z-${closing.number}`,
	};
	// A rate beside a tax key (BU-Schlüssel) of another rate would be refused.
	const isByAccount = account.buSchluessel !== undefined && (!isWithTax || !isRateOfGross(vat));
	const prozent = isByAccount
		? undefined
		: isRateOfGross(vat)
			? rate
			: rateShown({ amount, rate, ...position });
	return [prozent === undefined ? line : { ...line, prozent }];
}

/**
 * The rate of a key whose tax may be another one than its rate of the gross amount, as the closing shows it: all of it, none,
 * or only a part (§ 25a UStG), which the account must know.
 */
function rateShown({
	amount,
	rate,
	tax,
	rows,
}: Pick<Position, 'amount' | 'tax' | 'rows'> & { rate?: number }) {
	if (rate === undefined || tax === undefined) return rate;
	if (Math.abs(tax) <= CENT * rows) return 0;
	return Math.abs(taxInGross(amount, rate) - tax) <= CENT * (rows + 1) ? rate : undefined;
}

/** Business cases and payments in the words of a bookkeeper, where the official name isn't one. */
const TEXTS: Partial<Record<string, string>> = {
	PfandRueckzahlung: 'Pfandrückzahlung',
	ZuschussEcht: 'echter Zuschuss',
	ZuschussUnecht: 'unechter Zuschuss',
	TrinkgeldAG: 'Trinkgeld Unternehmer',
	TrinkgeldAN: 'Trinkgeld Arbeitnehmer',
	EinzweckgutscheinKauf: 'Einzweckgutschein Kauf',
	EinzweckgutscheinEinloesung: 'Einzweckgutschein Einlösung',
	MehrzweckgutscheinKauf: 'Mehrzweckgutschein Kauf',
	MehrzweckgutscheinEinloesung: 'Mehrzweckgutschein Einlösung',
	Anzahlungseinstellung: 'Anzahlung',
	Anzahlungsaufloesung: 'Anzahlung Auflösung',
	Forderungsaufloesung: 'Forderungsauflösung',
	[DIFFERENCE]: 'Kassendifferenz',
	ECKarte: 'EC-Karte',
	ElZahlungsdienstleister: 'Zahlungsdienstleister',
};

/**
 * Entries of two registers, or of two tax keys, may be equal in everything else; then the text distinguishes them, but for
 * registers whose long IDs end alike, as the cash book takes only a short text.
 */
function bookingText({ number, register }: Closing, type: string, ...what: string[]): string {
	const characters = [...register];
	const shortRegister =
		characters.length > EXPORT_LIMITS.registerInText
			? `…${characters.slice(1 - EXPORT_LIMITS.registerInText).join('')}`
			: register;
	const text = oneLine(['Z', number, shortRegister, TEXTS[type] ?? type, ...what].filter(Boolean).join(' '));
	return [...text].slice(0, EXPORT_LIMITS.bookingText).join('').trim();
}

/** Some registers count the opening balance as a payment in cash, some don't. */
function checkSums(
	cases: Position[],
	payments: Position[],
	opening: number,
	currency: string,
	problems: Bilingual[],
): void {
	const [done, paid] = [total(cases, currency), total(payments, currency)];
	if (cases.length === 0 && payments.length > 0) {
		problems.push(CASES_MISSING);
	} else if (payments.length === 0 && done !== opening) {
		problems.push({
			en: 'Its payments are missing (payment.csv).',
			de: 'Die Zahlungen fehlen (payment.csv).',
		});
	} else if (paid !== done && paid !== sum([done, 0 - opening])) {
		const [ofCases, ofPayments] = [amountText(done, currency), amountText(paid, currency)];
		problems.push({
			en: `Its business cases add up to ${ofCases.en}, its payments to ${ofPayments.en}.`,
			de: `Die Geschäftsvorfälle ergeben ${ofCases.de}, die Zahlungen ${ofPayments.de}.`,
		});
	}
}

export const CASES_MISSING: Bilingual = {
	en: 'Its business cases are missing (businesscases.csv).',
	de: 'Die Geschäftsvorfälle fehlen (businesscases.csv).',
};

/** Compares the closing's own totals with its payments; either may be without the opening balance. */
function checkTotals(
	{ totals }: Closing,
	payments: Position[],
	opening: number,
	currency: string,
	problems: Bilingual[],
): void {
	const inCash = payments.filter(({ type }) => type === IN_CASH);
	const compared: Array<[column: string, given: number | undefined, added: number]> = [
		['Z_SE_ZAHLUNGEN', totals.payments, total(payments, currency)],
		['Z_SE_BARZAHLUNGEN', totals.inCash, total(inCash, currency)],
	];
	for (const [column, given, added] of compared) {
		if (given === undefined) continue;
		const difference = sum([rounded(given, currency), 0 - added]);
		if ([0, opening, 0 - opening].includes(difference)) continue;
		const [own, of] = [amountText(given, currency), amountText(added, currency)];
		problems.push({
			en: `Its own total is ${own.en} (${column}), but these payments add up to ${of.en}.`,
			de: `Die eigene Summe des Abschlusses ist ${own.de} (${column}), diese Zahlungen ergeben aber ${of.de}.`,
		});
	}
}

const taxInGross = (gross: number, rate: number): number => (gross * rate) / (100 + rate);

/** Compares the net amount and the tax of a business case with its gross amount and its rate, but for what rounding may change. */
function checkTax(closing: Closing, position: Position, currency: string, problems: Bilingual[]): void {
	const {
		type,
		vat,
		amount,
		net,
		tax = net === undefined ? undefined : sum([amount, 0 - net]),
		rows,
	} = position;
	if (tax === undefined) return;
	const rate = isRateOfGross(vat) ? closing.rateOf(vat) : undefined;
	// Half of the last decimal that is compared, for what binary fractions lose.
	const isNear = (a: number, b: number, more = 0) => Math.abs(a - b) <= CENT * rows + more + 1e-6;
	const ofReceipts = Math.abs(amount) * OF_RECEIPTS;
	const isWhole = net === undefined || isNear(sum([net, tax]), amount);
	if (isWhole && (rate === undefined || isNear(taxInGross(amount, rate), tax, ofReceipts))) return;
	const text = (value: number) => amountText(rounded(value, currency), currency);
	const [gross, ofNet, ofTax] = [text(amount), net === undefined ? undefined : text(net), text(tax)];
	const key = closing.keyText(vat);
	const percent = rate === undefined ? '' : `, ${String(rate)} %`;
	problems.push({
		en: `The tax of ${type} doesn't fit its amount: gross ${gross.en}${ofNet ? `, net ${ofNet.en}` : ''}, tax ${ofTax.en}, tax key ${key.en}${percent}.`,
		de: `Die Steuer von ${type} passt nicht zum Betrag: brutto ${gross.de}${ofNet ? `, netto ${ofNet.de}` : ''}, Steuer ${ofTax.de}, Steuerschlüssel ${key.de}${percent.replace('.', ',')}.`,
	});
}

/** @returns the day of the closing, `YYYY-MM-DD`; empty if it can't be read */
function checkDay({ day, time, bookingDay }: Closing, problems: Bilingual[]): string {
	const read = (given: string) => {
		const parsed = parseDateTime(given, 'UTC');
		return 'value' in parsed ? parsed.value : undefined;
	};
	const [at, made] = [read(day), read(time)];
	const shown = cut(day, 30);
	if (at === undefined)
		problems.push({
			en: `Its day can't be read: "${shown}".`,
			de: `Der Tag ist nicht lesbar: „${shown}“.`,
		});
	else if (
		made !== undefined &&
		Math.abs(Date.parse(at) - Date.parse(made)) > EXPORT_LIMITS.daysApart * DAY_MS
	)
		problems.push({
			en: `Its booking day (${bookingDay}) is more than a year from its time (${time}).`,
			de: `Der Buchungstag (${bookingDay}) liegt mehr als ein Jahr neben der Erstellung (${time}).`,
		});
	return at?.slice(0, 10) ?? '';
}

function dayWarnings(day: string): Bilingual[] {
	const strange = day && strangeDay(day, ZONE);
	if (!strange) return [];
	const { en, de } = strange.says;
	return [
		{
			en: `Its day ${en}. Is the register's clock right?`,
			de: `Sein Tag ${de}. Geht die Uhr der Kasse richtig?`,
		},
	];
}

function differenceWarnings(moved: Position[], currency: string, smallDifference: number): Bilingual[] {
	const difference = total(
		moved.filter(({ type }) => type === DIFFERENCE),
		currency,
	);
	if (Math.abs(difference) <= smallDifference) return [];
	const { en, de } = amountText(difference, currency);
	return [{ en: `Cash difference of ${en}.`, de: `Kassendifferenz von ${de}.` }];
}

/** @param computed what should be in the drawer, if what was in it before is known @param isGainAlone whether the register shows only what came in */
function cashWarnings(
	cash: Position[],
	currency: string,
	{ gain, computed, isGainAlone }: { gain: number; computed?: number; isGainAlone: boolean },
	smallDifference: number,
): Bilingual[] {
	const [foreign, own] = partition(cash, ({ type, amount }) => type !== currency && amount !== 0);
	if (foreign.length > 0) {
		const amounts = foreign.map(({ type, amount }) => amountText(amount, type));
		const list = (language: keyof Bilingual) => amounts.map((amount) => amount[language]).join(', ');
		return [
			{
				en: `Part of its cash is in another currency (${list('en')}); the cash book gains its value in ${currency}.`,
				de: `Ein Teil des Bargelds ist in einer anderen Währung (${list('de')}); ins Kassenbuch kommt sein Wert in ${currency}.`,
			},
		];
	}
	const counted = own.find(({ type }) => type === currency)?.amount;
	if (counted === undefined || computed === undefined) return [];
	const isGain = counted === gain;
	if ((isGain && isGainAlone) || Math.abs(sum([counted, 0 - computed])) <= smallDifference) return [];
	const [is, should] = [amountText(counted, currency), amountText(computed, currency)];
	return [
		{
			en: `Its cash is ${is.en}, computed ${should.en}${isGain ? ': exactly the opening balance less. Is it missing, or was it not counted?' : '.'}`,
			de: `Das Bargeld beträgt ${is.de}, errechnet ${should.de}${isGain ? ': genau der Anfangsbestand weniger. Fehlt er, oder wurde er nicht mitgezählt?' : '.'}`,
		},
	];
}
