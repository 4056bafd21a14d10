import { omit } from 'lodash';

import { unexpectedResponse } from '../errors/unexpectedResponse';
import type { Issue } from '../parameters/inputItem';
import { withSource } from '../gateway/request';
import type { GatewayRequest } from '../gateway/request';
import type { Pending } from './check';
import type { ReadTask } from './task';
import { forEachLimited } from './concurrency';
import type { Reader } from './read';
import type { ItemResult, TaskResult } from './result';

/** The outcome of the items that needed a look-up. */
interface LookedUp {
	tasks: ReadTask[];
	/** The items that break a rule, which only the look-up shows. */
	invalid: Array<[item: number, issues: Issue[]]>;
	/** The results of the items whose look-up failed. */
	failed: ItemResult[];
}

/** Looks up the values that items need before their requests can be made, each value once. */
export async function lookUpAll(pending: readonly Pending[], reader: Reader): Promise<LookedUp> {
	const done: LookedUp = { tasks: [], invalid: [], failed: [] };
	const ask = askOnce(reader);
	const lookUpOne = async (one: Pending) => {
		const { item } = one;
		const outcome = await lookUp(one, ask);
		if ('kind' in outcome) return void done.failed.push({ item: item.index, result: outcome });
		if (item.issues.length === 0) one.check(outcome.found);
		if (item.issues.length > 0) done.invalid.push([item.index, item.issues]);
		else done.tasks.push(...one.complete(outcome.found));
	};
	await forEachLimited([...pending], lookUpOne, { atOnce: () => reader.atOnce });
	return done;
}

type Ask = (request: GatewayRequest) => ReturnType<Reader['ask']>;

/** @returns the values found, if the given ones break no rule; or why the look-up failed */
async function lookUp(
	{ lookups, values, options }: Pending,
	ask: Ask,
): Promise<{ found: Record<string, unknown> } | TaskResult> {
	const found: Record<string, unknown> = {};
	for (const [name, { place, given, spec }] of Object.entries(lookups)) {
		const answer = await ask(withSource(spec.request(values), options.quelle));
		if ('reason' in answer) return { kind: 'skipped', reason: answer.reason };
		if (!answer.ok) return { kind: 'failed', failure: answer.failure };
		const result = spec.find(answer.body);
		if ('problem' in result) return { kind: 'failed', failure: unexpectedResponse(false, result) };
		if ('rule' in result) place.addIssue(result.rule, given);
		else found[name] = result.value;
	}
	return { found };
}

/** Sends the same request only once, however many items need it, even if it fails, and whatever their `quelle`. */
function askOnce(reader: Reader): Ask {
	const { client } = reader.session;
	const answers = new Map<string, ReturnType<Ask>>();
	return async (request) => {
		const { endpoint, path, query } = request;
		const asked = [client.destination(request), endpoint, path, omit(query, ['connectionId', 'quelle'])];
		const key = JSON.stringify(asked);
		const answer = answers.get(key) ?? reader.ask(request);
		answers.set(key, answer);
		return await answer;
	};
}
