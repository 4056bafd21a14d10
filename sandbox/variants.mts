import escape from 'lodash/escape.js';
import { z } from 'zod';

/** The error bodies that gateways commonly send. */
const ERROR_SHAPES = [
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

/**
 * Answers other than the sandbox's own, where the specification leaves the shape open. They prove that the nodes
 * tolerate a gateway that made other choices.
 */
export const variantsSchema = z
	.object({
		/** `bare`: `data` that is an array is sent as the answer itself, without `data` and `svc`. */
		lists: z.enum(['wrapped', 'bare']),
		/** Adds an unknown field to every object of a successful answer. */
		extraFields: z.boolean(),
		/** The shape of error bodies. */
		errors: z.enum(ERROR_SHAPES),
		/** The status of every success. */
		success: z.union([z.literal(200), z.literal(201), z.literal(202)]),
		/** The key that stands for `svc`. */
		svcKey: z.string().min(1),
	})
	.partial()
	.strict();
export type Variants = z.output<typeof variantsSchema>;

/** An error before it has a shape. */
export interface GatewayError {
	message: string;
	field?: string;
	code?: string;
}

/** A body ready to be sent. */
interface Shaped {
	status: number;
	type: string;
	body: unknown;
}

/** A successful answer as the variants want it. */
export function shapeSuccess(variants: Variants, status: number, body: unknown): Shaped {
	let shaped = body;
	if (variants.svcKey && isObject(shaped) && 'svc' in shaped) {
		const { svc, ...rest } = shaped;
		shaped = { ...rest, [variants.svcKey]: svc };
	}
	if (variants.lists === 'bare' && isObject(shaped) && Array.isArray(shaped.data)) shaped = shaped.data;
	if (variants.extraFields) shaped = withExtraFields(shaped);
	return { status: variants.success ?? status, type: 'application/json', body: shaped };
}

/** An error as the variants want it; the sandbox's own shape is `{ error: { message, field?, code? } }`. */
export function shapeError(variants: Variants, status: number, error: GatewayError): Shaped {
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
				{ type: 'about:blank', title: 'Request refused', status, detail: message },
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

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function withExtraFields(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withExtraFields);
	if (!isObject(value)) return value;
	const members = Object.entries(value).map(([key, member]) => [key, withExtraFields(member)] as const);
	return { ...Object.fromEntries(members), zusatzfeld: 'unknown to the contract' };
}
