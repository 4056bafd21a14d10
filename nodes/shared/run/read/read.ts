/** Sends the requests of reads, as fast as the gateway accepts them. */
import { omit, omitBy } from 'lodash';

import { Throttle, unexpectedResponse, withSource } from '../../gateway';
import type { Endpoint, GatewayClient, GatewayRequest, ReadEndpoint, TypedRequest } from '../../gateway';
import { ANYTHING, besidesIn, listIn, openListOf, recordsOf, unconfirmed } from '../../answer';
import type { Beside } from '../../answer';
import type { Ask, Asked, ReadOperation } from '../../operation';
import { LookedUp } from '../../parameters';
import type { Remarks } from '../../parameters';
import { Turn, both, isMissing, isObject } from '../../values';
import { checkTogether } from '../check/items';
import { issuesOf, requestFor } from '../check/check';
import type { ItemValues } from '../check/items';
import { failed } from '../task';
import type { Outcome, Result, Rows, Task, Unsuccessful } from '../task';
import { rowsFrom } from '../report/rows';
import type { RunState } from '../runState';
import { CONNECTION, SOURCE } from '../../thisGateway';

/** A list of values to choose from, or one record. */
const LOOKED_UP = openListOf(both('values', 'der Werte'));

export async function readAll(
	state: RunState,
	client: GatewayClient,
	operation: ReadOperation,
	tasks: readonly Task[],
): Promise<Result[]> {
	const reader = new Reader(state, client, operation);
	const read = async (task: Task) =>
		await reader.read(task).catch((error: unknown) => {
			if (error instanceof NoAnswer) return error.outcome;
			throw error;
		});
	return await state.workOn(tasks, read, { atOnce: state.atMost('read') });
}

/** What an item goes through: what does it need besides its own answer? What does the gateway answer? Which rows does that make? */
class Reader {
	private readonly pace: Throttle;
	private readonly turn = new Turn();
	/** Both send equal requests once, if at all. */
	private readonly lookUp: SendAll;
	private readonly fetch: SendAll;

	constructor(
		private readonly state: RunState,
		private readonly client: GatewayClient,
		private readonly operation: ReadOperation,
	) {
		this.pace = new Throttle(state.atMost('read'));
		this.lookUp = oncePerRequest(client, async ([request]) => await this.send(request));
		const fetch: SendAll = async (requests) => await this.sendAndVerify(requests);
		this.fetch = operation.makesOwnRecords ? oncePerRequest(client, fetch) : fetch;
	}

	async read(task: Task): Promise<Outcome<Rows>> {
		const { operation, state } = this;
		const { options } = task;
		const lookedUp: Beside[] = [];
		const ask: Ask = async (parts, find) => {
			const request = withSource(parts, options.quelle);
			return await this.ask(request, (body) => {
				if (listIn(body)) lookedUp.push(...besidesIn(body, LOOKED_UP, false));
				return find(body);
			});
		};
		const values = await lookUpAll(operation, task, ask);
		const asked = [operation.request(values, options)].flat();
		const requests = asked.map((parts) => requestFor(operation, parts as Asked<Endpoint>, values, options));
		const answer = await this.fetch(requests);
		if (answer.kind === 'done') await operation.prepare?.(answer.value, values);
		// The items that share an answer come at once; one after another, they leave time for n8n's other work.
		const outcome = await this.turn.next(
			async () => await rowsFrom(operation, { ...task, values }, answer, this.turn),
		);
		if (outcome.kind !== 'done') return outcome;
		state.tally.read(requests[0], { ...task, values });
		const { value: rows } = outcome;
		return { kind: 'done', value: { ...rows, besides: [...lookedUp, ...(rows.besides ?? [])] } };
	}

	private ask: Ask = async (request, find) => {
		const answer = await this.lookUp([request]);
		if (answer.kind !== 'done') throw new NoAnswer(answer);
		const failure = unconfirmed(answer.value, request, ANYTHING);
		if (failure) throw new NoAnswer(failed(failure));
		const found = find(answer.value);
		if ('problem' in found) throw new NoAnswer(failed(unexpectedResponse(false, found)));
		return found.value;
	};

	/** Sends one request, or several whose lists are joined to one. */
	private async sendAndVerify(requests: readonly GatewayRequest[]): ReturnType<Send> {
		const bodies: unknown[] = [];
		for (const request of requests) {
			const answer = await this.send(request);
			if (answer.kind !== 'done') return answer;
			const { expects, mustAgree } = this.operation;
			const asked = mustAgree?.(request as TypedRequest<ReadEndpoint>);
			const failure = unconfirmed(answer.value, request, expects, asked);
			if (failure) return failed(failure);
			bodies.push(answer.value);
		}
		if (bodies.length === 1) return { kind: 'done', value: bodies[0] };
		// What one of them says beside its list stays; the last one has the latest credit balance.
		const beside = bodies.map((body) => omitBy(isObject(body) ? body : {}, isMissing));
		return {
			kind: 'done',
			value: Object.assign({}, ...beside, { data: bodies.flatMap(recordsOf) }) as object,
		};
	}

	private async send(request: GatewayRequest): ReturnType<Send> {
		const { stopReason: stop, credits, options } = this.state;
		if (stop !== undefined) return { kind: 'notSent', reason: stop };
		const answer = await this.client.send(request, options.timeout, this.pace);
		if (!answer.ok) return failed(answer.failure);
		credits.update(answer.body);
		return { kind: 'done', value: answer.body };
	}
}

type Done<T> = { kind: 'done'; value: T };
type Send = (request: GatewayRequest) => Promise<Done<unknown> | Unsuccessful>;
type SendAll = (requests: readonly GatewayRequest[]) => ReturnType<Send>;

/** What an item becomes if a value that it needs can't be looked up. */
class NoAnswer extends Error {
	constructor(readonly outcome: Unsuccessful) {
		super(outcome.kind);
	}
}

/** Sends equal requests only once, however many items need the answer, and even if they differ in `quelle`. */
function oncePerRequest(client: GatewayClient, send: SendAll): SendAll {
	const answers = new Map<string, ReturnType<Send>>();
	return async (requests) => {
		const asked = requests.map((request) => {
			const { endpoint, path, query } = request;
			return [client.destination(request), endpoint, path, omit(query, [CONNECTION, SOURCE])];
		});
		const key = JSON.stringify(asked);
		const answer = answers.get(key) ?? send(requests);
		answers.set(key, answer);
		return await answer;
	};
}

/**
 * Looks up the values that only the gateway knows, such as the fiscal year of a day.
 * @returns all values
 */
async function lookUpAll(
	operation: ReadOperation,
	{ items: [index], values, options }: Task,
	ask: Ask,
): Promise<ItemValues> {
	const all = { ...values };
	let remarks: Remarks | undefined;
	for (const [name, value] of Object.entries(values)) {
		if (!(value instanceof LookedUp)) continue;
		const { place, given, lookup } = value;
		const found = await ask(lookup.request(all), (body) => {
			const result = lookup.find(body, all);
			return 'problem' in result ? result : { value: result };
		});
		if ('rule' in found) place.addIssue(found.rule, given);
		else all[name] = found.value;
		({ remarks } = place);
	}
	if (remarks) {
		checkTogether(remarks, operation, { ...all, options });
		const issues = issuesOf([{ index, remarks }]);
		if (issues.length > 0) throw new NoAnswer({ kind: 'invalid', issues });
	}
	return { ...all, ...(await operation.lookUp?.(ask, all)) };
}
