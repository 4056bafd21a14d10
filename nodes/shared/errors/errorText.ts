/** The composer of errors: what people and agents see of a headline and the lines below it. */
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode, NodeError } from 'n8n-workflow';
import { unescape } from 'lodash';

import { bilingual, both, foreign, sameInBoth, sentences } from '../values';
import type { Bilingual, Language } from '../values';
import type { Failure } from './failure';
import { quote } from './gatewayMessage';
import { asHtml, cut, presentable } from './presentable';

/** What an error says to a person. */
export interface ErrorText {
	/** n8n's editor first shows it alone. */
	message: Bilingual;
	/** One line, or several. */
	description?: Bilingual | readonly Bilingual[];
	status?: number;
}

/** An error of the node's own; where it leaves the node, `toNodeError` chooses the language. */
export class Explained extends Error {
	constructor(readonly text: ErrorText) {
		super(text.message.en);
	}
}

/** The text of any error. What isn't the node's own is quoted. */
export const textOf = (error: Error & { description?: string | null }): ErrorText =>
	error instanceof Explained
		? error.text
		: { message: foreign(error.message), description: sameInBoth(error.description ?? '') };

/** The number of characters of the gateway's text that the error's message repeats. */
const MAX_HEADLINE = 120;

/** A failure as an error tells it: what the gateway says about a refusal is in the message, which n8n's editor first shows alone. */
export function failureText({
	outcome,
	message,
	description,
	label,
	said,
	status,
}: Failure): ErrorText & { description: Bilingual } {
	const headline = outcome === 'refused' && said ? cut(said, MAX_HEADLINE) : undefined;
	const quoted = headline && `${headline}${headline === said ? '' : '…'}`;
	return {
		message: quoted ? both(`${message.en}: “${quoted}”`, `${message.de}: „${quoted}“`) : message,
		description: sentences(
			label && both(`${label.en}:`, `${label.de}:`),
			headline === said ? undefined : quote(said),
			description,
		),
		status,
	};
}

/**
 * A message and its description as one text, for an item or a line in a log. A quotation that ends the message may have a
 * full stop of its own.
 */
export const inOneText = (message: string, description?: string | null): string =>
	presentable(description ? `${/\.[”“]$/.test(message) ? message : `${message}.`} ${description}` : message);

/** The same in both languages. */
export const inOneTextOf = (message: Bilingual, description?: Bilingual): Bilingual =>
	bilingual((language) => inOneText(message[language], description?.[language]));

/**
 * The one place where an error leaves the node for a person.
 * @param isForTool whether an AI agent gets it, of which n8n passes on the message alone
 */
export function toNodeError(node: INode, text: ErrorText, language: Language, isForTool = false): NodeError {
	const { description = [], status } = text;
	const message = text.message[language];
	const lines = [description].flat().map((line: Bilingual) => presentable(line[language]));
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

/** Any error as n8n has it; one of the node's own in the reader's language. */
export const asNodeError = (node: INode, error: Error, language: Language): NodeError =>
	error instanceof Explained ? toNodeError(node, error.text, language) : new NodeOperationError(node, error);

/** The text of such an error without its HTML, for an item or a line in a log. */
export const plainTextOf = ({ message, description }: Error & { description?: string | null }): string =>
	inOneText(message, description && unescape(description.replaceAll('<br>', ' ')));
