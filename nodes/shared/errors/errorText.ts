/** The composer of errors: what people and agents see of a headline and the lines below it. */
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode, NodeError } from 'n8n-workflow';
import { unescape } from 'lodash';

import { asHtml, presentable } from './presentable';

interface ErrorText {
	/** n8n's editor first shows it alone. */
	message: string;
	/** One line, or several. */
	description: string | readonly string[];
	/** HTTP status, where there was an answer. */
	status?: number;
}

export const sentences = (...parts: Array<string | undefined | false>) => parts.filter(Boolean).join(' ');

/**
 * A message and its description as one text, for an item or a line in a log. A quotation that ends the message may have a
 * full stop of its own.
 */
export const inOneText = (message: string, description?: string | null): string =>
	presentable(description ? `${message.endsWith('.”') ? message : `${message}.`} ${description}` : message);

/** @param isForTool whether an AI agent gets it, of which n8n passes on the message alone */
export function toNodeError(
	node: INode,
	{ message, description, status }: ErrorText,
	isForTool = false,
): NodeError {
	const lines = [description].flat().map(presentable);
	// n8n shows descriptions as HTML.
	const html = lines.map(asHtml).join('<br>');
	const headline = presentable(message);
	const error =
		status === undefined
			? new NodeOperationError(node, headline, { description: html })
			: // The gateway's body isn't passed on: its message is in the texts, without secrets.
				new NodeApiError(node, {}, { message: headline, description: html, httpCode: String(status) });
	// n8n replaces a message that contains a system code such as ENOENT with its own.
	error.message = isForTool ? inOneText(message, lines.join(' ')) : headline;
	return error;
}

/** The error of a list in the form. Only with this class does n8n pass the description on to the editor, as plain text. */
export const toListError = (
	node: INode,
	{ message, description, status }: ErrorText & { description: string },
): NodeError =>
	new NodeApiError(
		node,
		{},
		{
			message: presentable(message),
			description: presentable(description),
			httpCode: status?.toString(),
		},
	);

/** The text of such an error without its HTML, for an item or a line in a log. */
export const plainTextOf = ({ message, description }: Error & { description?: string | null }): string =>
	inOneText(message, description && unescape(description.replaceAll('<br>', ' ')));
