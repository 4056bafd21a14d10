import { randomUUID } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import set from 'lodash/set.js';
import unset from 'lodash/unset.js';
import { z } from 'zod';
import { ApiError } from '../http/apiError.mjs';
import { COSTS } from '../http/costs.mjs';
import type { OperationId } from '../http/handlers.mjs';
import type { LoggedRequest } from '../http/requestLog.mjs';

/**
 * When a fault can strike: before the body is read; before the request is checked and handled, with nothing recorded;
 * or after it is recorded, with its answer ready.
 */
const POINTS = ['before-body', 'before-handler', 'after-handler'] as const;
export type Point = (typeof POINTS)[number];

const common = z.object({
	/** The operation that the fault applies to. Default: all. */
	operationId: z.enum(Object.keys(COSTS) as [OperationId]).optional(),
	/** Which calls the fault applies to. A trigger that polls would use up a fault that is meant for the next write. */
	calls: z.enum(['all', 'reads', 'writes']).default('all'),
	point: z.enum(POINTS).default('before-handler'),
	/** How many calls the fault strikes; null: all, until it is deleted. */
	times: z.number().int().positive().nullable().default(1),
	/** How many calls are spared first. */
	after: z.number().int().nonnegative().default(0),
	/** Limits the fault to calls with this text in their path, query or body (as shortened in the log). */
	contains: z.string().min(1).optional(),
});
const kind = <Kind extends string, Shape extends z.ZodRawShape>(name: Kind, shape: Shape) =>
	common.extend({ kind: z.literal(name), ...shape }).strict();
/** Faults that change a successful answer can strike only after the handler. */
const afterHandler = { point: z.literal('after-handler').default('after-handler') };
/** A path in an answer, e.g. `svc.neuesGuthaben` or `data.0.id`. */
const path = z.string().min(1);
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** Headers are checked here, because Node.js would refuse them only when sending. */
const headers = z.record(z.string()).refine(areHeaders, "These aren't HTTP headers.").default({});

/** A fault as the control API accepts it. */
export const faultSchema = z.discriminatedUnion('kind', [
	/** Delays the call, then continues. */
	kind('latency', { ms: z.number().nonnegative() }),
	/** Answers with this status. `body` is sent as JSON, a string as is. */
	kind('status', { status: z.number().int().min(200).max(599), headers, body: z.unknown() }),
	/** Resets the connection. */
	kind('drop', {}),
	/** Never answers. */
	kind('hang', {}),
	/** An HTML page in place of the answer, as proxies send it. */
	kind('html', { status: z.number().int().min(200).max(599).default(502) }),
	kind('redirect', {
		location: z.string().refine((location) => areHeaders({ location }), "This isn't a valid header value."),
		status: z.number().int().min(300).max(399).default(307),
	}),
	/** Sends half of the answer, then breaks the connection. */
	kind('cut', afterHandler),
	/** A success with truncated JSON. */
	kind('broken-json', afterHandler),
	/** Sends the answer slowly: a few bytes, a pause, and so on. */
	kind('drip', {
		...afterHandler,
		intervalMs: z.number().int().min(1).max(600_000),
		bytes: z.number().int().positive().default(1),
	}),
	/** Changes the answer, then continues. */
	kind('alter', {
		...afterHandler,
		set: z.record(path, z.unknown()).default({}),
		/** Numbers as JSON text, including those that JavaScript can't represent, e.g. `1e999`. */
		numbers: z.record(path, z.string().regex(NUMBER, "This isn't a JSON number.")).default({}),
		remove: z.array(path).default([]),
	}),
]);
export type Fault = z.output<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;

/** The maximum number of faults, including exhausted ones. */
const MAX_FAULTS = 1000;

interface ActiveFault {
	id: number;
	fault: Fault;
	/** Number of matching calls so far. */
	seen: number;
	/** Number of calls struck so far. */
	struck: number;
}

/** The answer that is about to be sent. A fault after the handler may change its text. */
export interface ReadyAnswer {
	status: number;
	type: string;
	text: string;
}

const BODY = { error: { message: 'A fault requested through the control API.' } };
const HTML =
	'<!DOCTYPE html><html><head><title>Gateway</title></head><body><h1>Bad gateway</h1></body></html>';

/** The requested faults, each with its counts. */
export class Faults {
	#active: ActiveFault[] = [];
	#nextId = 1;

	add(input: FaultInput): ActiveFault {
		if (this.#active.length >= MAX_FAULTS) {
			throw new ApiError(409, `There are already ${MAX_FAULTS} faults; delete them first.`);
		}
		const active = { id: this.#nextId++, fault: faultSchema.parse(input), seen: 0, struck: 0 };
		this.#active.push(active);
		return active;
	}

	get list(): readonly ActiveFault[] {
		return this.#active;
	}

	clear(): void {
		this.#active = [];
	}

	/**
	 * Applies the faults due at this point: latencies, then changes to the answer, then the one that ends the call, if
	 * any.
	 * @returns whether the call has ended; if so, nothing more may be sent
	 */
	async strike(
		operationId: OperationId,
		point: Point,
		reply: FastifyReply,
		entry: LoggedRequest,
		ready?: ReadyAnswer,
	): Promise<boolean> {
		const due = this.#take(operationId, point, entry);
		entry.faults.push(...due.map(({ kind }) => `${kind} ${point}`));
		for (const fault of due) if (fault.kind === 'latency') await sleep(fault.ms);
		for (const fault of due) if (fault.kind === 'alter') ready!.text = alter(ready!.text, fault);
		const ending = due.find(endsCall);
		if (!ending) return false;
		end(ending, reply, ready);
		return true;
	}

	/** The faults due at this point, counted as struck. At most one of them ends the call. */
	#take(operationId: OperationId, point: Point, { method, path, query, body }: LoggedRequest): Fault[] {
		const due: Fault[] = [];
		const calls = ['all', method === 'GET' ? 'reads' : 'writes'];
		const text = JSON.stringify([path, query, body]);
		for (const active of this.#active) {
			const { fault } = active;
			if (fault.point !== point || (fault.operationId ?? operationId) !== operationId) continue;
			if (!calls.includes(fault.calls)) continue;
			if (fault.contains !== undefined && !text.includes(fault.contains)) continue;
			active.seen++;
			const exhausted = fault.times !== null && active.struck >= fault.times;
			if (active.seen <= fault.after || exhausted) continue;
			if (endsCall(fault) && due.some(endsCall)) continue;
			active.struck++;
			due.push(fault);
		}
		return due;
	}
}

type EndingFault = Exclude<Fault, { kind: 'latency' | 'alter' }>;
const endsCall = (fault: Fault): fault is EndingFault => fault.kind !== 'latency' && fault.kind !== 'alter';

/** Whether these can be sent as headers. */
function areHeaders(values: Record<string, string>): boolean {
	try {
		for (const [name, value] of Object.entries(values)) {
			validateHeaderName(name);
			validateHeaderValue(name, value);
		}
		return true;
	} catch {
		return false;
	}
}

/** Changes an answer. Non-JSON stays unchanged. */
function alter(text: string, fault: Extract<Fault, { kind: 'alter' }>): string {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		return text;
	}
	if (typeof body !== 'object' || body === null) return text;
	for (const [place, value] of Object.entries(fault.set)) set(body, place, value);
	for (const place of fault.remove) unset(body, place);
	// JavaScript can't represent every number, so placeholders are replaced after the answer has been serialized.
	const mark = `number ${randomUUID()} `;
	for (const [place, number] of Object.entries(fault.numbers)) set(body, place, mark + number);
	return JSON.stringify(body).replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

/** Ends a call in the way that the fault describes. */
function end(fault: EndingFault, reply: FastifyReply, ready?: ReadyAnswer): void {
	switch (fault.kind) {
		case 'status':
			// A string is sent as is, with the content type from `headers`.
			reply.code(fault.status).type('application/json').headers(fault.headers);
			void reply.send(typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? BODY));
			return;
		case 'html':
			void reply.code(fault.status).type('text/html; charset=utf-8').send(HTML);
			return;
		case 'redirect':
			void reply.code(fault.status).header('location', fault.location).send();
			return;
		case 'broken-json':
			void reply.code(ready!.status).type(ready!.type).send(ready!.text.slice(0, -1));
			return;
		case 'drop':
			reply.hijack();
			reply.raw.socket?.resetAndDestroy();
			return;
		case 'hang':
			reply.hijack();
			return;
		case 'cut': {
			reply.hijack();
			const answer = writeHead(reply, ready!);
			// A reset could overtake the half that must arrive; ending the stream can't.
			reply.raw.write(answer.subarray(0, answer.length / 2), () => reply.raw.socket?.destroySoon());
			return;
		}
		case 'drip':
			reply.hijack();
			void drip(reply, writeHead(reply, ready!), fault);
			return;
	}
}

/** Sends the answer's head without Fastify, and returns the body's bytes. */
function writeHead({ raw }: FastifyReply, { status, type, text }: ReadyAnswer): Buffer {
	const answer = Buffer.from(text);
	raw.writeHead(status, { 'content-type': type, 'content-length': answer.length });
	return answer;
}

/** Sends bytes slowly, until they are sent or the connection closes. */
async function drip(
	{ raw }: FastifyReply,
	answer: Buffer,
	{ intervalMs, bytes }: { intervalMs: number; bytes: number },
): Promise<void> {
	const closed = new AbortController();
	raw.once('close', () => closed.abort());
	raw.flushHeaders();
	for (let sent = 0; sent < answer.length && !closed.signal.aborted; sent += bytes) {
		raw.write(answer.subarray(sent, sent + bytes));
		await sleep(intervalMs, undefined, { signal: closed.signal }).catch(() => undefined);
	}
	raw.end();
}
