/** A run's tasks and their outcomes. */
import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { Beside } from '../answer';
import type { Failure } from '../errors';
import type { OutcomeName } from './outcomes';
import type { CommonOptions } from '../form';
import type { GatewayRequest, TypedRequest, WriteEndpoint } from '../gateway';
import type { Again, RecordIdentity } from '../operation';
import type { Issue } from '../parameters';
import type { Bilingual } from '../values';
import { againOf, numberOf } from './recordIdentity';

/**
 * The work that a run does for an item, or for several items that become one record. All of its values have passed the
 * checks. Its names:
 *
 * | name        | of         | from                        | a person reads it in                               |
 * | ----------- | ---------- | --------------------------- | -------------------------------------------------- |
 * | `itemName`  | the item   | a parameter, by `itemName`  | errors and hints: `Item 4, “Büromaterial”: …`      |
 * | `label`     | the record | the request, by `label`     | errors and their data: `belegnummer R-17`          |
 * | `fileField` | the file   | the item's field, `split`   | no text: it decides which file the output item has |
 */
export interface Task {
	/** Indexes of its input items. */
	readonly items: readonly number[];
	/** Warnings about the items, such as files that aren't sent. */
	readonly notes: readonly Bilingual[];
	/** Values of the operation's own parameters, by name. */
	readonly values: Record<string, unknown>;
	readonly options: CommonOptions & Record<string, unknown>;
	/** Whether the answer is turned into rows. */
	readonly simple: boolean;
	/** The most records; all if there is none. */
	readonly limit?: number;
	/** The fields that an AI agent gets, if they were chosen. */
	readonly fields?: readonly string[];
	readonly itemName?: string;
	readonly label?: Bilingual;
	/** Set where the task is for one of the item's files. */
	readonly fileField?: string;
}

export interface WriteTask extends Task {
	readonly request: TypedRequest<WriteEndpoint>;
	readonly identity?: RecordIdentity;
	/** The name of the first task in this run that has the same record. */
	sameAs?: Bilingual;
	/** The balance of `balanceChange` after this task, if all tasks before it are carried out. */
	balanceAfter?: number;
}

/**
 * An outcome. `T` is the value of a success: first the gateway's answer, and in the end the rows that are made from it.
 */
export type Outcome<T = unknown> =
	/**
	 * The answer confirms the record, or contains what was requested. `isAccepted`: it is still being worked on (202);
	 * `isOfOther`: an equal tool call at the same moment got the answer.
	 */
	| { kind: 'done'; value: T; isAccepted?: true; isOfOther?: true }
	/**
	 * Nothing was written, because the record already existed. `value`: the answer that an earlier item got for the same
	 * record.
	 */
	| { kind: 'existed'; value?: T; said?: string }
	| { kind: 'failed'; failure: Failure }
	/** The run ended before the task's turn. */
	| { kind: 'notSent'; reason: Bilingual }
	/** A value breaks a rule; each issue has the index of its item. */
	| { kind: 'invalid'; issues: ItemIssue[] };

/** A rule that an item breaks. */
export type ItemIssue = Issue & { item: number };

/** One request of a task. */
export interface Write {
	readonly task: WriteTask;
	readonly request: GatewayRequest;
	/** Why nothing more may be sent; `undefined` if sending may go on. */
	readonly stop?: Bilingual;
}

export type Unsuccessful = Exclude<Outcome<Rows>, { kind: 'done' | 'existed' }>;

/** The output of a success. */
export interface Rows {
	records: IDataObject[];
	warnings: readonly Bilingual[];
	/** What the answer says besides what the contract names. */
	besides?: readonly Beside[];
	/** Of a dry run: why nothing was sent. Its `warnings` are those of the write that are known before it. */
	dryRun?: Bilingual;
	passesFiles?: true;
	files?: IBinaryKeyData;
}

/** A task's outcome and names. A run's results are in the order of its output. */
export interface Result extends Pick<Task, 'items' | 'itemName' | 'fileField'> {
	/** The record as it was sent. */
	label?: Bilingual;
	/** The number or ID that was sent, under the name of its field. */
	sent?: IDataObject;
	/** Whether another run of the items writes the record again, and the option with which it recognizes the record. */
	again?: Again;
	recognizedBy?: string;
	/** The rules that the items break, where the outcome says that something may have been sent for them before. */
	issues?: ItemIssue[];
	outcome: Outcome<Rows>;
}

/** What became of a task: a success, a dry run, or why it isn't done. */
export function became({ outcome }: Pick<Result, 'outcome'>): OutcomeName {
	switch (outcome.kind) {
		case 'done':
			return outcome.value.dryRun ? 'dryRun' : 'carriedOut';
		case 'existed':
			return 'carriedOut';
		case 'failed':
			return outcome.failure.outcome;
		default:
			return outcome.kind;
	}
}

/** The rows that a task put out; `undefined` if it failed. */
export const rowsIn = (outcome: Outcome<Rows>): Rows | undefined =>
	'value' in outcome ? outcome.value : undefined;

export function resultOf(task: Task, outcome: Outcome<Rows>): Result {
	const { items, itemName, fileField, identity, label } = task as Task & Partial<WriteTask>;
	const { sentAs = { label, sent: numberOf(identity) } } = outcome.kind === 'failed' ? outcome.failure : {};
	const again = againOf(identity);
	return { items, itemName, fileField, ...sentAs, again, recognizedBy: identity?.recognizedBy, outcome };
}

export const failed = (failure: Failure) => ({ kind: 'failed' as const, failure });

/** Puts the name of the record into the texts of its failure. */
export const withLabel = <T>(outcome: Outcome<T>, label: Bilingual | undefined): Outcome<T> =>
	outcome.kind === 'failed' && label ? failed({ ...outcome.failure, label }) : outcome;
