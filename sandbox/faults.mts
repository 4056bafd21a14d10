import { validateHeaderName, validateHeaderValue } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { COSTS } from './costs.mjs';
import type { OperationId } from './handlers.mjs';
import type { LoggedRequest } from './log.mjs';

/**
 * The points of a call at which a fault can strike: before the body is read; before the request is checked and
 * handled, so nothing is recorded; after the booking has been recorded, with its answer ready.
 */
const POINTS = ['before-body', 'before-handler', 'after-handler'] as const;
export type Point = (typeof POINTS)[number];

const common = z.object({
	/** The operation that it is for; all, when left out. */
	operationId: z.enum(Object.keys(COSTS) as [OperationId]).optional(),
	point: z.enum(POINTS).default('before-handler'),
	/** How many calls it strikes; null: until it is deleted. */
	times: z.number().int().positive().nullable().default(1),
	/** How many calls that reach its point it lets pass first. */
	after: z.number().int().nonnegative().default(0),
});
const kind = <Kind extends string, Shape extends z.ZodRawShape>(name: Kind, shape: Shape) =>
	common.extend({ kind: z.literal(name), ...shape }).strict();
/** Kinds that damage a good answer exist only after the handler. */
const damaged = { point: z.literal('after-handler').default('after-handler') };
/** Anything else would fail only when it is sent. */
const headers = z.record(z.string()).refine(areHeaders, 'These are no HTTP headers.').default({});

/** A fault as the control API takes it. */
export const faultSchema = z.discriminatedUnion('kind', [
	/** Waits, then goes on. */
	kind('latency', { ms: z.number().nonnegative() }),
	/** Answers with a status of its own; `body` is sent as JSON, a text as it is. */
	kind('status', { status: z.number().int().min(200).max(599), headers, body: z.unknown() }),
	/** Resets the connection. */
	kind('drop', {}),
	/** Never answers. */
	kind('hang', {}),
	/** An HTML page in place of the answer, as proxies send it. */
	kind('html', { status: z.number().int().min(200).max(599).default(502) }),
	kind('redirect', {
		location: z.string().refine((location) => areHeaders({ location }), 'This is no header.'),
		status: z.number().int().min(300).max(399).default(307),
	}),
	/** Sends half of the answer, then resets the connection. */
	kind('cut', damaged),
	/** A success whose JSON lacks its end. */
	kind('broken-json', damaged),
]);
export type Fault = z.output<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;

/** A fault under way. */
interface ActiveFault {
	id: number;
	fault: Fault;
	/** Calls that reached its point. */
	seen: number;
	/** Calls that it struck. */
	struck: number;
}

/** The good answer that a fault after the handler replaces or damages. */
export interface ReadyAnswer {
	status: number;
	body: unknown;
}

const BODY = { error: { message: 'A fault that was asked for through the control API.' } };
const HTML =
	'<!DOCTYPE html><html><head><title>Gateway</title></head><body><h1>Bad gateway</h1></body></html>';

/** The faults that were asked for, each with its count. */
export class Faults {
	#active: ActiveFault[] = [];
	#nextId = 1;

	add(input: FaultInput): ActiveFault {
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
	 * Lets the faults that are due at this point strike, latency first.
	 * @returns true when one of them has ended the call: nothing more may be sent
	 */
	async strike(
		operationId: OperationId,
		point: Point,
		reply: FastifyReply,
		entry: LoggedRequest,
		ready?: ReadyAnswer,
	): Promise<boolean> {
		const due = this.#take(operationId, point);
		entry.faults.push(...due.map(({ kind }) => `${kind} ${point}`));
		for (const fault of due) if (fault.kind === 'latency') await sleep(fault.ms);
		const ending = due.find(({ kind }) => kind !== 'latency');
		if (!ending) return false;
		end(ending, reply, ready);
		return true;
	}

	/** The faults due at this point, counted as having struck; at most one of them is not a latency. */
	#take(operationId: OperationId, point: Point): Fault[] {
		const due: Fault[] = [];
		for (const active of this.#active) {
			const { fault } = active;
			if (fault.point !== point || (fault.operationId ?? operationId) !== operationId) continue;
			active.seen++;
			const exhausted = fault.times !== null && active.struck >= fault.times;
			if (active.seen <= fault.after || exhausted) continue;
			if (fault.kind !== 'latency' && due.some(({ kind }) => kind !== 'latency')) continue;
			active.struck++;
			due.push(fault);
		}
		return due;
	}
}

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

/** Ends a call as the fault wants it. */
function end(fault: Fault, reply: FastifyReply, ready?: ReadyAnswer): void {
	switch (fault.kind) {
		case 'status':
			// A text is sent as it is, under the content type of `headers`.
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
			void reply.code(ready!.status).type('application/json').send(JSON.stringify(ready!.body).slice(0, -1));
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
			const answer = Buffer.from(JSON.stringify(ready!.body));
			reply.raw.writeHead(ready!.status, {
				'content-type': 'application/json',
				'content-length': answer.length,
			});
			// A reset at once could overtake the half that is meant to arrive; the end of the stream can't.
			reply.raw.write(answer.subarray(0, answer.length / 2), () => reply.raw.socket?.destroySoon());
			return;
		}
	}
}
