/** What an answer means for the task that was sent. */
import type { Failure } from '../errors/failure';
import { saysFailure } from '../errors/saysFailure';
import { unexpectedResponse } from '../errors/unexpectedResponse';
import type { ReadOperation, WriteOperation } from '../operation';
import { furtherPages } from '../gateway/pages';
import { CREDITS_FIELD, untouched } from '../gateway/records';
import { isWrite } from '../gateway/request';
import type { GatewayRequest } from '../gateway/request';
import type { Task } from './task';
import { creditsIn } from './credits';
import { simplified } from './fields';
import { NONE } from './result';
import type { TaskResult } from './result';

/**
 * A write counts as carried out, and a read as answered, only if the answer is about its record.
 * @param verify see `verifyResponse` of an operation
 * @returns what is wrong with the answer, if anything is
 */
export function unconfirmed(
	body: unknown,
	request: Pick<GatewayRequest, 'endpoint' | 'anyAnswer'>,
	verify: (body: unknown) => string | undefined,
): Failure | undefined {
	const writes = isWrite(request);
	try {
		const problem = saysFailure(body, writes) ?? (request.anyAnswer ? undefined : verify(body));
		return problem === undefined ? undefined : unexpectedResponse(writes, { problem });
	} catch {
		return unexpectedResponse(writes);
	}
}

/** The result of a task whose answer is good: its records, and the warnings about them. */
export function done(operation: ReadOperation | WriteOperation, body: unknown, task: Task): TaskResult {
	const { values, options, simple, notes } = task;
	const { kind, warning, omissions } = operation;
	const made = simple ? simplified(operation, body, task) : untouched(body);
	// A success without content still gives an item, so that the workflow goes on.
	const records = made.length === 0 && kind === 'write' ? [{ success: true }] : made;
	const balance = options.includeCredits ? creditsIn(body) : undefined;
	const omitted = simple ? (omissions?.(body, values) ?? []) : [];
	const missing = kind === 'read' ? furtherPages(body) : undefined;
	const warnings = [...notes, warning?.(body, values), missing, ...omitted].filter(
		(text) => text !== undefined,
	);
	return {
		kind: 'done',
		// Copies: the journal keeps the answer as the gateway gave it.
		records:
			balance === undefined ? records : records.map((record) => ({ ...record, [CREDITS_FIELD]: balance })),
		warnings: warnings.length > 0 ? warnings : NONE,
	};
}
