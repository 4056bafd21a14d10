/** Keeps a balance such as that of a cash book from falling below 0. */
import { groupBy, map, partition, sortBy, uniq } from 'lodash';

import { amountIn, both, dayIn, decimalsOf, sum } from '../../values';
import type { Bilingual, Rule } from '../../values';
import type { BalanceChange, WriteOperation } from '../../operation';
import { isCertainlyNotDone } from '../outcomes';
import { unsent } from '../../errors';
import type { Failure } from '../../errors';
import { invalidTogether, SHOWN_VALUES } from './check';
import type { Checked } from './check';
import { rowsIn } from '../task';
import type { Outcome, Result, Rows, WriteTask } from '../task';

/** An amount with the decimals of its currency, e.g. `-12.50 EUR`. */
const withCurrency = (amount: number, { currency }: BalanceChange) =>
	`${withDecimals(amount, currency)} ${currency}`;

const changeOf = (operation: WriteOperation, { request, options }: WriteTask) =>
	operation.balanceChange?.(request, options);

interface Changed {
	task: WriteTask;
	change: BalanceChange;
}

/** The tasks that change a balance, in the order of their time. */
const changesIn = (operation: WriteOperation, tasks: readonly WriteTask[]): Changed[] =>
	sortBy(
		tasks.flatMap((task) => {
			const change = changeOf(operation, task);
			return change ? [{ task, change }] : [];
		}),
		'change.at',
	);

/** All tasks are invalid if the balance would be below 0 at the end of a day. Otherwise, notes the balance after each in it. */
export function withoutOverdrawn(operation: WriteOperation, checked: Checked<WriteTask>): Checked<WriteTask> {
	// Entries of a dry run aren't sent, so they don't change the balance of those that are.
	const broken = partition(checked.tasks, ({ options }) => options.dryRun).flatMap((tasks) => {
		const changed = changesIn(operation, tasks);
		const rule = unclearRule(map(changed, 'change')) ?? overdrawn(changed);
		return rule === undefined ? [] : changed.map((one) => ({ ...one, rule }));
	});
	const invalid = broken.map(({ task, change: { field, before }, rule }) =>
		invalidTogether(operation, task, [{ field, given: before, rule }]),
	);
	const tasks = new Set(checked.tasks);
	for (const { task } of broken) tasks.delete(task);
	return { tasks: [...tasks], invalid: [...checked.invalid, ...invalid] };
}

/** Adds up the balance, notes it in the tasks, and says at the end of which day it would be below 0. */
function overdrawn(changed: Changed[]): Rule | undefined {
	let balance = changed[0]?.change.before;
	for (const [day, ofDay] of Object.entries(groupBy(changed, 'change.day'))) {
		const atBegin = balance;
		for (const { task, change } of ofDay) task.balanceAfter = balance = sum([balance, change.amount]);
		if (balance < 0) return overdrawnRule(day, atBegin, balance, map(ofDay, 'change'));
	}
	return undefined;
}

function overdrawnRule(day: string, from: number, to: number, changes: BalanceChange[]): Rule {
	const [change] = changes;
	const moved = sum(map(changes, 'amount'));
	const inGerman = (amount: number) => amountIn('de', amount, change.currency);
	return both(
		`is not enough: ${change.name} would end ${day} with ${withCurrency(to, change)} (${withCurrency(from, change)} before, ${withCurrency(moved, change)} on that day). Cash is never negative: check the balance, the amounts and the days`,
		`reicht nicht: ${change.name} hätte am Ende des ${dayIn('de', day)} ${inGerman(to)} (davor ${inGerman(from)}, an diesem Tag ${inGerman(moved)}). Die Kasse darf nicht ins Minus geraten: Prüfen Sie Bestand, Beträge und Tage`,
	);
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

/** The balance at the end of each day while a run writes; an entry that wasn't booked doesn't change it. */
export class CashBalance {
	private readonly changed: Changed[];
	private readonly days: string[];
	/**
	 * The lowest that the balance can be at the end of each day: of what was sent, by its outcome; of what is to come, with the
	 * income alone. An expense to come is counted in its turn.
	 */
	private readonly lowest: number[];
	private readonly counted = new Map<WriteTask, number>();
	private readonly unknown = new Set<WriteTask>();

	constructor(
		private readonly operation: WriteOperation,
		tasks: readonly WriteTask[],
	) {
		this.changed = changesIn(operation, tasks);
		this.days = uniq(map(this.changed, 'change.day'));
		this.lowest = this.days.map(() => this.changed[0].change.before);
		for (const { change } of this.changed) this.add(change, Math.max(change.amount, 0));
	}

	/** Why a task isn't sent: it could bring the balance below 0 at the end of a day. */
	uncovered(task: WriteTask): Failure | undefined {
		const change = changeOf(this.operation, task);
		if (!change || change.amount >= 0) return undefined;
		const left = Math.min(...this.lowest.slice(this.days.indexOf(change.day)));
		const next = sum([left, change.amount]);
		if (next >= 0) return undefined;
		const { name, amount, currency } = change;
		const inGerman = (one: number) => amountIn('de', one, currency);
		return unsent(
			both(
				`Not sent: an earlier entry wasn't booked, or may not have been, so ${name} may hold only ${withCurrency(left, change)}, and this entry of ${withCurrency(amount, change)} (${task.label?.en}) would bring it to ${withCurrency(next, change)}`,
				`Nicht gesendet: Ein früherer Eintrag wurde nicht gebucht oder vielleicht nicht, darum hat ${name} womöglich nur ${inGerman(left)}; mit diesem Eintrag von ${inGerman(amount)} (${task.label?.de}) wären es ${inGerman(next)}`,
			),
			both(
				'Send it again once the earlier entries are booked.',
				'Senden Sie ihn noch einmal, wenn die früheren gebucht sind.',
			),
		);
	}

	count(task: WriteTask, outcome: Outcome<Rows>): void {
		const change = changeOf(this.operation, task);
		if (!change) return;
		const mayBeDone = outcome.kind === 'failed' && !isCertainlyNotDone(outcome.failure);
		if (mayBeDone) this.unknown.add(task);
		const counted = rowsIn(outcome) ? change.amount : mayBeDone ? Math.min(change.amount, 0) : 0;
		this.counted.set(task, counted);
		this.add(change, sum([counted, -Math.max(change.amount, 0)]));
	}

	/** The results of a run, with the balance after each of its tasks in their rows. */
	withBalances(results: Result[]): Result[] {
		const [first] = this.changed;
		if (!first) return results;
		let balance = first.change.before;
		let isLowest = false;
		const after = new Map<number, Pick<Rows, 'warnings'> & { balance: number }>();
		for (const { task } of this.changed) {
			balance = sum([balance, this.counted.get(task) ?? 0]);
			isLowest ||= this.unknown.has(task);
			after.set(task.items[0], { balance, warnings: isLowest ? [lowestPossible(first.change)] : [] });
		}
		return results.map((result) => {
			const rows = rowsIn(result.outcome);
			const known = after.get(result.items[0]);
			if (!rows || !known) return result;
			const value: Rows = {
				...rows,
				// Copies: the journal keeps the answer as the gateway gave it.
				records: rows.records.map((record) => ({ ...record, [first.change.field]: known.balance })),
				warnings: [...rows.warnings, ...known.warnings],
			};
			return { ...result, outcome: { ...result.outcome, value } as Outcome<Rows> };
		});
	}

	private add({ day }: BalanceChange, amount: number): void {
		if (amount === 0) return;
		for (let i = this.days.indexOf(day); i < this.days.length; i++)
			this.lowest[i] = sum([this.lowest[i], amount]);
	}
}

const lowestPossible = ({ field }: BalanceChange): Bilingual =>
	both(
		`${field} is the lowest it can be: the outcome of an earlier entry is unknown`,
		`${field} ist der kleinste mögliche Bestand: Ob ein früherer Eintrag gebucht wurde, ist unklar.`,
	);

/** An amount with the decimals of its currency: `12.50` in `EUR`. */
function withDecimals(amount: number, currency: string): string {
	const decimals = decimalsOf(currency);
	return decimals === undefined ? String(amount) : amount.toFixed(decimals);
}
