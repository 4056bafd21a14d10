import type { IDataObject } from 'n8n-workflow';

import { cut, presentable } from '../../errors';
import type { WriteOperation } from '../../operation';
import { FileContent } from '../../gateway';
import type { GatewayClient } from '../../gateway';
import { failed, resultOf } from '../task';
import type { Result, WriteTask } from '../task';

/** Explains in the output pane, and to an AI agent, why nothing was booked. */
const NOTHING_SENT = 'dry run, nothing was sent';
/** The explanation if the dry run comes from the credential, so that the node's own option doesn't show it. */
const BY_CREDENTIAL = `${NOTHING_SENT}, because the credential allows only dry runs`;

/** The summary is cut at this length, because a name from outside may be very long. */
const MAX_SUMMARY = 500;

/** Outputs what a write would send, without sending it: one record to review, with a summary as its first field. */
export function dryRun(task: WriteTask, operation: WriteOperation, client: GatewayClient): Result {
	const { request, options, notes, sameAs, balanceAfter } = task;
	const target = client.targetOf(request);
	if ('failure' in target) return resultOf(task, failed(target.failure));
	const shown = (text: string) => cut(presentable(text), MAX_SUMMARY);
	const summary = shown(operation.summary(request, options));
	const change = operation.balanceChange?.(request, options);
	const record = {
		summary: sameAs === undefined ? summary : `${summary}; the same as ${sameAs}, so it would be sent once`,
		...(operation.germanSummary && { germanSummary: shown(operation.germanSummary(request)) }),
		dryRun: true,
		...target,
		query: readable(request.query),
		body: readable(request.body ?? {}),
		...(change && { [change.field]: balanceAfter }),
	};
	return resultOf(task, {
		kind: 'done',
		value: {
			records: [record],
			warnings: [...notes, client.isDry ? BY_CREDENTIAL : NOTHING_SENT],
			dryRun: true,
		},
	});
}

/** The value as JSON would hold it, but with the name and size of each file in place of its content. */
const readable = (value: object): IDataObject =>
	JSON.parse(
		JSON.stringify(value, (_key, member: unknown) =>
			hasFile(member) ? { ...member, content: undefined, bytes: member.content.bytes } : member,
		),
	) as IDataObject;

const hasFile = (value: unknown): value is { content: FileContent } =>
	(value as { content?: unknown } | null)?.content instanceof FileContent;
