/** The transactions that the gateway lists, and which of them are wanted. */
import type { IDataObject } from 'n8n-workflow';
import { isEqual, isUndefined, map, omitBy, sortBy, uniq } from 'lodash';
import { DateTime } from 'luxon';

import { DAYS, getAll as getBalances } from '../AccountingGatewayBanking/balance/getAll';
import { besidesIn, recordsOf } from '../shared/answer';
import { both, isObject, listed, parseNumber, plainLine, sha256 } from '../shared/values';
import { simplified } from '../shared/run';
import type { Bilingual } from '../shared/values';

/** A transaction, and what identifies it. */
export interface Listed {
	/** A short hash of the ID, however long the ID is. */
	key: string;
	/** The day under which the transaction is listed, `YYYY-MM-DD`. */
	day: string;
	transaction: IDataObject;
}

export interface Filter {
	direction: 'all' | 'incoming' | 'outgoing';
	minAmount?: number;
	text?: string;
	includeDuplicated?: boolean;
}

/** Whether two filters are the same. n8n's database keeps no fields without a value, and some keep no order of the others. */
export const sameFilter = (a: Filter | undefined, b: Filter): boolean =>
	isEqual(omitBy(a, isUndefined), omitBy(b, isUndefined));

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text).isValid;

function validDay(value: unknown): string | undefined {
	const day = typeof value === 'string' ? value.slice(0, 10) : '';
	return isDay(day) ? day : undefined;
}

/** Enough of a hash to tell apart more transactions than any account has. */
const KEY_LENGTH = 16;
/** A short hash of an ID, however long the ID is. */
export const keyOf = (id: string): string => sha256(id).slice(0, KEY_LENGTH);

export const idOf = ({ id }: IDataObject): string =>
	typeof id === 'string' || typeof id === 'number' ? String(id).trim() : '';

/**
 * The transactions in answers to `listBalances`, each once, oldest first.
 * @param today the day for a transaction that has none
 * @returns also warnings about transactions that can't be distinguished or read, and the one that there may be more
 */
export function transactionsIn(
	bodies: unknown[],
	today: string,
): { all: Listed[]; problems: string[]; more?: Bilingual } {
	const byKey = new Map<string, Listed>();
	const unreadable: string[] = [];
	for (const { date, transactions } of bodies.flatMap(recordsOf)) {
		const listedOn = validDay(date);
		for (const row of Array.isArray(transactions) ? (transactions as unknown[]) : []) {
			const transaction = isObject(row) ? row : {};
			const id = idOf(transaction);
			const day = listedOn ?? validDay(transaction.made_on) ?? today;
			if (!id) {
				unreadable.push(day);
				continue;
			}
			const one = { key: keyOf(id), day, transaction };
			const other = byKey.get(one.key);
			// If a transaction is listed twice, the copy that may start the workflow wins.
			if (!other || (isPassedOver(other) && !isPassedOver(one))) byKey.set(one.key, one);
		}
	}
	const omitted = uniq(
		bodies.flatMap((body) => map(getBalances.omissions?.(body, { output: 'transactions' }), 'en')),
	);
	// Without their values: a cursor has another one at each poll.
	const besides = uniq(
		map(
			bodies.flatMap((body) => besidesIn(body, DAYS, false)),
			'name',
		),
	);
	const more =
		besides.length > 0
			? both(
					`the gateway's answer says more than its list of days: ${listed(besides)}`,
					`Die Antwort des Gateways sagt mehr als ihre Liste der Tage: ${listed(besides, 'de')}`,
				)
			: undefined;
	const problems = [more?.en, ...omitted].filter((text) => text !== undefined);
	if (unreadable.length > 0) {
		const which = unreadable.length === 1 ? 'a transaction' : `${unreadable.length} transactions`;
		problems.push(
			`the gateway sent ${which} without an ID of ${listed([...new Set(unreadable)])}: the node can't tell whether they are new, so they don't start the workflow`,
		);
	}
	// Within a day in the order in which the gateway got them; where it doesn't say, as listed.
	const createdAt = ({ transaction: { created_at } }: Listed) =>
		typeof created_at === 'string' ? created_at : '';
	return { all: sortBy([...byKey.values()], ['day', createdAt]), problems, more };
}

/** Whether a transaction usually doesn't start the workflow. */
const isPassedOver = ({ transaction }: Listed) => isPending(transaction) || transaction.duplicated === true;

/**
 * Whether a transaction isn't booked yet. All other statuses count as booked: the contract doesn't list them, and
 * nothing may be lost.
 */
export const isPending = ({ status }: IDataObject): boolean =>
	typeof status === 'string' && status.trim().toLowerCase() === 'pending';

/** Characters of a text that are read; banks send far fewer. */
const LONGEST_COMPARED = 20_000;
/** As banks and people write a text differently, with single spaces. */
const plain = (value: string) => plainLine(value, LONGEST_COMPARED);

/** All texts in a value, however deep: the contract leaves the types of what the bank sends along open. */
const textsIn = (value: unknown): string[] =>
	typeof value === 'string' ? [plain(value)] : Object.values(Object(value) as object).flatMap(textsIn);

/** All texts of a transaction, also those that the bank has parsed. Each is one line, so that no word spans two of them. */
const textsOf = ({ description, description_parsed, extra }: IDataObject): string =>
	textsIn([description, description_parsed, extra]).join('\n');

/** Whether a transaction is wanted. One with an unreadable amount is wanted, because a person has to look at it. */
export function isWanted(
	transaction: IDataObject,
	{ direction, minAmount = 0, text, includeDuplicated }: Filter,
): boolean {
	if (transaction.duplicated === true && !includeDuplicated) return false;
	if (text && !textsOf(transaction).includes(plain(text))) return false;
	const parsed = parseNumber(transaction.amount);
	if ('rule' in parsed) return true;
	const { value } = parsed;
	if (direction === 'incoming' && value <= 0) return false;
	if (direction === 'outgoing' && value >= 0) return false;
	return Math.abs(value) >= minAmount;
}

/** A transaction as the node emits it: as a row of "Balance: Get Many", or as the gateway sent it. */
export function outputOf({ transaction }: Listed, simple: boolean | undefined): IDataObject {
	if (simple === false) return transaction;
	const day = { transactions: [transaction] };
	return [...simplified(getBalances, [day], { values: { output: 'transactions' }, options: {} })][0];
}
