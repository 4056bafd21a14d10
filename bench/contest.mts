/** Workflows of our node, of n8n's HTTP Request node and of a bare client, which send the same requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import type { INode, INodeParameters } from 'n8n-workflow';

import { PACKAGE } from '../host/package.mjs';
import { nodeOf } from '../host/workflows.mjs';
import type { BenchN8n, Taken } from './n8n.mjs';
import { type BenchGateway, startGateway } from './quickGateway.mjs';

export const OUR_NODE = 'our node';
export const HTTP_REQUEST = 'the HTTP Request node';
export const BARE = 'a bare client';

export interface Job {
	/** Number of requests per run, each for an empty item of its own. */
	count: number;
	/** Milliseconds until the gateway answers. */
	latency: number;
	/** Path and query of the requests. */
	path: string;
	/** The gateway's answer to a request with this body. */
	answer: (body: Buffer) => unknown;
}

/** The gateway of a job, which counts the requests, and the contenders that send them. */
export class Contest {
	/** Number of requests that have arrived in this run. */
	private arrived = 0;
	private gateway!: BenchGateway;
	private readonly ends: Array<() => Promise<unknown>> = [];

	private constructor(private readonly job: Job) {}

	static async of(job: Job): Promise<Contest> {
		const contest = new Contest(job);
		contest.gateway = await startGateway(async (body) => {
			const [sent] = await Promise.all([buffer(body), sleep(job.latency)]);
			contest.arrived++;
			return job.answer(sent);
		});
		contest.ends.push(async () => await contest.gateway.close());
		return contest;
	}

	async end(): Promise<void> {
		for (const end of this.ends.reverse()) await end();
	}

	/** @param type of our node, without the prefix of its name */
	async ourNode(n8n: BenchN8n, type: 'Data' | 'Delivery', parameters: INodeParameters) {
		const credentials = await n8n.credentialsFor(this.gateway);
		const node = nodeOf(OUR_NODE, `${PACKAGE}.accountingGateway${type}`, parameters, { credentials });
		return await this.workflow(n8n, node);
	}

	/** @param then the nodes that it needs after it to get the same result as our node */
	async httpRequest(n8n: BenchN8n, ...then: INode[]) {
		const credentials = await n8n.credentialsFor(this.gateway);
		const parameters = {
			url: this.gateway.url + this.job.path,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'accountingGatewayApi',
		};
		const more = { typeVersion: 4.5, credentials };
		return await this.workflow(
			n8n,
			nodeOf(HTTP_REQUEST, 'n8n-nodes-base.httpRequest', parameters, more),
			...then,
		);
	}

	/**
	 * The node of `bareNode/`.
	 * @param atOnce number of simultaneous requests
	 * @param body to post, in which `{n}` stands for the request's number; without it, the requests are GET requests
	 */
	async bareClient(n8n: BenchN8n, atOnce: number, body = '') {
		const credentials = await n8n.credentialsFor(this.gateway);
		const parameters = { url: this.gateway.url + this.job.path, atOnce, body };
		return await this.workflow(n8n, nodeOf(BARE, 'CUSTOM.bareClient', parameters, { credentials }));
	}

	private async workflow(n8n: BenchN8n, ...measured: INode[]): Promise<() => Promise<Taken>> {
		const { count } = this.job;
		const jsCode = `return Array.from({ length: ${count} }, () => ({ json: {} }))`;
		const workflowId = await n8n.importChain(
			nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
			nodeOf('Items', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 }),
			...measured,
		);
		const names = measured.map(({ name }) => name);
		return async () => {
			this.arrived = 0;
			return await n8n.run(workflowId, names, () => this.arrived >= count);
		};
	}
}
