/** Finds the open items that a payment settles. */
import type { IDataObject } from 'n8n-workflow';
import { groupBy, map, mapValues, sumBy } from 'lodash';

import { isObject, maskIbans } from '../../shared/values';
import { claimsIn, plainName } from './claim';
import type { Claim, Payment } from './claim';
import { discountUntil } from './discount';
import type { Terms } from './discount';
import { mentionsIn, ownWords, spellingsOf, withoutPrefix } from './invoiceNumber';
import { byOwner, claimsOf, judgmentOf } from './mentioned';
import type { Slot } from './mentioned';
import { Owners } from './owners';
import { accountsIn, scalarText } from './report';
import { duesOf, NO_MATCH, recordFrom } from './verdict';

/** A text without its IBANs, whose groups of digits may look like a number. */
const withoutIbans = (text: string) => maskIbans(text).replace(/…\w{4}/g, '…');

/** With more claims, digits without their prefix say nothing, like the year in each number. */
const MOST_WITH_SAME_DIGITS = 50;

/** The open items of a report, ready to be looked up for very many payments. */
export class OpenItems {
	private readonly byNumber: Partial<Record<string, Claim[]>>;
	private readonly byDigits = new Map<string, Claim[]>();
	private readonly byNameAndAmount: Partial<Record<string, Claim[]>>;
	private readonly byNameAndTotal: Partial<Record<string, Claim[][]>>;
	/** The numbers that money which comes in can settle, those that money which goes out can, and all. */
	private readonly numbers: Record<'in' | 'out' | 'all', ReadonlySet<string>>;
	private readonly accounts: ReadonlySet<string>;
	private readonly owners: Owners;

	/** @param answer of `getOpenItems` */
	constructor(answer: unknown) {
		const accounts = accountsIn(answer).filter(isObject);
		const ofAccounts = claimsIn(accounts);
		const claims = ofAccounts.flat();
		const numbered = claims.filter(({ number }) => number !== undefined);
		this.accounts = new Set(accounts.map(({ kontonummer }) => scalarText(kontonummer)));
		this.owners = new Owners(map(accounts, 'bezeichnung'));
		const spelled = numbered.flatMap((claim) =>
			spellingsOf(claim.number!).map((spelling) => ({ claim, spelling })),
		);
		this.byNumber = mapValues(groupBy(spelled, 'spelling'), (alike) => map(alike, 'claim'));
		const numbersOf = (isOne: (claim: Claim) => boolean) =>
			new Set(
				map(
					spelled.filter(({ claim }) => isOne(claim)),
					'spelling',
				),
			);
		this.numbers = {
			in: numbersOf(({ cents }) => cents > 0),
			out: numbersOf(({ cents }) => cents < 0),
			all: numbersOf(() => true),
		};
		for (const claim of numbered) {
			for (const digits of withoutPrefix(claim.number!)) {
				const alike = this.byDigits.get(digits);
				if (!alike) this.byDigits.set(digits, [claim]);
				else if (alike.length <= MOST_WITH_SAME_DIGITS) alike.push(claim);
			}
		}
		this.byNameAndAmount = groupBy(claims, ({ name, cents }) => `${cents} ${name}`);
		this.byNameAndTotal = groupBy(
			ofAccounts.filter(({ length }) => length > 0),
			(all) => `${sumBy(all, 'cents')} ${all[0].name}`,
		);
	}

	/** What a payment settles, as a record. */
	find(payment: Payment, terms: Terms): IDataObject {
		if (payment.cents === 0) return NO_MATCH;
		const text = withoutIbans(ownWords(payment.text));
		const slots = this.slotsIn(text, payment);
		const owners = this.owners.named(payment.name);
		const own = this.exactly(owners, payment);
		const mentioned = judgmentOf(slots, payment, terms, { owners, owesExactly: own.length > 0 });
		// The day counts whether the discount was taken or not.
		if (mentioned)
			return recordFrom({ until: discountUntil(duesOf(mentioned.claims, payment), terms), ...mentioned });
		const isNamed = own.length === 1 && owners.has(plainName(payment.name));
		const claims = (slots.length === 0 && this.byDigitsIn(text, payment)) || (isNamed ? own[0] : undefined);
		if (!claims) return NO_MATCH;
		return recordFrom({ verdict: 'probable', claims, open: Math.abs(payment.cents), difference: 0 });
	}

	/** The places in a text that name claims which the payment can settle, or credit notes. */
	private slotsIn(text: string, payment: Payment): Slot[] {
		// A number that the payment can't settle must not hide one that it can: a supplier's RE-4711 beside our 4711.
		const own = mentionsIn(text, this.numbers[payment.cents > 0 ? 'in' : 'out']);
		const all = mentionsIn(text, this.numbers.all);
		const seen = new Set<string>();
		return [...own, ...all].flatMap(({ numbers, isImplied }) => {
			const isKnown = numbers.every((number) => seen.has(number));
			numbers.forEach((number) => seen.add(number));
			if (isKnown) return [];
			const claims = numbers.flatMap((number) => this.byNumber[number] ?? []);
			return [{ claims, isImplied, isDoubtful: numbers.every((one) => this.isDoubtful(one, payment)) }];
		});
	}

	/** Whether digits may be the payment's own amount, a year, or the number of a customer or supplier. */
	private isDoubtful(number: string, { cents }: Payment): boolean {
		const isYear = /^(?:19|20)\d\d$/.test(number);
		return isYear || number === String(Math.abs(cents) / 100) || this.accounts.has(number);
	}

	/** The claims of one owner whose numbers end in digits of the text, if they are exactly the payment. */
	private byDigitsIn(text: string, payment: Payment): Claim[] | undefined {
		const mentions = mentionsIn(text, this.byDigits).filter(
			({ numbers }) => !numbers.some((number) => this.isDoubtful(number, payment)),
		);
		const slots = mentions.map(({ numbers, isImplied }) => {
			const alike = numbers.flatMap((number) => this.byDigits.get(number) ?? []);
			const claims = alike.length > MOST_WITH_SAME_DIGITS ? [] : alike;
			return { claims, isImplied, isDoubtful: false };
		});
		const exact = [...byOwner(slots, payment).values()]
			.map((own) => claimsOf(own, payment))
			.filter((claims) => claims && sumBy(claims, 'cents') === payment.cents);
		return exact.length === 1 ? exact[0] : undefined;
	}

	/** Each claim, or else all claims of each account, of these owners that come to exactly the payment. */
	private exactly(names: ReadonlySet<string>, { cents }: Payment): Claim[][] {
		const keys = [...names].map((name) => `${cents} ${name}`);
		const alike = keys.flatMap((key) => this.byNameAndAmount[key] ?? []);
		return alike.length > 0
			? alike.map((claim) => [claim])
			: keys.flatMap((key) => this.byNameAndTotal[key] ?? []);
	}
}
