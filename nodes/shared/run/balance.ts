/** A balance that must not fall below 0, like that of a cash book; see `movement` of an operation. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { map, partition, pullAll, uniq } from 'lodash';

import { decimalsOf } from '../values/currencies';
import { sum } from '../values/money';
import type { Movement, WriteOperation } from '../operation';
import { isCertainlyNotDone } from '../errors/failure';
import type { Failure } from '../errors/failure';
import { InputItem } from '../parameters/inputItem';
import type { Checked } from './check';
import type { WriteTask } from './task';
import { addFieldIssue } from './fieldIssue';
import { notSent } from './result';
import type { TaskResult } from './result';

/** What the user can do about it. */
const ADVICE = 'Cash is never negative: check the balance, the amounts, and the order of the items';

const after = (balance: number, { change }: Movement): number => sum([balance, change]);

/** An amount with the decimals of its currency, e.g. `-12.50 EUR`. */
function shown(amount: number, { currency }: Movement): string {
	const decimals = decimalsOf(currency);
	return `${decimals === undefined ? amount : amount.toFixed(decimals)} ${currency}`;
}

/** E.g. `this entry of -20.00 EUR (belegnummer K-3)`. */
const entryOf = ({ label }: WriteTask, movement: Movement) =>
	`this entry of ${shown(movement.change, movement)}${label === undefined ? '' : ` (${label})`}`;

/**
 * Refuses the tasks that would take the balance below 0, adding up in sending order; a refused task doesn't count.
 * Records the balance after each of the others.
 */
export function checkBalance(
	context: IExecuteFunctions,
	operation: WriteOperation,
	checked: Pick<Checked<WriteTask>, 'tasks' | 'invalid' | 'refused'>,
): void {
	// What isn't sent changes no balance.
	const [dryRuns, sent] = partition(checked.tasks, ({ options }) => options.dryRun);
	const found = [...overdrawn(dryRuns), ...overdrawn(sent)];
	if (found.length === 0) return;
	for (const { task, field, given, rule } of found) {
		const item = new InputItem(context, task.item);
		addFieldIssue(item, operation, field, given, rule);
		checked.invalid.set(task.item, item.issues);
		if (task.combined) checked.refused.push([...task.combined]);
	}
	pullAll(checked.tasks, map(found, 'task'));
}

/** A task that would take the balance below 0, or whose balance isn't clear. */
interface Overdrawn {
	task: WriteTask;
	/** The option, what it holds, and the rule that is broken, as of an issue. */
	field: string;
	given: unknown;
	rule: string;
}

function overdrawn(tasks: readonly WriteTask[]): Overdrawn[] {
	const moved = tasks.flatMap((task) => {
		const { movement } = task;
		return movement ? [{ task, movement }] : [];
	});
	if (moved.length === 0) return [];
	const [{ movement: first }] = moved;
	const unclear = unclearRule(moved.map(({ movement }) => movement));
	if (unclear !== undefined) {
		return moved.map(({ task, movement }) => ({
			task,
			field: first.field,
			given: movement.before,
			rule: unclear,
		}));
	}
	const found: Overdrawn[] = [];
	let balance = first.before;
	for (const { task, movement } of moved) {
		const next = after(balance, movement);
		if (next < 0) {
			const rule = `is not enough: in ${movement.name} it leaves ${shown(balance, movement)} before ${entryOf(task, movement)}, which would bring it to ${shown(next, movement)}. ${ADVICE}`;
			found.push({ task, field: movement.field, given: movement.before, rule });
		} else {
			balance = next;
			task.balanceAfter = balance;
		}
	}
	return found;
}

/** Why entries have no balance in common, if so. */
function unclearRule(movements: Movement[]): string | undefined {
	const several = (values: Array<string | number>) =>
		uniq(values).length > 1 ? uniq(values).join(', ') : undefined;
	if (several(movements.map(({ of }) => of))) {
		const books = uniq(movements.map(({ name }) => name)).join(', ');
		return `is the balance of one cash book, but this run has entries of several: ${books}. Use a node for each`;
	}
	const currencies = several(movements.map(({ currency }) => currency));
	if (currencies) return `is a balance in one currency, but this run has entries in ${currencies}`;
	const balances = several(movements.map(({ before }) => before));
	return (
		balances &&
		`must be the same for all items, because it is the balance before the first one; the items have ${balances}`
	);
}

/** The balance while a run writes; entries that weren't booked don't count. */
export class Balance {
	/** The lowest it can be: of entries that may have been booked, only those that reduce it count. */
	private lowest?: number;
	/** Whether the outcome of an entry is unknown. */
	private uncertain = false;

	/** Why a task must not be sent now, if so. */
	refusal(task: WriteTask): Failure | undefined {
		const { movement } = task;
		if (!movement) return undefined;
		const balance = this.lowest ?? movement.before;
		const next = after(balance, movement);
		if (next >= 0) return undefined;
		const message = `Not sent: an earlier entry wasn't booked, or may not have been, so ${movement.name} may hold only ${shown(balance, movement)}, and ${entryOf(task, movement)} would bring it to ${shown(next, movement)}`;
		return { ...notSent(message), description: 'Send it again once the earlier entries are booked.' };
	}

	/** Records the outcome of a task. @returns the result with the balance after it */
	note({ movement }: WriteTask, result: TaskResult): TaskResult {
		if (!movement) return result;
		const balance = this.lowest ?? movement.before;
		const isDone = result.kind === 'done';
		const mayBeDone = result.kind === 'failed' && !isCertainlyNotDone(result.failure);
		if (mayBeDone) this.uncertain = true;
		this.lowest = isDone || (mayBeDone && movement.change < 0) ? after(balance, movement) : balance;
		if (!isDone) return result;
		const { lowest } = this;
		// Copies: the journal keeps the answer as the gateway gave it.
		const records = result.records.map((record) => ({ ...record, [movement.field]: lowest }));
		const warnings = this.uncertain ? [...result.warnings, this.doubt(movement)] : result.warnings;
		return { ...result, records, warnings };
	}

	private doubt({ field }: Movement): string {
		return `${field} is the lowest it can be: the outcome of an earlier entry is unknown`;
	}
}
