import { omit, sortBy } from 'lodash';

import type { Failure } from '../errors/failure';
import { unexpectedResponse } from '../errors/unexpectedResponse';
import { DEFAULT_CONCURRENCY } from '../parameters/options';
import type { GatewayClient } from '../transport/client';
import type { GatewayRequest, SendResult } from '../transport/request';
import type { Checked, Pending } from './check';
import { limitConcurrency } from './concurrency';
import { creditsIn } from './credits';
import type { Credits } from './credits';
import type { ItemResult, TaskResult } from './result';

type Answer = { body: unknown } | { failure: Failure } | { reason: string };

/**
 * Looks up the values that items need before their requests can be made, each once, and completes their checks: this
 * adds them to the tasks of `checked`, or to the items that break a rule.
 * @returns the results of the items whose look-up failed
 */
export async function lookUpAll(
	checked: Checked,
	client: GatewayClient,
	credits: Credits,
): Promise<ItemResult[]> {
	const results: ItemResult[] = [];
	const ask = askOnce(client, credits);
	const runLimited = limitConcurrency(credits.hasMinimum ? 1 : DEFAULT_CONCURRENCY);
	await Promise.all(
		checked.pending.map((pending) =>
			runLimited(async () => {
				const { item } = pending;
				const outcome = await lookUp(pending, ask);
				if ('kind' in outcome) results.push({ item: item.index, result: outcome });
				else if (item.issues.length > 0) checked.invalid.set(item.index, item.issues);
				else checked.tasks.push(...pending.complete(outcome.found));
			}),
		),
	);
	checked.tasks = sortBy(checked.tasks, 'item');
	return results;
}

/** @returns the values found, if the given ones break no rule; or why the look-up failed */
async function lookUp(
	{ lookups, values, options }: Pending,
	ask: (request: GatewayRequest, timeout?: number) => Promise<Answer>,
): Promise<{ found: Record<string, unknown> } | TaskResult> {
	const found: Record<string, unknown> = {};
	for (const [name, { place, given, spec }] of Object.entries(lookups)) {
		const answer = await ask(spec.request(values, options.quelle), options.timeout);
		if ('reason' in answer) return { kind: 'skipped', reason: answer.reason };
		if ('failure' in answer) return { kind: 'failed', failure: answer.failure };
		const result = spec.find(answer.body);
		if ('problem' in result) return { kind: 'failed', failure: unexpectedResponse(false, result) };
		if ('rule' in result) place.addIssue(result.rule, given);
		else found[name] = result.value;
	}
	return { found };
}

/** Sends the same request only once, however many items need it, also if it fails. */
function askOnce(client: GatewayClient, credits: Credits) {
	const answers = new Map<string, Promise<Answer>>();
	return async (request: GatewayRequest, timeout?: number): Promise<Answer> => {
		const { endpoint, path, query } = request;
		const asked = [client.destination(request), endpoint, path, omit(query, ['connectionId', 'quelle'])];
		const key = JSON.stringify(asked);
		const answer = answers.get(key) ?? send(request, timeout);
		answers.set(key, answer);
		return await answer;
	};

	async function send(request: GatewayRequest, timeout?: number): Promise<Answer> {
		if (credits.exhausted) return { reason: credits.exhaustion };
		const result: SendResult = await client.send(request, timeout);
		if (!result.ok) return { failure: result.failure };
		credits.note(creditsIn(result.body));
		return { body: result.body };
	}
}
