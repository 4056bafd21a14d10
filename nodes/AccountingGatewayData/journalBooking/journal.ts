/** Finds the account and the tax key that most bookings of a seller's invoices had. */
import {
	compact,
	difference,
	groupBy,
	intersection,
	maxBy,
	minBy,
	partition,
	reject,
	sumBy,
	uniq,
} from 'lodash';

import { recordsOf } from '../../shared/answer';
import { excerpt } from '../../shared/errors';
import { Turn } from '../../shared/values';
import {
	JOURNAL_LIMITS,
	personalDigits,
	readBooking,
	reversedIn,
	tellingIn,
	tellingOfName,
	wordsIn,
	wordsOfName,
} from './booking';
import type { Booking, Line } from './booking';
import { habitIn } from './sides';

/** Whose bookings they are: a person account, with the words of its name in the chart of accounts. */
interface Owner {
	label: string;
	name: string[];
	/** Those that tell whose it is. */
	telling: string[];
}

/** Of bookings without a person account: only their texts may name the seller. */
const NO_OWNER: Owner = { label: '', name: [], telling: [] };

/** Bookings of an owner with the same words, account, tax key and tax rates. */
interface Pattern {
	owner: Owner;
	text: string;
	/** In their order: the first is usually the beginning of the seller's name. */
	ofText: string[];
	/** Those that tell whose it is, or what was bought. */
	telling: string[];
	/** Of the text, and of the name of the owner's account. */
	words: Set<string>;
	kontonummer: string;
	buSchluessel: string;
	/** The tax rates that the booking may have had, in percent. */
	rates: number[];
	count: number;
}

/** What is suggested: an account; or, where several sellers fit, these. */
type Suggestion =
	| { several: string[] }
	/** Bookings of the seller, but none with one of the tax rates. */
	| 'otherRates'
	| {
			kontonummer: string;
			buSchluessel: string;
			share: number;
			/** How many bookings are alike, and how many of them had this account. */
			bookings: number;
			had: number;
			/** Whose they were: an account with its name; without a person account, their text. */
			supplier: string;
			words: string;
	  };

const nameKey = (words: readonly string[]) => [...words].sort().join(' ');

/** Bookings are alike if they have at least this much in common, compared with the best one. */
const ALIKE = 0.8;

/** The words of a seller's name, and those that tell whose it is. */
interface Seller {
	words: string[];
	telling: string[];
}

/** The journal of one or several years, ready to be looked up for very many invoices. */
export class BookedBefore {
	private readonly patterns = new Map<string, Pattern>();
	private readonly owners = new Map<string, Owner>();
	/** The bookings with a word, by owner. */
	private readonly having = new Map<string, Map<Owner, Pattern[]>>();

	/** @param names of the accounts, by number */
	private constructor(private readonly names: ReadonlyMap<string, string>) {}

	/**
	 * Reads the journal in turns with n8n's other work.
	 * @param answer of `listJournalBookings`
	 * @param names of the accounts, by number
	 */
	static async from(answer: unknown, names: ReadonlyMap<string, string> = new Map()): Promise<BookedBefore> {
		const turn = new Turn();
		const habit = habitIn(answer);
		const bookings: Booking[] = [];
		for (const booking of recordsOf(answer)) {
			await turn.yield();
			bookings.push(readBooking(booking, habit));
		}
		const personal = personalDigits(bookings);
		const reversed = await reversedIn(bookings, turn);
		const journal = new BookedBefore(names);
		for (const booking of bookings) {
			await turn.yield();
			if (!reversed.has(booking)) journal.add(booking, personal, habit !== undefined);
		}
		return journal;
	}

	private add({ text, lines }: Booking, personal: number, hasSides: boolean): void {
		const isPersonal = ({ kontonummer }: Line) => kontonummer.length === personal;
		const largest = (some: Line[]) => maxBy(some, ({ umsatz }) => Math.abs(umsatz));
		const isPrivate = ({ kontonummer }: Line) => PRIVATE.test(this.names.get(kontonummer) ?? '');
		// Class 1 has cash, bank and tax in the common charts, and debtors begin with 1 to 6: neither tells what was bought. The
		// chart's private accounts do.
		const isClass1 = (line: Line) => line.kontonummer.startsWith('1') && !isPrivate(line);
		if (lines.some((line) => isPersonal(line) && /^[1-6]/.test(line.kontonummer))) return;
		const [personals, others] = partition(lines, isPersonal);
		const subject = largest(reject(others, isClass1));
		if (!subject) return;
		// A payment debits the supplier, from whatever account; what it has besides is a discount or a fee. So does a credit note, which says
		// no more than its invoice. Where its sides aren't known, what it was paid from tells: private money pays as well.
		const paid = largest(others)!;
		const isSided = hasSides && sumBy(lines, 'cents') === 0;
		const isPaid = isSided ? sumBy(personals, 'cents') > 0 : isClass1(paid) || isPrivate(paid);
		if (personals.length > 0 && isPaid) return;
		const { kontonummer, buSchluessel } = subject;
		const [person] = personals;
		const owner = this.ownerOf(person?.kontonummer);
		const ofText = wordsIn(text);
		const words = uniq([...ofText, ...owner.name]);
		if (words.length === 0) return;
		const rates = this.ratesOf(subject, personals, others.filter(isClass1), reject(others, isClass1));
		const key = JSON.stringify([owner.label, ofText, kontonummer, buSchluessel, rates]);
		const known = this.patterns.get(key);
		if (known) {
			known.count++;
			return;
		}
		const telling = tellingIn(text);
		const pattern: Pattern = {
			owner,
			text,
			ofText,
			telling,
			words: new Set(words),
			kontonummer,
			buSchluessel,
			rates,
			count: 1,
		};
		this.patterns.set(key, pattern);
		for (const word of words) {
			const byOwner = this.having.get(word) ?? new Map<Owner, Pattern[]>();
			const alike = byOwner.get(owner);
			if (alike) alike.push(pattern);
			else byOwner.set(owner, [pattern]);
			this.having.set(word, byOwner);
		}
	}

	/** Whose bookings of an account are: accounts of one name are one person's. */
	private ownerOf(kontonummer: string | undefined): Owner {
		if (kontonummer === undefined) return NO_OWNER;
		const named = this.names.get(kontonummer) ?? '';
		const name = wordsOfName(named);
		const key = name.length > 0 ? nameKey(name) : kontonummer;
		const known = this.owners.get(key);
		const label = compact([kontonummer, excerpt(named, JOURNAL_LIMITS.label)]).join(' ');
		const owner = known ?? { label, name, telling: tellingOfName(named) };
		this.owners.set(key, owner);
		return owner;
	}

	/**
	 * The tax rates that a booking may have had: the tax's part of its amount or of its line. Where the tax has no line of its own, that of DATEV's
	 * keys for input tax, or the one in the account's name ("Wareneingang 7 % Vorsteuer"); otherwise none.
	 */
	private ratesOf(subject: Line, personals: Line[], class1: Line[], costs: Line[]): number[] {
		const total = (lines: Line[]) => Math.abs(sumBy(lines, 'umsatz'));
		const isTax = ({ umsatz }: Line) => umsatz * subject.umsatz > 0;
		const taxes = class1.filter(isTax);
		// A reverse charge has two taxes, which cancel each other out; in SKR04, one of them isn't of class 1.
		const net = total(costs.filter(({ umsatz }) => !taxes.some((tax) => tax.umsatz + umsatz === 0)));
		const all = rateOf(personals.length > 0 ? total(personals) - net : total(taxes), net);
		if (all === 0 && taxes.length > 0) return [0];
		const rates = compact([all, ...taxes.map(({ umsatz }) => rateOf(umsatz, subject.umsatz))]);
		if (rates.length > 0) return uniq(rates);
		const [, named] = RATE_IN_NAME.exec(this.names.get(subject.kontonummer) ?? '') ?? [];
		return [INPUT_TAX_KEYS[Number(subject.buSchluessel)] ?? Number(named?.replace(',', '.') ?? 0)];
	}

	/** @param rates of the invoice's taxes: only bookings with one of them count. All if there are none. */
	suggest(name: string, text: string, rates: readonly number[] = []): Suggestion | undefined {
		const seller: Seller = { words: wordsOfName(name), telling: tellingOfName(name) };
		const others = difference(wordsIn(text), seller.words);
		const found = this.ofName(seller) ?? this.ofText(seller) ?? this.ofShorterName(seller, others);
		const owners = uniq(found?.map(({ owner }) => owner)).filter((owner) => owner !== NO_OWNER);
		if (owners.length > 1)
			return { several: owners.slice(0, JOURNAL_LIMITS.named).map(({ label }) => label) };
		const hasRate = (pattern: Pattern) =>
			rates.length === 0 || pattern.rates.some((rate) => rates.includes(rate));
		const fitting = found?.filter(hasRate) ?? [];
		if (found?.length && fitting.length === 0) return 'otherRates';
		return this.mostOf(fitting, seller.telling, others);
	}

	/**
	 * The bookings of accounts whose name has all words of the seller's; of several accounts, that of the very name. A word in common
	 * isn't enough where both have others: "Hotel Adler" isn't "Hotel Bären".
	 */
	private ofName({ words, telling }: Seller): Pattern[] | undefined {
		const own = this.owners.get(nameKey(words));
		const having = this.withRarest(telling, own);
		const owners = own
			? [own]
			: uniq(having.map(({ owner }) => owner)).filter(
					({ name }) => name.length > 0 && isWithin(telling, name),
				);
		if (owners.length === 0) return undefined;
		const same = owners.filter((owner) => isWithin(owner.telling, telling));
		const meant = owners.length > 1 && same.length === 1 ? same : owners;
		if (meant.length > 1) {
			const named = meant.slice(0, JOURNAL_LIMITS.named);
			return having.filter(({ owner }) => named.includes(owner));
		}
		const ofNoOwner = having.filter((one) => one.owner === NO_OWNER && isWithin(telling, one.ofText));
		return [...this.of(meant[0], telling), ...ofNoOwner];
	}

	/** Bookings whose text has all words of the seller's name, if the name of their account is quite another one, or unknown. */
	private ofText({ telling }: Seller): Pattern[] | undefined {
		const found = this.withRarest(telling).filter(({ owner, ofText }) => {
			if (!isWithin(telling, ofText)) return false;
			if (owner.name.length === 0) return true;
			return telling.includes(ofText[0]) && intersection(telling, owner.name).length === 0;
		});
		// An account whose name isn't known is that of one person.
		const isOfPerson = ({ owner }: Pattern) => owner !== NO_OWNER && owner.name.length === 0;
		const all = found.flatMap((one) => (isOfPerson(one) ? this.of(one.owner, telling) : [one]));
		return all.length > 0 ? uniq(all) : undefined;
	}

	/**
	 * The bookings whose own name is a part of the seller's: that of their account or, without one, all of the text that doesn't say what
	 * was bought. "Papier Schmidt" rather than "Schmidt", if both are accounts.
	 */
	private ofShorterName({ words, telling }: Seller, others: string[]): Pattern[] | undefined {
		const found = uniq(telling.flatMap((word) => this.withWord(word))).filter((one) =>
			one.owner.name.length > 0
				? isWithin(one.owner.telling, words)
				: telling.includes(one.ofText[0]) && isWithin(one.telling, [...words, ...others]),
		);
		const longest = Math.max(...found.map(({ owner }) => owner.telling.length));
		return found.length > 0 ? found.filter(({ owner }) => owner.telling.length === longest) : undefined;
	}

	/** The last bookings of an owner that have one of these words. */
	private of(owner: Owner, words: string[]): Pattern[] {
		const found = words.flatMap((word) =>
			(this.having.get(word)?.get(owner) ?? []).slice(-JOURNAL_LIMITS.patterns),
		);
		return uniq(found).slice(-JOURNAL_LIMITS.patterns);
	}

	/** The last bookings with the word that the fewest have. */
	private withRarest(words: string[], own?: Owner): Pattern[] {
		return this.withWord(minBy(words, (word) => this.having.get(word)?.size ?? 0) ?? '', own);
	}

	/** The last bookings with a word, bounded over all owners together; of very many owners, only that of the very name. */
	private withWord(word: string, own?: Owner): Pattern[] {
		const byOwner = this.having.get(word) ?? new Map<Owner, Pattern[]>();
		if (own && byOwner.size > JOURNAL_LIMITS.sellers) return this.of(own, [word]);
		const most = Math.ceil(JOURNAL_LIMITS.patterns / byOwner.size);
		return [...byOwner.values()]
			.slice(0, JOURNAL_LIMITS.patterns)
			.flatMap((patterns) => patterns.slice(-most));
	}

	/** Of these bookings, those with the most of the other words in common; the account that most of them had. */
	private mostOf(patterns: Pattern[], name: string[], others: string[]): Suggestion | undefined {
		const scored = patterns.map((pattern) => {
			const score = sumBy(others, (word) => (pattern.words.has(word) ? this.weight(word) : 0));
			return { pattern, count: pattern.count, score };
		});
		const first = maxBy(scored, 'score');
		if (!first) return undefined;
		const alike = scored.filter(({ score }) => score >= ALIKE * first.score);
		const byAccount = groupBy(alike, ({ pattern }) => `${pattern.kontonummer} ${pattern.buSchluessel}`);
		const most = maxBy(Object.values(byAccount), (group) => sumBy(group, 'count'))!;
		const [{ pattern: booked }] = most;
		const [bookings, had] = [sumBy(alike, 'count'), sumBy(most, 'count')];
		const words = uniq([...name, ...others]).filter((word) => first.pattern.words.has(word));
		const owner = most.map(({ pattern }) => pattern.owner).find((one) => one !== NO_OWNER);
		return {
			kontonummer: booked.kontonummer,
			buSchluessel: booked.buSchluessel,
			share: Math.round((had / bookings) * 100),
			bookings,
			had,
			supplier: owner?.label ?? excerpt(booked.text, JOURNAL_LIMITS.label),
			words: words.join(', '),
		};
	}

	/** How telling a word of the text is: the more, the fewer sellers have it. */
	private weight(word: string): number {
		return 1 / (this.having.get(word)?.size ?? Infinity);
	}
}

const isWithin = (some: string[], all: readonly string[]) => some.every((word) => all.includes(word));

/** In both charts, private accounts are named so: "Privatentnahmen allgemein", "Privateinlagen". */
const PRIVATE = /^privat/i;
/** DATEV's keys for input tax, in percent. Other keys say nothing about it. */
const INPUT_TAX_KEYS: Partial<Record<number, number>> = { 8: 7, 9: 19 };
const RATE_IN_NAME = /(\d{1,2}(?:,\d)?) ?%/;
/** Two lines of a tax may be a cent off each. */
const ROUNDING = 0.021;

/** What a tax is of an amount, in percent: a whole rate where that is right to the cent. */
function rateOf(tax: number, net: number): number {
	if (net === 0) return 0;
	const rate = (100 * tax) / net;
	const isWhole = Math.abs(tax - (net * Math.round(rate)) / 100) < ROUNDING;
	return isWhole ? Math.round(rate) : Math.round(rate * 10) / 10;
}
