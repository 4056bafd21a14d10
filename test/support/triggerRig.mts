/** A real n8n with the package, a sandbox that delivers to it, and workflows that begin with the payment trigger. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import pWaitFor from 'p-wait-for';

import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { storeCredential } from '../../scripts/demo.mjs';
import { type Execution, type N8nClient, signIn, type WorkflowFile } from '../../scripts/host/client.mjs';
import { type N8n, startN8n } from '../../scripts/host/n8n.mjs';
import { installPackage, PACKAGE, packPackage } from '../../scripts/host/package.mjs';
import { nodeOf } from './workflows.mjs';

/** An entry of n8n's list of executions. */
export type ListedExecution = Pick<Execution, 'id' | 'status'> & { mode: string };

const TRIGGER = 'Payment';
const AFTER = 'Started';

export class TriggerRig {
	private constructor(
		private readonly userFolder: string,
		readonly n8n: N8n,
		public sandbox: Sandbox,
		public client: N8nClient,
		readonly credentialId: string,
	) {}

	/** @param env n8n's settings */
	static async start(env: Record<string, string> = {}): Promise<TriggerRig> {
		const userFolder = await mkdtemp(join(tmpdir(), 'trigger-'));
		await installPackage(await packPackage(userFolder), userFolder);
		const sandbox = await startSandbox({ logSize: 100 });
		sandbox.world.webhooks.settings = { retries: 3, delayMs: 500, timeoutMs: 10_000 };
		const n8n = await startN8n({ userFolder, env });
		const client = await signIn(n8n.url);
		return new TriggerRig(userFolder, n8n, sandbox, client, await storeCredential(client, sandbox));
	}

	async stop(): Promise<void> {
		await this.n8n.stop();
		await this.sandbox.close();
		await rm(this.userFolder, { recursive: true, force: true });
	}

	/** Stores a workflow: the trigger, and a node that runs when it starts something. Returns its ID. */
	async addWorkflow(name: string, parameters: IDataObject = {}): Promise<string> {
		return await this.client.importWorkflow(this.workflow(name, parameters));
	}

	/** Changes the trigger of a workflow, which publishes it again if it is published. */
	async changeWorkflow(id: string, parameters: IDataObject): Promise<void> {
		const { data } = await this.client.api.get(`workflows/${id}`);
		const { name, nodes, connections } = data as WorkflowFile;
		const changed = nodes.map((node) =>
			node.name === TRIGGER ? { ...node, parameters: trialParameters(parameters) } : node,
		);
		await this.client.api.put(`workflows/${id}`, { name, nodes: changed, connections, settings: {} });
	}

	private workflow(name: string, parameters: IDataObject): WorkflowFile {
		const type = `${PACKAGE}.accountingGatewayBankingTrigger`;
		const trigger = nodeOf(TRIGGER, type, trialParameters(parameters), {
			id: randomUUID(),
			webhookId: randomUUID(),
			credentials: { accountingGatewayApi: { id: this.credentialId, name: 'Sandbox' } },
		});
		const after = nodeOf(AFTER, 'n8n-nodes-base.noOp');
		const connections = { [TRIGGER]: { main: [[{ node: AFTER, type: 'main' as const, index: 0 }]] } };
		return { name, nodes: [trigger, after], connections, settings: {} };
	}

	/** The URL that the gateway delivers to. */
	get url(): string | undefined {
		const urls = this.sandbox.world.listed('webhooks') as Array<{ account: string; url: string }>;
		return urls.find(({ account }) => account === 'demo')?.url;
	}

	/** Waits until the gateway's URL is as it should be. */
	async urlBecomes(matches: (url: string | undefined) => boolean, timeout = 60_000): Promise<void> {
		await pWaitFor(() => matches(this.url), { timeout, interval: 50 });
	}

	/** Publishes a workflow and waits until the gateway has its URL, and n8n has it done. Returns the URL. */
	async publish(id: string): Promise<string> {
		const before = this.url;
		await this.client.activate(id);
		await this.urlBecomes((url) => url !== undefined && url !== before);
		return this.url as string;
	}

	/** Listens for a test event, as the editor does. */
	async listen(id: string): Promise<void> {
		await this.client.rest.post(
			`workflows/${id}/run`,
			{ triggerToStartFrom: { name: TRIGGER } },
			{ headers: { 'push-ref': randomUUID() } },
		);
	}

	async stopListening(id: string): Promise<void> {
		await this.client.rest.delete(`test-webhook/${id}`);
		// n8n answers before it is done, and hangs when another test begins in between (lodash.clonedeep on its cache).
		await sleep(1000);
	}

	/** The newest executions of a workflow that are over, newest first. */
	async executions(workflowId: string, limit = 250): Promise<ListedExecution[]> {
		const { data } = await this.client.api.get('executions', { params: { workflowId, limit } });
		return data.data;
	}

	/** What an execution gave to the node after the trigger: `undefined` when it hasn't started it. */
	async startedWith(id: number): Promise<IDataObject[] | undefined> {
		const { data } = await this.client.execution(id);
		return data.resultData.runData[AFTER]?.[0].data?.main[0]?.map(({ json }) => json);
	}

	/** Makes a payment and moves it on; each step is delivered. Returns its ID. */
	pay(...statuses: string[]): string {
		const { payments } = this.sandbox.world;
		const { id } = payments.create({ status: 'initiated_info_required' });
		for (const status of statuses) payments.move(id, status);
		return id;
	}

	/** Stops the gateway while something happens. */
	async withoutGateway(happens: () => Promise<void>): Promise<void> {
		const { world, url } = this.sandbox;
		await this.sandbox.close();
		try {
			await happens();
		} finally {
			this.sandbox = await startSandbox({ port: Number(new URL(url).port), state: world.snapshot() });
		}
	}

	async restart(): Promise<void> {
		await this.n8n.restart();
		this.client = await signIn(this.n8n.url);
	}
}

/** The n8n of a test isn't on the internet. */
const trialParameters = ({ options, ...parameters }: IDataObject): IDataObject => ({
	...parameters,
	options: { allowPrivateUrl: true, ...(options as IDataObject) },
});
