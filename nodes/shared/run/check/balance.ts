/** Keeps a balance such as that of a cash book from falling below 0. */
import { map, partition, uniq } from 'lodash';

import { amountIn, both, sum, withDecimals } from '../../values';
import type { Bilingual, Rule } from '../../values';
import type { BalanceChange, WriteOperation } from '../../operation';
import { isCertainlyNotDone, unsent } from '../../errors';
import type { Failure } from '../../errors';
import { invalidTogether, SHOWN_VALUES } from './check';
import type { Checked } from './check';
import { rowsIn } from '../task';
import type { Outcome, Rows, WriteTask } from '../task';

const ADVICE =
	'Keep the cash balance from going negative: check the balance, the amounts, and the order of the items';

const after = (balance: number, { amount }: BalanceChange): number => sum([balance, amount]);

/** An amount with the decimals of its currency, e.g. `-12.50 EUR`. */
const withCurrency = (amount: number, { currency }: BalanceChange) =>
	`${withDecimals(amount, currency)} ${currency}`;

/** E.g. `this entry of -20.00 EUR (belegnummer K-3)`. */
const entryOf = ({ label }: WriteTask, change: BalanceChange) =>
	`this entry of ${withCurrency(change.amount, change)} (${label?.en})`;

const changeOf = (operation: WriteOperation, { request, options }: WriteTask) =>
	operation.balanceChange?.(request, options);

/**
 * Tasks that would take the balance below 0 are invalid; it is added up in sending order, without them. Notes the balance
 * after each of the other tasks in the task.
 */
export function withoutOverdrawn(operation: WriteOperation, checked: Checked<WriteTask>): Checked<WriteTask> {
	// Entries of a dry run aren't sent, so they don't change the balance of those that are.
	const broken = partition(checked.tasks, ({ options }) => options.dryRun).flatMap((tasks) =>
		overdrawn(
			tasks.flatMap((task) => {
				const change = changeOf(operation, task);
				return change ? [{ task, change }] : [];
			}),
		),
	);
	const invalid = broken.map(({ task, change: { field, before }, rule }) =>
		invalidTogether(operation, task, [{ field, given: before, rule }]),
	);
	const tasks = new Set(checked.tasks);
	for (const { task } of broken) tasks.delete(task);
	return { tasks: [...tasks], invalid: [...checked.invalid, ...invalid] };
}

interface Changed {
	task: WriteTask;
	change: BalanceChange;
}

/** The tasks that would take the balance below 0, or all of them if it isn't clear; and the rule that is broken. */
function overdrawn(changed: Changed[]): Array<Changed & { rule: Rule }> {
	const unclear = unclearRule(map(changed, 'change'));
	if (unclear !== undefined) return changed.map((one) => ({ ...one, rule: unclear }));
	let balance = changed[0]?.change.before;
	return changed.flatMap((one) => {
		const { task, change } = one;
		const next = after(balance, change);
		if (next >= 0) {
			task.balanceAfter = balance = next;
			return [];
		}
		const inGerman = (amount: number) => amountIn('de', amount, change.currency);
		const rule = both(
			`is not enough: in ${change.name} it leaves ${withCurrency(balance, change)} before ${entryOf(task, change)}, which would bring it to ${withCurrency(next, change)}. ${ADVICE}`,
			`reicht nicht: In ${change.name} sind noch ${inGerman(balance)}, ein Vorgang über ${inGerman(change.amount)} (${task.label?.de}) brächte sie auf ${inGerman(next)}. Die Kasse darf nicht ins Minus geraten: Prüfen Sie Bestand, Beträge und Reihenfolge`,
		);
		return [{ ...one, rule }];
	});
}

/** Why the entries can't be added up to one balance; `undefined` if they can. */
function unclearRule(changes: BalanceChange[]): Rule | undefined {
	/** What differs between the entries, listed; `undefined` if it is the same for all. */
	const several = (key: keyof BalanceChange, shownBy = key) =>
		uniq(map(changes, key)).length > 1
			? uniq(map(changes, shownBy)).slice(0, SHOWN_VALUES).join(', ')
			: undefined;
	const books = several('of', 'name');
	if (books)
		return both(
			`is the balance of one cash book, but this run has entries of several: ${books}. Use a node for each`,
			`ist der Bestand einer Kasse, dieser Lauf hat aber Vorgänge von mehreren: ${books}. Nehmen Sie für jede einen eigenen Node`,
		);
	const currencies = several('currency');
	if (currencies)
		return both(
			`is a balance in one currency, but this run has entries in ${currencies}`,
			`ist ein Bestand in einer Währung, dieser Lauf hat aber Vorgänge in ${currencies}`,
		);
	const balances = uniq(map(changes, 'before')).slice(0, SHOWN_VALUES);
	if (balances.length <= 1) return undefined;
	const [{ currency }] = changes;
	const inGerman = balances.map((balance) => amountIn('de', balance, currency)).join(', ');
	return both(
		`must be the same for all items, because it is the balance before the first one; the items have ${balances.join(', ')}`,
		`muss überall gleich sein, denn es ist der Bestand vor dem ersten Vorgang; angegeben sind ${inGerman}`,
	);
}

/** The balance while a run writes; an entry that wasn't booked doesn't change it. */
export class CashBalance {
	/**
	 * The lowest possible balance: of the entries that may have been booked, only those that reduce the balance count.
	 */
	private lowest?: number;
	/** Whether the outcome of an entry is unknown. */
	private hasUnknown = false;

	constructor(private readonly operation: WriteOperation) {}

	/** Why a task isn't sent: it could bring the balance below 0. */
	uncovered(task: WriteTask): Failure | undefined {
		const change = changeOf(this.operation, task);
		const balance = this.lowest ?? change?.before;
		if (!change || after(balance!, change) >= 0) return undefined;
		const message = `Not sent: an earlier entry wasn't booked, or may not have been, so ${change.name} may hold only ${withCurrency(balance!, change)}, and ${entryOf(task, change)} would bring it to ${withCurrency(after(balance!, change), change)}`;
		return unsent(message, 'Send it again once the earlier entries are booked.');
	}

	/**
	 * Adds a task's amount to the balance, as far as its outcome allows.
	 * @returns the outcome, with the balance after the task in its rows
	 */
	counted(task: WriteTask, outcome: Outcome<Rows>): Outcome<Rows> {
		const change = changeOf(this.operation, task);
		if (!change) return outcome;
		const balance = this.lowest ?? change.before;
		const rows = rowsIn(outcome);
		const mayBeDone = outcome.kind === 'failed' && !isCertainlyNotDone(outcome.failure);
		if (mayBeDone) this.hasUnknown = true;
		const counted = rows ? change.amount : mayBeDone ? Math.min(change.amount, 0) : 0;
		this.lowest = sum([balance, counted]);
		if (!rows) return outcome;
		const { records, warnings } = rows;
		const value: Rows = {
			...rows,
			// Copies: the journal keeps the answer as the gateway gave it.
			records: records.map((record) => ({ ...record, [change.field]: this.lowest })),
			warnings: this.hasUnknown ? [...warnings, lowestPossible(change)] : warnings,
		};
		return { ...outcome, value } as Outcome<Rows>;
	}
}

const lowestPossible = ({ field }: BalanceChange): Bilingual =>
	both(
		`${field} is the lowest it can be: the outcome of an earlier entry is unknown`,
		`${field} ist der kleinste mögliche Bestand: Ob ein früherer Eintrag gebucht wurde, ist unklar.`,
	);
