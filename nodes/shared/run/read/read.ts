/** Sends the requests of reads, as fast as the gateway accepts them. */
import { omit } from 'lodash';

import { Throttle, withSource } from '../../gateway';
import type { Endpoint, GatewayClient, GatewayRequest, ReadEndpoint, TypedRequest } from '../../gateway';
import { unexpectedResponse } from '../../errors';
import { ANYTHING, furtherPages, recordsOf, unconfirmed } from '../../answer';
import type { Asked, ReadOperation } from '../../operation';
import { LookedUp } from '../../parameters';
import type { Remarks } from '../../parameters';
import { Turn, isObject } from '../../values';
import { checkTogether, issuesOf, requestFor } from '../check';
import type { ItemValues } from '../check';
import { failed } from '../task';
import type { Outcome, Result, Rows, Task, Unsuccessful } from '../task';
import { rowsFrom } from '../report';
import type { RunState } from '../runState';
import { CONNECTION, SOURCE } from '../../thisGateway';

export async function readAll(
	state: RunState,
	client: GatewayClient,
	operation: ReadOperation,
	tasks: readonly Task[],
): Promise<Result[]> {
	const pace = new Throttle(state.atMost('read'));
	const turn = new Turn();
	const send: Send = async (request) => {
		const { stopReason: stop, credits, options } = state;
		if (stop !== undefined) return { kind: 'notSent', reason: stop };
		const answer = await client.send(request, options.timeout, pace);
		if (!answer.ok) return failed(answer.failure);
		credits.update(answer.body);
		return { kind: 'done', value: answer.body };
	};
	const sendOnce = oncePerRequest(client, async ([request]) => await send(request));
	const sendAndVerify: SendAll = async (requests) => {
		const bodies: unknown[] = [];
		for (const request of requests) {
			const answer = await send(request);
			if (answer.kind !== 'done') return answer;
			const sent = operation.sent?.(request as TypedRequest<ReadEndpoint>);
			const failure = unconfirmed(answer.value, request, operation.answer, sent);
			if (failure) return failed(failure);
			bodies.push(answer.value);
		}
		// The last answer has the latest credit balance.
		const body = bodies.at(-1);
		if (bodies.length === 1) return { kind: 'done', value: body };
		// Of a list that is joined, what one answer says of its own pages would tell nothing.
		const more = bodies.some((one) => furtherPages(one) !== undefined);
		return { kind: 'done', value: { ...(isObject(body) && body), data: bodies.flatMap(recordsOf), more } };
	};
	const fetchAnswer = operation.makesOwnRecords ? oncePerRequest(client, sendAndVerify) : sendAndVerify;

	const read = async (task: Task): Promise<Outcome<Rows>> => {
		const found = await findIn(operation, task, sendOnce);
		if (found.kind !== 'done') return found;
		const { value: values } = found;
		const { options } = task;
		const asked = [...(operation.earlier?.(values) ?? []), operation.request(values, options)];
		const requests = asked.map((parts) => requestFor(operation, parts as Asked<Endpoint>, values, options));
		const answer = await fetchAnswer(requests);
		// The items that share an answer come at once; one after another, they leave time for n8n's other work.
		const outcome = await turn.next(async () => {
			if (answer.kind === 'done') await operation.prepare?.(answer.value, values, turn);
			return rowsFrom(operation, { ...task, values }, answer);
		});
		if (outcome.kind === 'done') state.tally.read(requests[0], { ...task, values });
		return outcome;
	};
	return await state.workOn(tasks, read, { atOnce: state.atMost('read') });
}

type Done<T> = { kind: 'done'; value: T };
type Send = (request: GatewayRequest) => Promise<Done<unknown> | Unsuccessful>;
/** Sends one request, or several whose lists are joined to one. */
type SendAll = (requests: readonly GatewayRequest[]) => ReturnType<Send>;

/** Sends equal requests only once, however many items need the answer, and even if they differ in `quelle`. */
function oncePerRequest(client: GatewayClient, ask: SendAll): SendAll {
	const answers = new Map<string, ReturnType<Send>>();
	return async (requests) => {
		const asked = requests.map((request) => {
			const { endpoint, path, query } = request;
			return [client.destination(request), endpoint, path, omit(query, [CONNECTION, SOURCE])];
		});
		const key = JSON.stringify(asked);
		const answer = answers.get(key) ?? ask(requests);
		answers.set(key, answer);
		return await answer;
	};
}

/**
 * Finds the values that only the gateway knows, such as the fiscal year of a day.
 * @returns all values
 */
async function findIn(
	operation: ReadOperation,
	{ items, values, options }: Task,
	ask: SendAll,
): Promise<Done<ItemValues> | Unsuccessful> {
	const found = { ...values };
	let remarks: Remarks | undefined;
	for (const [name, value] of Object.entries(values)) {
		if (!(value instanceof LookedUp)) continue;
		const { place, given, lookup } = value;
		const asked = withSource(lookup.request(found), options.quelle);
		const answer = await ask([asked]);
		if (answer.kind !== 'done') return answer;
		const failure = unconfirmed(answer.value, asked, ANYTHING);
		if (failure) return failed(failure);
		const result = lookup.find(answer.value, found);
		if ('problem' in result) return failed(unexpectedResponse(false, result));
		if ('rule' in result) place.addIssue(result.rule, given);
		else found[name] = result.value;
		({ remarks } = place);
	}
	if (remarks) checkTogether(remarks, operation, { ...found, options });
	return remarks && remarks.issues.length > 0
		? { kind: 'invalid', issues: issuesOf([{ index: items[0], remarks }]) }
		: { kind: 'done', value: found };
}
