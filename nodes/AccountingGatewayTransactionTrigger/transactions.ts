/** The transactions that the gateway lists, and which of them are wanted. */
import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { map, reject, sortBy, uniqBy } from 'lodash';

import { getAll as getBalances } from '../AccountingGatewayBanking/balance/getAll';
import { furtherPages } from '../shared/gateway/pages';
import { listed } from '../shared/gateway/verify';
import { recordsOf } from '../shared/gateway/records';
import { isObject } from '../shared/values/json';
import { simplified } from '../shared/run/fields';
import { parseNumber } from '../shared/values/money';
import type { TriggerSettings } from './parameters';

/** A transaction, and what identifies it. */
export interface Listed {
	/** Stands for the ID, and is short however long that is. */
	key: string;
	/** The day that it is listed under, `YYYY-MM-DD`. */
	day: string;
	transaction: IDataObject;
	/** The day's record with this transaction alone. */
	record: IDataObject;
}

/**
 * What the form says about which transactions are wanted. It is applied when a transaction is first seen: see
 * `memory.ts`.
 */
export type Filter = Pick<TriggerSettings, 'direction'> &
	Partial<Pick<TriggerSettings, 'minAmount' | 'text'>> & { includeDuplicated?: boolean };

const DAY = /^\d{4}-\d{2}-\d{2}/;
const dayIn = (value: unknown) => DAY.exec(String(value ?? ''))?.[0];

/** Enough of a hash to tell apart more transactions than any account has. */
const KEY_LENGTH = 16;
/** Stands for an ID, however long that is. */
export const keyOf = (id: string): string =>
	createHash('sha256').update(id).digest('base64url').slice(0, KEY_LENGTH);

const idOf = ({ id }: IDataObject) =>
	typeof id === 'string' || typeof id === 'number' ? String(id).trim() : '';

/**
 * The transactions in an answer to `listBalances`, each once, oldest first.
 * @param today for one that has no day
 * @returns also what can't be told apart or read, as warnings
 */
export function transactionsIn(body: unknown, today: string): { all: Listed[]; problems: string[] } {
	const all: Listed[] = [];
	const withoutId: string[] = [];
	for (const record of recordsOf(body)) {
		const { transactions } = record;
		for (const entry of Array.isArray(transactions) ? (transactions as unknown[]) : []) {
			const transaction = isObject(entry) ? entry : {};
			const id = idOf(transaction);
			const day = dayIn(record.date) ?? dayIn(transaction.made_on) ?? today;
			if (id) all.push({ key: keyOf(id), day, transaction, record: { ...record, transactions: [entry] } });
			else withoutId.push(day);
		}
	}
	const omitted = getBalances.omissions?.(body, { output: 'transactions' }) ?? [];
	const problems = [furtherPages(body), ...omitted].filter((text) => text !== undefined);
	if (withoutId.length > 0) {
		problems.push(
			`the gateway sent ${withoutId.length === 1 ? 'a transaction' : `${withoutId.length} transactions`} without an ID, of ${listed([...new Set(withoutId)])}: it can't be told whether they are new, so they start nothing`,
		);
	}
	// Within a day in the order in which the gateway got them; where it doesn't say, as listed.
	const sorted = sortBy(all, ['day', ({ transaction }) => String(transaction.created_at ?? '')]);
	// If a transaction is listed twice, the copy that may start the workflow wins.
	const ready = new Set(map(reject(sorted, isPassedOver), 'key'));
	const counting = sorted.filter((one) => !ready.has(one.key) || !isPassedOver(one));
	return { all: uniqBy(counting, 'key'), problems };
}

/** What usually starts nothing. */
const isPassedOver = ({ transaction }: Listed) => isPending(transaction) || transaction.duplicated === true;

/** Not booked yet. All other statuses count as booked: the contract doesn't list them, and nothing may be lost. */
export const isPending = ({ status }: IDataObject) => String(status).toLowerCase() === 'pending';

/** As people compare texts: in any case, with single spaces. In capital letters, "ß" is "SS", as banks write it. */
const plain = (value: string) => value.normalize('NFKC').replace(/\s+/g, ' ').toUpperCase();

/** All texts of a transaction, also those that the bank has parsed. */
function textsOf(transaction: IDataObject): string {
	const { description, description_parsed, extra } = transaction;
	const parts = [description, ...Object.values({ ...Object(description_parsed), ...Object(extra) })];
	// Each text is one line, so that no word spans two of them.
	return parts
		.filter((part) => typeof part === 'string')
		.map(plain)
		.join('\n');
}

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
export const outputOf = ({ record, transaction }: Listed, simple: boolean | undefined): IDataObject =>
	simple === false
		? transaction
		: simplified(getBalances, { data: [record] }, { values: { output: 'transactions' }, options: {} })[0];
