/** The sandbox as tests use it: over HTTP, with the matching node and credential. */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type AxiosInstance } from 'axios';
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import type { FaultInput, Point } from '../../sandbox/admin/faults.mjs';
import type { LoggedRequest } from '../../sandbox/http/requestLog.mjs';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mjs';
import type { Module } from '../../sandbox/seed.mjs';
import { initBinaryData } from '../../host/fileStore.mjs';
import { runNode, type RunOptions, type RunResult } from '../../host/harness.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';
import { connectionOf } from '../../host/workflows.mjs';
import { holdBack } from './holdBack.mjs';

export interface TestGateway {
	sandbox: Sandbox;
	/** Data of the credential `accountingGatewayApi`. */
	credential: { apiKey: string; baseUrl: string; accountingProvider: string };
	/** The demo account's first connection of a module. */
	connectionId(module: Module): string;
	/** Reads a list of the control API: `entries`, `documents`, `requests`. */
	list<T = IDataObject>(name: string): Promise<T[]>;
	/** Requests to the gateway's operations, without those to the control API. */
	requests(): Promise<LoggedRequest[]>;
	/** Adds a fault. */
	fault(fault: FaultInput): Promise<void>;
	/**
	 * Holds requests back until something has happened and everything on its way has arrived, however busy the machine is:
	 * gateway and node are in this process.
	 * @param point where they are held. Default: when they were carried out
	 * @returns how many were sent until then
	 */
	hold(until: () => boolean, which?: (request: LoggedRequest) => boolean, point?: Point): Promise<number>;
	/** Sets variants of the answers, see sandbox/admin/variants.mts. */
	variant(variants: object): Promise<void>;
	/** Runs a node with the demo credential. */
	run(node: INodeType, parameters: INodeParameters, options?: Partial<RunOptions>): Promise<RunResult>;
}

/** The beginning of the error when nothing was sent because of this field. */
export const refused = (field: string): RegExp =>
	new RegExp(`^Nothing was (?:sent|read): \\p{Lu}[^"]* \\(${field}\\) `, 'u');

/** The item indexes from a list of item numbers, e.g. `1–3, 5`. */
export const itemsIn = (list: string): number[] =>
	list.split(', ').flatMap((range) => {
		const [from, to = from] = range.split('–').map(Number);
		return Array.from({ length: to - from + 1 }, (_, i) => from - 1 + i);
	});

/**
 * The sandbox, in this process, ends an idle connection after five seconds. After a test that kept the process busy for longer,
 * a request on such a connection would fail.
 */
const NEW_CONNECTION = new Agent({ keepAlive: false });

/** Starts a sandbox for the tests of a file and resets it before each. */
export function useGateway(options: SandboxOptions = {}): TestGateway {
	const gateway = {} as TestGateway;
	let control: AxiosInstance;
	beforeAll(async () => {
		await initBinaryData();
		const sandbox = await startSandbox(options);
		control = axios.create({ baseURL: `${sandbox.url}/sandbox`, httpAgent: NEW_CONNECTION });
		const credential = { apiKey: sandbox.apiKey, baseUrl: sandbox.url, accountingProvider: 'acct' };
		Object.assign(gateway, {
			sandbox,
			credential,
			connectionId: (module) => connectionOf(sandbox, module),
			list: async (name) => (await control.get(name)).data,
			requests: async () => (await control.get('requests')).data,
			fault: async (fault) => void (await control.post('faults', fault)),
			hold: async (until, which, point) => await hold(sandbox, until, which, point),
			variant: async (variants) => void (await control.post('variants', variants)),
			run: async (node, parameters, options) => await runNode({ node, parameters, credential, ...options }),
		} satisfies TestGateway);
	});
	beforeEach(async () => {
		await control.post('reset');
	});
	afterAll(async () => {
		await gateway.sandbox?.close();
	});
	return gateway;
}

async function hold(
	{ faults, log }: Sandbox,
	until: () => boolean,
	which: (request: LoggedRequest) => boolean = () => true,
	point: Point = 'after-handler',
): Promise<number> {
	const release = holdBack(faults, (_, at, request) => at === point && which(request));
	try {
		await waitFor(until);
		for (let turn = 0; turn < 20; turn++) await sleep(5);
	} finally {
		release();
	}
	return log.entries.length;
}
