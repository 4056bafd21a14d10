/** Polls a trigger in n8n's own engine, in this process, and runs what its polls emit. */
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	NodeExecutionHint,
} from 'n8n-workflow';

import {
	additionalData,
	PollContext,
	runNode,
	type RunOptions,
	withExpressions,
	workflowOf,
} from './harness.mjs';

export interface PolledOptions {
	credential: ICredentialDataDecryptedObject;
	parameters: INodeParameters;
	nodeName?: string;
	workflowId?: string;
	/** How long n8n lets a poll take, `null` for an n8n that says nothing about that. */
	budgetMs?: number | null;
}

/** A workflow that begins with the polling trigger under test, as one n8n keeps it. */
export class PolledWorkflow {
	/** What n8n has stored with the workflow. */
	stored: IDataObject = {};
	/** What the node wrote into n8n's log. */
	readonly logs: string[] = [];
	/** The failed executions that the node has asked for. */
	readonly failures: Error[] = [];
	/** What each execution began with. */
	readonly executions: IDataObject[][] = [];
	readonly hints: NodeExecutionHint[] = [];
	private workflow?: ReturnType<typeof workflowOf>;

	constructor(
		private readonly node: INodeType,
		readonly options: PolledOptions,
	) {}

	/**
	 * What n8n does on publishing, at its start, and when another main process takes over: it polls, and stores what the
	 * trigger remembers.
	 */
	async activate(): Promise<IDataObject[]> {
		this.workflow = workflowOf({ ...this.runOptions, staticData: structuredClone(this.stored) });
		const items = await this.poll();
		this.save();
		return items;
	}

	/** n8n is killed and started again: what wasn't stored is gone. */
	async restart(): Promise<IDataObject[]> {
		this.stored = JSON.parse(
			JSON.stringify(this.stored).replace(/("process":)"[^"]*"/g, '$1"another"'),
		) as IDataObject;
		return await this.activate();
	}

	/**
	 * A poll, and the execution that it starts.
	 * @param isKilled whether n8n is killed after it has stored what the trigger remembers, and before the execution
	 * @returns what the execution begins with; nothing if there is none
	 */
	async poll(isKilled = false): Promise<IDataObject[]> {
		const emitted = await this.emitted();
		if (!emitted) return [];
		this.save();
		if (isKilled) return [];
		return await this.execute(emitted);
	}

	/** The execution that a poll has started, or that someone retries. */
	async execute(
		received: INodeExecutionData[][],
		mode: 'trigger' | 'retry' = 'trigger',
	): Promise<IDataObject[]> {
		const { json, error, hints } = await runNode({ ...this.runOptions, received, mode });
		if (error) throw error;
		this.executions.push(json);
		this.hints.push(...hints);
		return json;
	}

	/** What a poll gives n8n. @param mode `manual`: "Fetch Test Event" */
	async emitted(mode: 'trigger' | 'manual' = 'trigger'): Promise<INodeExecutionData[][] | null> {
		const { workflow, node } = this.workflow!;
		const context = new PollContext(
			workflow,
			node,
			additionalData(this.options.credential),
			mode,
			'activate',
			undefined,
			(error) => void this.failures.push(error),
		);
		const { budgetMs } = this.options;
		if (budgetMs !== undefined) {
			Object.assign(context, { getPollBudgetMs: budgetMs === null ? undefined : () => budgetMs });
		}
		const log = (message: string) => void this.logs.push(message);
		Object.defineProperty(context, 'logger', { value: { debug: log, info: log, warn: log, error: log } });
		return await withExpressions(workflow, async () => await this.node.poll!.call(context));
	}

	/** What "Fetch Test Event" and "Execute step" do. */
	async test(): Promise<IDataObject[]> {
		const { json, error } = await runNode({ ...this.runOptions, mode: 'manual' });
		if (error) throw error;
		return json;
	}

	private get runOptions(): RunOptions {
		const { credential, parameters, nodeName: name = 'Node', workflowId } = this.options;
		return {
			node: this.node,
			credential,
			parameters,
			workflowId,
			active: true,
			settings: { id: 'node', name },
		};
	}

	private save(): void {
		this.stored = JSON.parse(JSON.stringify(this.workflow!.workflow.staticData)) as IDataObject;
	}
}
