import { omit, sortBy } from 'lodash';

import { unexpectedResponse } from '../errors/unexpectedResponse';
import type { GatewayClient } from '../transport/client';
import type { GatewayRequest } from '../transport/request';
import type { Checked, Pending } from './check';
import { forEachLimited } from './concurrency';
import type { Credits } from './credits';
import type { ItemResult, TaskResult } from './result';
import type { Exchange, Sender } from './sender';

type Answer = Exchange | { reason: string };

/**
 * Looks up the values that items need before their requests can be made, each once, and completes their checks: this
 * adds them to the tasks of `checked`, or to the items that break a rule.
 * @returns the results of the items whose look-up failed
 */
export async function lookUpAll(
	checked: Checked,
	client: GatewayClient,
	sender: Sender,
	credits: Credits,
): Promise<ItemResult[]> {
	const results: ItemResult[] = [];
	const ask = askOnce(client, sender, credits);
	await forEachLimited(
		checked.pending,
		async (pending) => {
			const { item } = pending;
			const outcome = await lookUp(pending, ask);
			if ('kind' in outcome) results.push({ item: item.index, result: outcome });
			else if (item.issues.length > 0) checked.invalid.set(item.index, item.issues);
			else checked.tasks.push(...pending.complete(outcome.found));
		},
		{ atOnce: () => sender.atOnce },
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
function askOnce(client: GatewayClient, sender: Sender, credits: Credits) {
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
		return await sender.post(request, timeout);
	}
}
