/** A rig for workflows that begin with the payment trigger; its sandbox delivers to them. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';

import type { WorkflowFile } from '../../host/client.mjs';
import { PACKAGE } from '../../host/package.mjs';
import type { Sandbox } from '../../sandbox/server.mjs';
import { PATIENCE_MS, waitFor } from '../../scripts/base/waiting.mjs';
import { Rig } from './rig.mjs';
import { chainOf, nodeOf, webhookUrlOf } from '../../host/workflows.mjs';

const TRIGGER = 'Payment';
const AFTER = 'Started';

export class TriggerRig extends Rig {
	constructor(...args: ConstructorParameters<typeof Rig>) {
		super(...args);
		deliverQuickly(this.sandbox);
	}

	/** Stores a workflow: the trigger, and a node that runs when it fires. Returns its ID. */
	async addWorkflow(name: string, parameters: IDataObject = {}): Promise<string> {
		const type = `${PACKAGE}.accountingGatewayBankingTrigger`;
		const trigger = nodeOf(TRIGGER, type, trialParameters(parameters), {
			id: randomUUID(),
			webhookId: randomUUID(),
			credentials: this.credentials,
		});
		const after = nodeOf(AFTER, 'n8n-nodes-base.noOp');
		return await this.client.importWorkflow(chainOf(name, [trigger, after]));
	}

	/** Changes a workflow's trigger and adds nodes, which republishes a published workflow. */
	async changeWorkflow(id: string, parameters: IDataObject, ...added: INode[]): Promise<void> {
		const { data } = await this.client.api.get(`workflows/${id}`);
		const { name, nodes, connections } = data as WorkflowFile;
		const changed = nodes.map((node) =>
			node.name === TRIGGER ? { ...node, parameters: trialParameters(parameters) } : node,
		);
		await this.client.api.put(`workflows/${id}`, {
			name,
			nodes: [...changed, ...added],
			connections,
			settings: {},
		});
	}

	/** The URL that the gateway delivers to. */
	get registeredUrl(): string | undefined {
		return webhookUrlOf(this.sandbox);
	}

	/** Publishes a workflow and waits until the gateway has its URL. Returns the URL. */
	async publish(id: string): Promise<string> {
		const before = this.registeredUrl;
		await this.client.activate(id);
		const isNew = () => this.registeredUrl !== undefined && this.registeredUrl !== before;
		await waitFor(isNew, { interval: 50 });
		// n8n registers the URL before it has published.
		await waitFor(async () => (await this.client.isPublished(id)) ?? true, { interval: 50 });
		return this.registeredUrl as string;
	}

	/** Listens for a test event, as the editor does. */
	async listen(id: string): Promise<void> {
		await this.client.rest.post(
			`workflows/${id}/run`,
			{ triggerToStartFrom: { name: TRIGGER } },
			{ headers: { 'push-ref': randomUUID() } },
		);
	}

	/** Unpublishes a workflow and waits until n8n has removed its webhook, which it does after the node's clean-up. */
	async unpublish(id: string): Promise<void> {
		await this.client.deactivate(id);
		const { data } = await this.client.api.get(`workflows/${id}`);
		const trigger = (data as WorkflowFile).nodes.find(({ name }) => name === TRIGGER);
		const isGone = async () => !(await this.hasWebhook(`webhook/${trigger?.webhookId}/payments`));
		await waitFor(isGone, { interval: 200 });
	}

	/** An execution's input to the node after the trigger; `undefined` if that node didn't run. */
	async startedWith(id: number): Promise<IDataObject[] | undefined> {
		const { data } = await this.client.execution(id);
		return data.resultData.runData[AFTER]?.[0].data?.main[0]?.map(({ json }) => json);
	}

	/** Creates a payment and advances it; each step is delivered. Returns its ID. */
	pay(...statuses: string[]): string {
		const { payments } = this.sandbox.services;
		const { id } = payments.create({ status: 'initiated_info_required' });
		for (const status of statuses) payments.move(id, status);
		return id;
	}
}

/** Failed deliveries are retried soon; one that n8n only takes long for is no failed one, or it would arrive twice. */
function deliverQuickly({ services }: Sandbox): void {
	services.webhooks.settings = { retries: 3, delayMs: 500, timeoutMs: PATIENCE_MS };
}

/** The n8n of a test isn't on the internet. */
const trialParameters = ({ options, ...parameters }: IDataObject): IDataObject => ({
	...parameters,
	options: { allowPrivateUrl: true, ...(options as IDataObject) },
});
