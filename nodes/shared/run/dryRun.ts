import type { IDataObject } from 'n8n-workflow';

import type { WriteOperation } from '../operation';
import { FileContent } from '../gateway/body';
import type { GatewayClient } from '../gateway/client';
import type { WriteTask } from './task';
import type { ItemResult } from './result';

/** Explains in the output pane, and to an AI agent, why nothing happened. */
const NOTHING_SENT = 'dry run, nothing was sent';

/** What a write would send, instead of sending it: one record to review, its summary first. */
export function dryRun(task: WriteTask, operation: WriteOperation, client: GatewayClient): ItemResult {
	const { item, combined, part, label, request, options, notes, sameAs, movement, balanceAfter } = task;
	const { query, body } = request;
	const target = client.targetOf(request);
	const about = { item, combined, part: part?.name, label };
	if ('failure' in target) return { ...about, result: { kind: 'failed', failure: target.failure } };
	const summary = operation.summary(request, options);
	const record = {
		summary: sameAs === undefined ? summary : `${summary}; the same as ${sameAs}, so it would be sent once`,
		dryRun: true,
		...target,
		query: readable(query),
		body: readable(body ?? {}),
		...(movement && { [movement.field]: balanceAfter }),
	};
	const warnings = [...notes, NOTHING_SENT];
	return { ...about, result: { kind: 'done', records: [record], warnings, dryRun: true } };
}

/** What JSON would hold, with the name and size of files in place of their content. */
const readable = (value: object): IDataObject =>
	JSON.parse(
		JSON.stringify(value, (_key, member: unknown) =>
			hasFile(member) ? { ...member, content: undefined, bytes: member.content.bytes } : member,
		),
	) as IDataObject;

const hasFile = (value: unknown): value is { content: FileContent } =>
	(value as { content?: unknown } | null)?.content instanceof FileContent;
