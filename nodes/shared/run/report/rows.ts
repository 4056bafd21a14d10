/** Makes a task's output: the rows of its answer, and the warnings about them. */
import type { IDataObject } from 'n8n-workflow';
import { compact } from 'lodash';

import { unexpectedResponse } from '../../gateway';
import { besidesIn, recordOf, replyWarning, untouched } from '../../answer';
import type { ReadOperation, RecordIdentity, WriteOperation } from '../../operation';
import { creditsIn } from '../credits';
import { simplified } from './fields';
import { limited, limitedAnswer } from './limit';
import { numberOf } from '../recordIdentity';
import { failed, withLabel } from '../task';
import type { Outcome, Rows, Task, WriteTask } from '../task';
import { Turn, both } from '../../values';
import { CREDITS_FIELD } from '../../thisGateway';

type Asking = ReadOperation | WriteOperation;

/** Rows that are made before the next look at the clock. */
const BATCH = 100;

/** Turns what the gateway has answered into rows, in turns with n8n's other work. */
export async function rowsFrom(
	operation: Asking,
	task: Task,
	outcome: Outcome,
	turn = new Turn(),
): Promise<Outcome<Rows>> {
	const { identity } = task as Partial<WriteTask>;
	try {
		if (outcome.kind === 'done')
			return { kind: 'done', value: await newRows(operation, task, outcome, turn, identity) };
		if (outcome.kind === 'existed')
			return { kind: 'existed', value: rowsIfExisted(operation, task, outcome, identity) };
		return outcome;
	} catch (error) {
		const failure = unexpectedResponse(operation.kind === 'write', { error: error as Error });
		return withLabel(failed(failure), task.label);
	}
}

/** A warning about what was written. */
const NOT_DONE_YET = both(
	'the gateway has accepted it, but says that it is still being worked on: look up later whether it is there',
	'Das Gateway hat es angenommen, ist nach eigener Angabe aber noch nicht fertig: Sehen Sie später nach, ob es da ist.',
);

const OF_OTHER_CALL = both(
	'an equal call at the same moment sent it, and this is the answer to that one: both are one record. For a second one, call again now',
	'Ein gleicher Aufruf hat es im selben Moment gesendet, und dies ist die Antwort darauf: Beide sind ein Vorgang. Für einen zweiten rufen Sie jetzt noch einmal auf.',
);

async function newRows(
	operation: Asking,
	task: Task,
	{ value: body, isAccepted, isOfOther }: Extract<Outcome, { kind: 'done' }>,
	turn: Turn,
	identity?: RecordIdentity,
): Promise<Rows> {
	const { values, options, simple, notes } = task;
	const { kind, expects, warnings: warningsOf, omissions } = operation;
	const writes = kind === 'write';
	// If the record could have existed already, its rows say that it didn't.
	const alreadyExisted = identity?.outputIfExisted ? false : undefined;
	// If several items use the same answer, the rows are made from it and aren't the gateway's own records.
	const { makesOwnRecords, records: recordsFrom } = operation as Partial<ReadOperation>;
	const rows = async () => {
		const all: IDataObject[] = [];
		for (const row of simple
			? simplified(operation, body, { ...task, alreadyExisted })
			: recordsFrom!(body, values, options)) {
			if (all.push(row) % BATCH === 0) await turn.yield();
		}
		return all;
	};
	const { records: made, warning: beyond } =
		simple || makesOwnRecords ? limited(await rows(), task.limit) : limitedAnswer(body, task.limit);
	// A success without content still gives an item, so that the workflow continues.
	const records = made.length === 0 && writes ? [{ ...recordOf(body), success: true }] : made;
	const credits = options.includeCredits ? creditsIn(body) : undefined;
	const omitted =
		simple || makesOwnRecords ? [expects.strange?.(body), ...(omissions?.(body, values) ?? [])] : [];
	const warnings = compact([
		...notes,
		isOfOther && OF_OTHER_CALL,
		isAccepted && NOT_DONE_YET,
		writes && replyWarning(body),
		...(warningsOf?.(body, values) ?? []),
		beyond,
		...omitted,
	]);
	return {
		// Copies: the journal keeps the answer as the gateway gave it.
		records:
			credits === undefined ? records : records.map((record) => ({ ...record, [CREDITS_FIELD]: credits })),
		warnings,
		besides: besidesIn(body, expects, writes, (task as Partial<WriteTask>).request?.body),
	};
}

function rowsIfExisted(
	operation: Asking,
	task: Task,
	{ value, said }: { value?: unknown; said?: string },
	identity?: RecordIdentity,
): Rows {
	const { simple, notes } = task;
	const outputRows = (body: unknown) => (simple ? [...simplified(operation, body, task)] : untouched(body));
	// For a record that an earlier item has sent: that item's row, if there is one.
	const [first] = value === undefined ? [] : outputRows(value);
	// Before a retry, somebody may have turned the option off that lets a record exist.
	const { record, warning = undefined } = identity?.outputIfExisted?.(said, first) ?? {
		record: numberOf(identity) ?? {},
	};
	return {
		records: outputRows(record).map((row) => ({ ...row, alreadyExisted: true })),
		warnings: compact([...notes, warning]),
	};
}
