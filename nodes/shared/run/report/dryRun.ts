import type { IDataObject } from 'n8n-workflow';

import { cut, cutLine, presentable } from '../../errors';
import type { WriteOperation } from '../../operation';
import { FileContent } from '../../gateway';
import type { GatewayClient } from '../../gateway';
import { bilingual, both } from '../../values';
import type { Bilingual, Language } from '../../values';
import { failed, resultOf } from '../task';
import type { Result, WriteTask } from '../task';

/** Explains in the output pane, and to an AI agent, why nothing was booked. */
const DRY_RUN = both('dry run, nothing was sent', 'Probelauf: Es wurde nichts gesendet.');
/** The explanation if the dry run comes from the credential, so that the node's own option doesn't show it. */
const BY_CREDENTIAL = both(
	`${DRY_RUN.en}, because the credential allows only dry runs`,
	'Probelauf: Es wurde nichts gesendet, weil die Zugangsdaten nur Probeläufe erlauben.',
);

/** The summary is cut at this length, because names from outside may be very long. */
const MAX_SUMMARY = 5_000;

const MAX_LABEL = 200;

const comesAgain = ({ en, de }: Bilingual): Bilingual => ({
	en: `; the same as ${cutLine(en, MAX_LABEL)}, so it would be sent once`,
	de: `; dasselbe wie ${cutLine(de, MAX_LABEL)}, daher nur einmal zu senden`,
});

/** Outputs what a write would send, without sending it: one record to review, with a summary as its first field. */
export function dryRun(task: WriteTask, operation: WriteOperation, client: GatewayClient): Result {
	const { request, options, notes, sameAs, balanceAfter } = task;
	const target = client.targetOf(request);
	if ('failure' in target) return resultOf(task, failed(target.failure));
	const said = operation.summary(request, options);
	const again = sameAs === undefined ? { en: '', de: '' } : comesAgain(sameAs);
	const shortened = (language: Language) => cut(presentable(said[language]), MAX_SUMMARY) + again[language];
	const change = operation.balanceChange?.(request, options);
	const record = {
		summary: bilingual(shortened),
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
			warnings: notes,
			dryRun: client.isDry ? BY_CREDENTIAL : DRY_RUN,
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
