/** Detects a failure in an answer with a success status. */
import { isObjectLike } from 'lodash';

import { gatewayMessage, messageAmong } from '../errors';
import { firstEntries, isMissing } from '../values';
import type { SentenceEnd } from '../values';
import { isReply } from '../thisGateway';

/** A field of an answer, and the group of fields or the list that it stands in. */
interface Field {
	name: string;
	value: unknown;
	group: object;
}

/** The number of values of an answer that are searched, and the level below which an error's own values aren't. */
const MAX_SEARCHED_VALUES = 1_000_000;
const SEARCH_DEPTH = 8;

interface Where {
	/** What was sent: its fields come back, and say nothing about success. */
	sent?: unknown;
	/** Whether to search a field's value, too. */
	enters?: (field: Field) => boolean;
}

/** The fields of an answer outside what was sent, those of the outer levels first. */
function* fieldsIn(body: unknown, { sent, enters = () => true }: Where): Generator<Field> {
	const groups: Array<{ group: object; echo: unknown }> = isObjectLike(body)
		? [{ group: body as object, echo: sent }]
		: [];
	let left = MAX_SEARCHED_VALUES;
	// The list grows while it is read.
	for (const { group, echo } of groups) {
		for (const [name, value] of firstEntries(group, left)) {
			left--;
			const isEntry = Array.isArray(group);
			const isData = group === body && name === 'data';
			const same =
				isEntry || isData ? (Array.isArray(echo) ? (echo as unknown[])[0] : echo) : valueOf(echo, name);
			const field = { name, value, group };
			if (isEntry || isData || same === undefined) yield field;
			if (isObjectLike(value) && enters(field)) groups.push({ group: value as object, echo: same });
		}
	}
}

const valueOf = (group: unknown, name: string): unknown =>
	isObjectLike(group) && Object.hasOwn(group as object, name)
		? (group as Record<string, unknown>)[name]
		: undefined;

/** Whether a value is more than empty, 0, false or null, as a text, too. */
function holdsSomething(value: unknown, depth = 0): boolean {
	if (isObjectLike(value))
		return (
			depth >= SEARCH_DEPTH ||
			Object.values(value as object).some((inner) => holdsSomething(inner, depth + 1))
		);
	return typeof value === 'string' ? !/^(?:0*|false|null)$/i.test(value.trim()) : Boolean(value);
}

const ERROR = /error|fehler/i;
const VERDICT = /^(?:is[_-]?)?(?:success(?:ful)?|ok|erfolg(?:reich)?)$/i;

/** A field that reports an error: its name says so in any spelling, and it holds something. */
const reportsError = ({ name, value, group }: Field) =>
	!Array.isArray(group) && ERROR.test(name) && holdsSomething(value);

/** `success: false`, also as 0 or a text. */
const deniesSuccess = ({ name, value }: Field) =>
	VERDICT.test(name) && !isMissing(value) && !holdsSomething(value);

/** The accounting system's reply is an object; a text or a list is none. */
const isBrokenReply = ({ name, value, group }: Field) =>
	!Array.isArray(group) &&
	isReply(name) &&
	(!isObjectLike(value) || Array.isArray(value)) &&
	holdsSomething(value);

/**
 * Words that say that something is still being worked on. The list is complete on purpose: of any other word
 * (`IN_ABLEHNUNG`), a person has to decide what it means.
 */
export const UNDER_WAY =
	/^(?:in[ _-](?:arbeit|bearbeitung|verarbeitung|pr(?:ü|ue)fung|(?:ü|ue)bertragung|warteschlange|progress|process|queue|review)|offen|wartend|ausstehend|pending|processing|queued|running)$/i;

/** What a `status` beside the record says of a success; the contract shows none but a ticket's. */
const SUCCEEDED =
	/^(?:2\d\d|true|ok|success(?:ful)?|erfolg(?:reich)?|created|booked|gebucht|angelegt|accepted|done)$/i;
const STATUS_OF_FAILURE = /^(?:[3-9]\d\d$|error|fail|fehl|reject|abgelehnt)/i;

const trimmed = (value: unknown) => String(value).trim();

/** A `status` beside a record that was written, or outside it. */
function isStatusOfFailure({ name, value }: Field, hasOwnStatus: boolean): boolean {
	if (name !== 'status' || isObjectLike(value) || isMissing(value)) return false;
	const status = trimmed(value);
	if (STATUS_OF_FAILURE.test(status)) return true;
	return !hasOwnStatus && !SUCCEEDED.test(status) && !UNDER_WAY.test(status);
}

/** Whether a status beside a record that was written says that it isn't done yet. */
export const isStillWorkedOn = (body: unknown): boolean =>
	[body, valueOf(body, 'data')].some((group) => UNDER_WAY.test(trimmed(valueOf(group, 'status'))));

/** A message of an answer. */
interface Message {
	isError: boolean;
	/** Whether it is neither an error nor mere information. */
	isOther: boolean;
	text(): string | undefined;
}

const TYPE = /^(?:typ|type|level|severity)$/i;
/** The only type of a message that the contract shows. A person reads messages of other types, such as warnings. */
const INFO = /^(?:info)?$/i;

const isTypeOfError = ({ name, value, group }: Field) =>
	!Array.isArray(group) && TYPE.test(name) && typeof value === 'string' && ERROR.test(value);

/** The messages of an answer, wherever they are: groups of fields with a type or a `nachricht`. */
export function messagesIn(body: unknown): Message[] {
	const types = new Map<object, string>();
	for (const { name, value, group } of fieldsIn(body, {})) {
		if (Array.isArray(group) || typeof value !== 'string') continue;
		if (TYPE.test(name)) types.set(group, value.trim());
		else if (name === 'nachricht' && !types.has(group)) types.set(group, '');
	}
	return [...types].map(([group, type]) => {
		const { nachricht } = group as { nachricht?: unknown };
		return {
			isError: ERROR.test(type),
			isOther: !ERROR.test(type) && !INFO.test(type),
			text: () => (typeof nachricht === 'string' ? nachricht : messageAmong(group)),
		};
	});
}

/** A write, and what its operation judges by itself. */
export interface Written {
	/** What was sent. */
	sent?: unknown;
	/** Whether the record has a status of its own. */
	hasOwnStatus?: true;
	/** Whether the accounting system's reply and its messages are judged. */
	hasReply?: true;
}

/**
 * What says in an answer that the request failed: `success: false`, or a field that reports an error. In the answer to a
 * write also a status, a message or a broken reply of the accounting system, wherever it is outside what was sent. No
 * successful answer of the contract has such fields.
 * @param written of a write; without it, the answer is a list that was read
 */
export function saysFailure(body: unknown, written?: Written): SentenceEnd | undefined {
	const { sent, hasOwnStatus, hasReply } = written ?? {};
	const data = valueOf(body, 'data');
	const records = [body, data, Array.isArray(data) ? (data as unknown[])[0] : undefined];
	const isOwn = (group: object) => hasOwnStatus === true && (group !== body || !isObjectLike(data));
	const isFailure = (field: Field) =>
		reportsError(field) ||
		deniesSuccess(field) ||
		(written !== undefined &&
			(isBrokenReply(field) ||
				(records.includes(field.group) && isStatusOfFailure(field, isOwn(field.group)))));
	// The entries of a list that was read are what was asked for.
	const enters = ({ name, value }: Field) =>
		Array.isArray(value) ? written !== undefined : !(hasReply && isReply(name));
	let message: object | undefined;
	for (const field of fieldsIn(body, { sent, enters })) {
		if (isFailure(field)) return said(field);
		if (written && !hasReply && isTypeOfError(field)) message ??= field.group;
	}
	return message && `has an error message: “${messageAmong(message) ?? ''}”`;
}

function said({ name, value, group }: Field): SentenceEnd {
	const text = messageAmong(group) ?? gatewayMessage(isReply(name) ? value : undefined);
	return `says “${text ?? [name, isObjectLike(value) ? [] : trimmed(value)].flat().join(': ')}”`;
}

/** Whether a part of an answer reports an error in one of its fields. */
export function hasErrorField(part: object): boolean {
	for (const field of fieldsIn(part, {})) if (reportsError(field)) return true;
	return false;
}
