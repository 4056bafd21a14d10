/**
 * What n8n's own e-mail triggers put out, set as in an example: their code runs here, and only the mail servers are played. An
 * IMAP server and Gmail give an e-mail as it was sent, Microsoft 365 gives a message and its files as its API (Graph) has them.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import PostalMime from 'postal-mime';

import type { WorkflowFile } from '../../host/client.mjs';
import { WORKFLOWS } from '../../demo/examples.mjs';
import { additionalData, PollContext, withExpressions, workflowWith } from '../../host/engine.mjs';
import { nodeTypeOf, versionOf } from './exampleRun.mjs';
import { requireOfN8n } from '../../host/n8nPackages.mjs';

export interface GraphMessage {
	subject?: string;
	from: { emailAddress: { name: string; address: string } };
	receivedDateTime: string;
	internetMessageHeaders?: Array<{ name: string; value: string }>;
	attachments: Array<{ name: string; contentType: string | null; content: string }>;
}

interface Request {
	uri: string;
	qs?: IDataObject;
}
/** Answers a request to the mail server's API. */
type Answer = (request: Request) => unknown;

/** A trigger of an example, as n8n starts it. */
async function started(example: string, name: string, answer?: Answer) {
	const file = JSON.parse(await readFile(path.join(WORKFLOWS, `${example}.json`), 'utf8')) as WorkflowFile;
	const nodes = file.nodes.map((node) => ({
		...node,
		disabled: false,
		credentials: {
			microsoftOutlookOAuth2Api: { id: '1', name: '' },
			gmailOAuth2: { id: '1', name: '' },
			...node.credentials,
		},
	}));
	const workflow = workflowWith({ ...file, id: example, nodes, active: true }, (type, version) =>
		versionOf(nodeTypeOf(type), version),
	);
	const node = workflow.getNode(name)!;
	const context = new PollContext(workflow, node, additionalData({}), 'trigger', 'activate');
	if (answer)
		Object.assign(context.helpers, {
			requestWithAuthentication: async (_type: string, request: Request) =>
				await Promise.resolve(answer(request)),
		});
	return { workflow, context, type: versionOf(nodeTypeOf(node.type), node.typeVersion) };
}

async function polled(example: string, name: string, answer: Answer): Promise<INodeExecutionData[]> {
	const { workflow, context, type } = await started(example, name, answer);
	const items = await withExpressions(workflow, async () => await type.poll!.call(context));
	return items?.[0] ?? [];
}

export async function fromImap(example: string, name: string, email: string): Promise<INodeExecutionData[]> {
	const { getNewEmails } = requireOfN8n('n8n-nodes-base/dist/nodes/EmailReadImap/v2/utils.js') as {
		getNewEmails(this: unknown, options: object): Promise<void>;
	};
	const { workflow, context } = await started(example, name);
	const items: INodeExecutionData[] = [];
	const imapConnection = {
		search: async () =>
			// As n8n's connection to the server gives it: before 2.41 in parts, since then as the source.
			await Promise.resolve([
				{
					uid: 1,
					source: Buffer.from(email),
					attributes: { uid: 1 },
					parts: [{ which: '', body: email }],
				},
			]),
		addFlags: async () => await Promise.resolve(),
	};
	const onEmailBatch = async (batch: INodeExecutionData[]) =>
		await Promise.resolve(void items.push(...batch));
	const options = { imapConnection, searchCriteria: ['UNSEEN'], postProcessAction: 'read', onEmailBatch };
	await withExpressions(workflow, async () => await getNewEmails.call(context, options));
	return items;
}

/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages */
export const fromGmail = async (
	example: string,
	name: string,
	email: string,
): Promise<INodeExecutionData[]> =>
	await polled(example, name, ({ uri }) =>
		uri.endsWith('/messages')
			? { messages: [{ id: 'm1', threadId: 't1' }], resultSizeEstimate: 1 }
			: {
					id: 'm1',
					threadId: 't1',
					labelIds: ['INBOX', 'UNREAD'],
					internalDate: String(Date.now()),
					sizeEstimate: email.length,
					raw: Buffer.from(email).toString('base64url'),
				},
	);

/** An e-mail as Microsoft 365 keeps it: https://learn.microsoft.com/en-us/graph/api/resources/message */
export async function graphMessage(email: string): Promise<GraphMessage> {
	const { subject, from, date, headers, attachments } = await PostalMime.parse(email);
	return {
		subject,
		from: { emailAddress: { name: from?.name ?? '', address: from?.address ?? '' } },
		receivedDateTime: date!,
		internetMessageHeaders: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
		attachments: attachments.map(({ filename, mimeType, content }) => ({
			name: filename ?? '',
			contentType: mimeType,
			content: typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString(),
		})),
	};
}

/** https://learn.microsoft.com/en-us/graph/api/message-list-attachments */
export const fromMicrosoft = async (
	example: string,
	name: string,
	{ attachments, ...message }: GraphMessage,
): Promise<INodeExecutionData[]> =>
	await polled(example, name, ({ uri, qs = {} }) => {
		const [, index] = /\/attachments\/(\d+)\/\$value$/.exec(uri) ?? [];
		if (index) return { body: Buffer.from(attachments[Number(index)].content) };
		if (uri.endsWith('/attachments'))
			return {
				value: attachments.map(({ name: file, contentType }, id) => ({
					id: String(id),
					name: file,
					contentType,
				})),
			};
		// It gives only the fields that were asked for, and the ID.
		const all: IDataObject = { ...message, hasAttachments: attachments.length > 0 };
		const selected = (qs.$select as string).split(',');
		const given = Object.entries(all).filter(([field]) => selected.includes(field));
		return { value: [{ id: 'AAMk1', ...Object.fromEntries(given) }] };
	});
