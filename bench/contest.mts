/** The same work for several contenders: our node, n8n's HTTP Request node, and a bare client outside of n8n. */
import { fileURLToPath } from 'node:url';
import { buffer } from 'node:stream/consumers';
import { execa } from 'execa';
import mapValues from 'lodash/mapValues.js';
import sum from 'lodash/sum.js';
import type { INode, INodeParameters } from 'n8n-workflow';
import pWaitFor from 'p-wait-for';

import { hostNode } from '../host/n8n.mjs';
import { PACKAGE } from '../host/package.mjs';
import { after, type Gateway } from '../test/support/gatewayKinds.mjs';
import { PATIENCE_MS } from '../test/support/patience.mjs';
import { nodeOf } from '../test/support/workflows.mjs';
import type { BareJob } from './bareClient.mjs';
import type { Rounds } from './measurement.mjs';
import { API_KEY, type BenchN8n } from './n8n.mjs';
import { type BenchGateway, Refusal, startGateway } from './quickGateway.mjs';

const BARE_CLIENT = fileURLToPath(new URL('bareClient.mts', import.meta.url));

export const OUR_NODE = 'our node';
export const HTTP_REQUEST = 'the HTTP Request node';
export const BARE = 'a bare client';
export type Contender = typeof OUR_NODE | typeof HTTP_REQUEST | typeof BARE;

export interface Job {
	/** Requests of a run. */
	count: number;
	/** Milliseconds until the gateway answers, or what kind of gateway it is. */
	latency: number | Gateway;
	/** Path and query. */
	path: string;
	/** Which of our nodes, without the prefix that they share; by default the one for delivery. */
	node?: 'Data' | 'Delivery';
	/** The parameters of our node. */
	ours: INodeParameters;
	/** Of the HTTP Request node, without address and credential; left out: it takes no part. */
	httpRequest?: INodeParameters;
	/** n8n's nodes that must follow the HTTP Request node, in order, to do what ours does on its own. */
	then?: INode[];
	/** Of the bare client; left out: it takes no part. */
	bare?: Pick<BareJob, 'atOnce' | 'body'>;
	/** The gateway's answer to a request with this body. */
	answer: (body: Buffer) => unknown;
	/** The nodes that make the items, in their order; the first one starts the workflow. */
	source: INode[];
	/** The only node that takes part; left out: both. */
	only?: Contender;
}

/** What a run took. */
export interface Taken {
	/** Seconds by the clock; for a node, as n8n reports them. */
	wall: Rounds<Contender>;
	/** Milliseconds of n8n's processor time, less what the same workflow takes without sending anything. */
	processor: Rounds<Contender>;
	/** Megabytes by which n8n's memory (RSS) has grown while the workflow ran. */
	growth: Rounds<Contender>;
	/** Requests that the gateway has refused. */
	refusals: Rounds<Contender>;
	/** Seconds during which the gateway's refusals asked to send nothing. */
	paused: Rounds<Contender>;
	/** Seconds from the first request to the last one, as they arrived. */
	sending: Rounds<Contender>;
}

/** What a gateway has seen of a run. */
interface Seen {
	/** Requests that it has taken. */
	taken: number;
	refused: number;
	/** Milliseconds during which refusals asked to send nothing, and when the latest of these pauses ends. */
	paused: number;
	opensAt: number;
	/** When they arrived. */
	first?: number;
	last: number;
}

const nothingSeen = (): Seen => ({ taken: 0, refused: 0, paused: 0, opensAt: 0, last: 0 });

/** This many items, without content. */
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
 * Lets the contenders take turns. The first round only warms up.
 * @param roundCount 0: what the first round takes counts
 */
export async function contest(n8n: BenchN8n, job: Job, roundCount: number): Promise<Taken> {
	let seen = nothingSeen();
	let inFlight = 0;
	const kind = typeof job.latency === 'number' ? after(job.latency) : job.latency;
	const gateway = await startGateway(async (body) => {
		seen.last = performance.now();
		seen.first ??= seen.last;
		const [sent, { status, headers }] = await Promise.all([buffer(body), kind(++inFlight)]);
		inFlight--;
		if (status !== 200) {
			seen.refused++;
			const now = performance.now();
			const opensAt = Math.max(seen.opensAt, now + 1000 * Number(headers['retry-after'] ?? 0));
			seen.paused += opensAt - Math.max(seen.opensAt, now);
			seen.opensAt = opensAt;
			return new Refusal(status, mapValues(headers, String));
		}
		seen.taken++;
		return job.answer(sent);
	});
	const bare = job.bare ? startBareClient(gateway, job, job.bare) : undefined;
	const workflows = await importWorkflows(n8n, gateway, job);
	const taken: Taken = { wall: [], processor: [], growth: [], refusals: [], paused: [], sending: [] };
	try {
		for (let round = 0; round <= roundCount; round++) {
			const wall: Partial<Record<Contender, number>> = {};
			const processor: typeof wall = {};
			const growth: typeof wall = {};
			const refusals: typeof wall = {};
			const paused: typeof wall = {};
			const sending: typeof wall = {};
			const noteSeen = (name: Contender) => {
				refusals[name] = seen.refused;
				paused[name] = seen.paused / 1000;
				sending[name] = (seen.last - seen.first!) / 1000;
			};
			const measure = async (workflowId: string, expected: number) => {
				seen = nothingSeen();
				return await runWorkflow(
					n8n,
					workflowId,
					async () => await pWaitFor(() => seen.taken >= expected, { timeout: PATIENCE_MS }),
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
				noteSeen(name);
			}
			if (bare) {
				seen = nothingSeen();
				wall[BARE] = await bare.run();
				noteSeen(BARE);
			}
			if (round === 0 && roundCount > 0) continue;
			taken.wall.push(wall as Record<Contender, number>);
			taken.processor.push(processor as Record<Contender, number>);
			taken.growth.push(growth as Record<Contender, number>);
			taken.refusals.push(refusals as Record<Contender, number>);
			taken.paused.push(paused as Record<Contender, number>);
			taken.sending.push(sending as Record<Contender, number>);
		}
	} finally {
		await bare?.stop();
		await gateway.close();
	}
	return taken;
}

/** A workflow for each of the two nodes, and one that sends nothing. Returns their IDs. */
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

/** The node that is measured, with those after it. */
const NODE = 'Measured';

/** @param sent resolves when the last request has arrived: asking n8n before that would cost it time */
async function runWorkflow(n8n: BenchN8n, workflowId: string, sent: () => Promise<void>) {
	const { client } = n8n;
	const memoryBefore = await n8n.memory();
	const before = await n8n.processorTime();
	const { data } = await client.rest.post(`workflows/${workflowId}/run`, {
		triggerToStartFrom: { name: 'Start' },
	});
	// If they don't all come, the execution says why.
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
