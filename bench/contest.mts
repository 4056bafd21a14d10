/** Gives the same job to several contenders: our node, n8n's HTTP Request node, and a bare client outside of n8n. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buffer } from 'node:stream/consumers';
import { execa } from 'execa';
import sum from 'lodash/sum.js';
import type { INode, INodeParameters } from 'n8n-workflow';
import pWaitFor from 'p-wait-for';

import { hostNode } from '../host/n8n.mjs';
import { PACKAGE } from '../host/package.mjs';
import { PATIENCE_MS } from '../test/support/timing.mjs';
import { nodeOf } from '../test/support/workflows.mjs';
import type { BareJob } from './bareClient.mjs';
import type { Rounds } from './measurement.mjs';
import { API_KEY, type BenchN8n } from './n8n.mjs';
import { type BenchGateway, startGateway } from './quickGateway.mjs';

const BARE_CLIENT = fileURLToPath(new URL('bareClient.mts', import.meta.url));

export const OUR_NODE = 'our node';
export const HTTP_REQUEST = 'the HTTP Request node';
export const BARE = 'a bare client';
export type Contender = typeof OUR_NODE | typeof HTTP_REQUEST | typeof BARE;

export interface Job {
	/** Number of requests per run. */
	count: number;
	/** Milliseconds until the gateway answers. */
	latency: number;
	/** Path and query of the requests. */
	path: string;
	/** Our node to measure, without the prefix of its name. Default: Delivery. */
	node?: 'Data' | 'Delivery';
	ours: INodeParameters;
	/** Parameters of the HTTP Request node, without address and credential. Omit them to leave the node out. */
	httpRequest?: INodeParameters;
	/** n8n's nodes that the HTTP Request node needs after it to get the same result as our node. */
	then?: INode[];
	/** Job of the bare client. Omit it to leave the client out. */
	bare?: Pick<BareJob, 'atOnce' | 'body'>;
	/** The gateway's answer to a request with this body. */
	answer: (body: Buffer) => unknown;
	/** The nodes that create the items, in order; the first one is the trigger. */
	source: INode[];
	/** Measures only this node. Default: both. */
	only?: Contender;
}

/** Time and memory of all rounds. */
export interface Taken {
	/** Elapsed seconds; for a node, as n8n reports them. */
	wall: Rounds<Contender>;
	/** Milliseconds of n8n's processor time, minus those of the same workflow without any requests. */
	processor: Rounds<Contender>;
	/** Megabytes by which n8n's memory (RSS) grew during the run. */
	growth: Rounds<Contender>;
}

/** Nodes that create this many empty items. */
export const emptyItems = (count: number): INode[] => [
	nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
	nodeOf(
		'Items',
		'n8n-nodes-base.code',
		{ jsCode: `return Array.from({ length: ${count} }, () => ({ json: {} }))` },
		{ typeVersion: 2 },
	),
];

/**
 * Runs the contenders in alternation. The first round only warms up.
 * @param roundCount with 0, the first round is measured
 */
export async function contest(n8n: BenchN8n, job: Job, roundCount: number): Promise<Taken> {
	/** Number of requests that have arrived. */
	let arrived = 0;
	const gateway = await startGateway(async (body) => {
		const [sent] = await Promise.all([buffer(body), sleep(job.latency)]);
		arrived++;
		return job.answer(sent);
	});
	const bare = job.bare ? startBareClient(gateway, job, job.bare) : undefined;
	const workflows = await importWorkflows(n8n, gateway, job);
	const taken: Taken = { wall: [], processor: [], growth: [] };
	try {
		for (let round = 0; round <= roundCount; round++) {
			const wall: Partial<Record<Contender, number>> = {};
			const processor: typeof wall = {};
			const growth: typeof wall = {};
			const measure = async (workflowId: string, expected: number) => {
				arrived = 0;
				return await runWorkflow(
					n8n,
					workflowId,
					async () => await pWaitFor(() => arrived >= expected, { timeout: PATIENCE_MS }),
				);
			};
			const idle = await measure(workflows.idle, 0);
			for (const name of [OUR_NODE, HTTP_REQUEST] as const) {
				const id = workflows[name];
				if (!id || (job.only ?? name) !== name) continue;
				const run = await measure(id, job.count);
				wall[name] = run.wall;
				processor[name] = run.processor - idle.processor;
				growth[name] = run.growth;
			}
			if (bare) wall[BARE] = await bare.run();
			if (round === 0 && roundCount > 0) continue;
			taken.wall.push(wall as Record<Contender, number>);
			taken.processor.push(processor as Record<Contender, number>);
			taken.growth.push(growth as Record<Contender, number>);
		}
	} finally {
		await bare?.stop();
		await gateway.close();
	}
	return taken;
}

/** Imports a workflow for each of the two nodes, and one that sends nothing. Returns their IDs. */
async function importWorkflows(n8n: BenchN8n, gateway: BenchGateway, job: Job) {
	const { path, node: ourNode = 'Delivery', ours, httpRequest, then = [], source } = job;
	const credentials = await n8n.credentialsFor(gateway.url);
	const save = async (name: string, ...measured: INode[]) => {
		const nodes = [...source, ...measured];
		const connections = Object.fromEntries(
			nodes
				.slice(1)
				.map((to, i) => [nodes[i].name, { main: [[{ node: to.name, type: 'main' as const, index: 0 }]] }]),
		);
		return await n8n.client.importWorkflow({ name, nodes, connections, settings: {} });
	};
	const type = `${PACKAGE}.accountingGateway${ourNode}`;
	const request = {
		url: gateway.url + path,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'accountingGatewayApi',
		...httpRequest,
	};
	const typeVersion = 4.5;
	return {
		idle: await save('Idle', nodeOf(NODE, 'n8n-nodes-base.noOp')),
		[OUR_NODE]: await save(OUR_NODE, nodeOf(NODE, type, ours, { credentials })),
		[HTTP_REQUEST]:
			httpRequest &&
			(await save(
				HTTP_REQUEST,
				nodeOf(NODE, 'n8n-nodes-base.httpRequest', request, { typeVersion, credentials }),
				...then,
			)),
	};
}

/** Name of the measured node. The nodes after it are measured with it. */
const NODE = 'Measured';

/** @param sent resolves when the last request has arrived; polling n8n earlier would slow it down */
async function runWorkflow(n8n: BenchN8n, workflowId: string, sent: () => Promise<void>) {
	const { client } = n8n;
	const memoryBefore = await n8n.memory();
	const before = await n8n.processorTime();
	const { data } = await client.rest.post(`workflows/${workflowId}/run`, {
		triggerToStartFrom: { name: 'Start' },
	});
	// If some requests never arrive, the execution contains the reason.
	await sent().catch(() => {});
	const { status, data: execution } = await client.execution(data.data.executionId);
	const processor = (await n8n.processorTime()) - before;
	const growth = ((await n8n.memory()) - memoryBefore) / 1e6;
	const { error, runData } = execution.resultData;
	if (status !== 'success') throw new Error(error?.message ?? `The workflow ended with ${status}`);
	const measured = Object.keys(runData).slice(Object.keys(runData).indexOf(NODE));
	const wall = sum(measured.map((name) => runData[name][0].executionTime)) / 1000;
	return { wall, processor, growth };
}

function startBareClient(
	{ url }: BenchGateway,
	{ path, count }: Job,
	more: Pick<BareJob, 'atOnce' | 'body'>,
) {
	const child = execa(hostNode(), ['--import', 'tsx', BARE_CLIENT], { ipc: true, reject: false });
	const job: BareJob = { url: url + path, headers: { 'x-api-key': API_KEY }, count, ...more };
	return {
		async run(): Promise<number> {
			const answer = child.getOneMessage();
			await child.sendMessage({ ...job });
			return (await answer) as number;
		},
		async stop(): Promise<void> {
			child.kill();
			await child;
		},
	};
}
