import { STATUS_CODES } from 'node:http';

import escape from 'lodash/escape.js';
import isEmpty from 'lodash/isEmpty.js';
import mapKeys from 'lodash/mapKeys.js';
import { z } from 'zod';
import type { components } from '../../api/gateway.js';
import { balanceOf } from '../accounting/books/reports.mjs';
import type { ErrorDetails } from '../http/apiError.mjs';
import type { OperationId } from '../http/handlers.mjs';

type TrialBalanceAccount = components['schemas']['TrialBalanceAccount'];

/** The error bodies that gateways commonly send. */
export const ERROR_SHAPES = [
	'error.message',
	'error',
	'string',
	'message',
	'errors',
	'detail',
	'fehler',
	'problem+json',
	'html',
] as const;

/** New names for the fields of a list's entries, by their usual names. */
const fieldNames = z
	.object({ id: z.string().min(1), name: z.string().min(1) })
	.partial()
	.strict();

/**
 * Deviating answers, for testing that the nodes cope with a gateway that made other choices or reports failures with
 * a success status. Variants apply after the sandbox has checked its own answer against the contract.
 */
export const variantsSchema = z
	.object({
		/** `bare`: an array under `data` becomes the whole answer, without `data` and `svc`. */
		lists: z.enum(['wrapped', 'bare']),
		/** `wrapped`: the record in a write's answer is under `data`, as in reads. */
		writes: z.enum(['bare', 'wrapped']),
		/** Adds an unknown field to every object of a successful answer. */
		extraFields: z.boolean(),
		/** Meaning of `periodenwerte` in a trial balance: the movement of each period, or the balance at its end. */
		periodValues: z.enum(['movements', 'balances']),
		/**
		 * Renames the fields of list entries that the contract leaves open. (It specifies those of cash books and document
		 * types.)
		 */
		listFields: z
			.object({
				listDuoConnections: fieldNames,
				listReweConnections: fieldNames,
				listReweReadConnections: fieldNames,
				listTicketProducts: fieldNames,
			})
			.partial()
			.strict(),
		/** Shape of error bodies. */
		errors: z.enum(ERROR_SHAPES),
		/** Status of the answer to a missing or invalid API key. */
		invalidKey: z.union([z.literal(401), z.literal(403)]),
		/** Status of every successful answer. */
		success: z.union([z.literal(200), z.literal(201), z.literal(202)]),
		/** Name of the field `svc`. */
		svcKey: z.string().min(1),
		/** The answer to setting the webhook URL instead of `{}`: the text OK, nothing, or nothing with status 204. */
		webhookUrlAnswer: z.enum(['text', 'empty', 'no-content']),
		/**
		 * The result of the accounting system's task (`acctAntwort`) for every cash-book entry: the task's status, and each
		 * message's type and text.
		 */
		task: z
			.object({
				status: z.string().default('ERFOLGREICH'),
				typ: z.string().default('INFO'),
				nachricht: z.string().default('Der Beleg wurde geprüft.'),
			})
			.strict(),
		/** Reading a payment returns its state this many milliseconds ago, while its events are delivered at once. */
		paymentLagMs: z.number().int().min(0).max(600_000),
	})
	.partial()
	.strict();
export type Variants = z.output<typeof variantsSchema>;
export type VariantsInput = z.input<typeof variantsSchema>;

/** An answer before serialization. */
export interface ShapedAnswer {
	status: number;
	/** The content type. The body of a text type is a string. */
	type: string;
	body: unknown;
}

/** A successful answer with the variants applied. */
export function shapeSuccess(
	variants: Variants,
	operationId: OperationId,
	status: number,
	body: unknown,
): ShapedAnswer {
	const json = { status: variants.success ?? status, type: 'application/json' };
	if (operationId === 'setWebhookUrl' && variants.webhookUrlAnswer) {
		const text = { ...json, type: 'text/plain; charset=utf-8' };
		if (variants.webhookUrlAnswer === 'no-content') return { ...text, status: 204, body: '' };
		return { ...text, body: variants.webhookUrlAnswer === 'text' ? 'OK' : '' };
	}
	let shaped = body;
	if (variants.task && isObject(shaped) && 'acctAntwort' in shaped) {
		shaped = { ...shaped, acctAntwort: taskResult(variants.task, shaped.acctAntwort) };
	}
	if (variants.periodValues === 'balances' && operationId === 'listTrialBalance') {
		const { data } = shaped as { data: TrialBalanceAccount[] };
		shaped = { ...(shaped as object), data: data.map(withBalances) };
	}
	const names = (variants.listFields as Partial<Record<OperationId, Record<string, string>>>)?.[operationId];
	if (names && isObject(shaped)) {
		const entries = shaped.data as object[];
		shaped = { ...shaped, data: entries.map((entry) => mapKeys(entry, (_, key) => names[key] ?? key)) };
	}
	// What is read is below `data` already; the webhook's address is answered with nothing.
	if (variants.writes === 'wrapped' && isObject(shaped) && !('data' in shaped) && !isEmpty(shaped)) {
		const { svc, ...data } = shaped;
		shaped = { data, svc };
	}
	if (variants.svcKey && isObject(shaped) && 'svc' in shaped) {
		const { svc, ...rest } = shaped;
		shaped = { ...rest, [variants.svcKey]: svc };
	}
	if (variants.lists === 'bare' && isObject(shaped) && Array.isArray(shaped.data)) shaped = shaped.data;
	if (variants.extraFields) shaped = withExtraFields(shaped);
	return { ...json, body: shaped };
}

/**
 * A task's result with the variant applied.
 * @param usual the sandbox's own result; null if there was no file to import
 */
function taskResult({ status, typ, nachricht }: NonNullable<Variants['task']>, usual: unknown) {
	const about = isObject(usual)
		? (usual.meldungen as object[])
		: [{ dateiname: '', zeitstempel: new Date().toISOString() }];
	return { status, meldungen: about.map((message) => ({ ...message, nachricht, typ })) };
}

/** The account with each period's closing balance instead of its movement. */
function withBalances(account: TrialBalanceAccount): TrialBalanceAccount {
	let cents = centsOf(account.ebWert);
	const periodenwerte = account.periodenwerte.map(({ periode, saldo }) => {
		cents += centsOf(saldo);
		return { periode, saldo: balanceOf(cents) };
	});
	return { ...account, periodenwerte };
}

const centsOf = ({ betrag, sollHabenKennzeichen }: TrialBalanceAccount['saldo']) =>
	(sollHabenKennzeichen === 'HABEN' ? -1 : 1) * Math.round(betrag * 100);

/** An error with the variants applied. The sandbox's own shape is `{ error: { message, field?, code? } }`. */
export function shapeError(variants: Variants, status: number, error: ErrorDetails): ShapedAnswer {
	const { message, field, code } = error;
	const json = (body: unknown, type = 'application/json') => ({ status, type, body });
	switch (variants.errors) {
		case 'error':
			return json({ error: message });
		case 'string':
			return json(message);
		case 'message':
			return json({ message, field });
		case 'errors':
			return json({ errors: [{ message, field, code }] });
		case 'detail':
			return json({ detail: message });
		case 'fehler':
			return json({ fehler: message, feld: field });
		case 'problem+json':
			return json(
				{ type: 'about:blank', title: STATUS_CODES[status], status, detail: message },
				'application/problem+json',
			);
		case 'html':
			return {
				status,
				type: 'text/html; charset=utf-8',
				body: `<!DOCTYPE html><html><body><h1>${escape(message)}</h1></body></html>`,
			};
		default:
			return json({ error: { message, field, code } });
	}
}

/** An answer's body as it is sent. */
export const textOf = ({ type, body }: ShapedAnswer): string =>
	type.startsWith('text/') ? String(body) : JSON.stringify(body);

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function withExtraFields(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withExtraFields);
	if (!isObject(value)) return value;
	const members = Object.entries(value).map(([key, member]) => [key, withExtraFields(member)] as const);
	return { ...Object.fromEntries(members), zusatzfeld: 'unknown to the contract' };
}
