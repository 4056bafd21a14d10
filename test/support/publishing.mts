/** Publishes and unpublishes workflows with the banking trigger, and shows the gateway's resulting URLs. */
import { afterEach, beforeEach, expect, vi } from 'vitest';

import type { AccountingGatewayBanking } from '../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js';
import { CLEAR_AFTER_MS } from '../../nodes/AccountingGatewayBanking/webhook/registration.js';
import type { AccountingGatewayBankingTrigger } from '../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { type TriggerOptions, TriggerWorkflow } from './triggerHarness.mjs';
import type { TestGateway } from './useSandbox.mjs';

/** The nodes of a freshly started n8n, which remembers nothing. */
export interface Process {
	Banking: typeof AccountingGatewayBanking;
	Trigger: typeof AccountingGatewayBankingTrigger;
}

export async function startProcess(): Promise<Process> {
	vi.resetModules();
	const banking = await import('../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js');
	const trigger = await import(
		'../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js'
	);
	return {
		Banking: banking.AccountingGatewayBanking,
		Trigger: trigger.AccountingGatewayBankingTrigger,
	};
}

export const realSetTimeout = setTimeout;

/** Waits for the delay after unpublishing, and until clearing the URL has been decided. */
export async function afterClearing(one: TriggerWorkflow, happens: () => Promise<unknown>): Promise<void> {
	const decided = () => one.logs.filter((line) => DECISION.test(line)).length;
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	let expected: number;
	try {
		await happens();
		expected = decided() + Math.min(vi.getTimerCount(), 1);
		await vi.advanceTimersByTimeAsync(CLEAR_AFTER_MS);
	} finally {
		vi.useRealTimers();
	}
	await expect.poll(decided).toBeGreaterThanOrEqual(expected);
}
const DECISION = /was cleared|left alone|not be cleared|was left in place/;

export const unpublish = async (one: TriggerWorkflow): Promise<void> =>
	await afterClearing(one, async () => expect(await one.delete()).toBe(true));

const urlOf = (kind: string) => (id: string) =>
	expect.stringMatching(
		new RegExp(`^https://n8n\\.example\\.com/${kind}/${id}-node/payments\\?token=[\\w-]{43}$`),
	) as string;
export const production = urlOf('webhook');
export const test = urlOf('webhook-test');

export const goneCredential: TriggerOptions['credential'] = {
	get apiKey(): string {
		throw new Error('Credential not found');
	},
};

/** Starts an n8n before each test of a file; after the test, it restores and clears nothing more. */
export function useN8n(gateway: TestGateway) {
	let n8n: Process;
	let timers: NodeJS.Timeout[];
	beforeEach(async () => {
		timers = [];
		vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
			const timer = realSetTimeout(run, ms);
			timers.push(timer);
			return timer;
		}) as typeof setTimeout);
		n8n = await startProcess();
	});
	afterEach(() => {
		vi.restoreAllMocks();
		timers.forEach((timer) => clearTimeout(timer));
	});
	const urls = async () => await gateway.list<{ account: string; url: string }>('webhooks');
	return {
		/** The running n8n's node. */
		banking: () => new n8n.Banking(),
		workflow: (workflowId: string, options: Partial<TriggerOptions> = {}, process = n8n) =>
			new TriggerWorkflow(new process.Trigger(), {
				credential: gateway.credential,
				workflowId,
				workflowName: workflowId.toUpperCase(),
				...options,
			}),
		/** The addresses registered at the gateway. */
		urls,
		/** The demo account's address. */
		url: async () => (await urls()).find(({ account }) => account === 'demo')?.url,
		puts: async () => (await gateway.requests()).filter(({ method }) => method === 'PUT'),
	};
}
