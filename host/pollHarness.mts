/** Polls a trigger in n8n's own engine, in this process, and runs what its polls emit. */
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	NodeExecutionHint,
} from 'n8n-workflow';

import { additionalData, listenToLog, PollContext, withExpressions } from './engine.mjs';
import { runNode, type RunOptions, workflowOf } from './harness.mjs';

export interface PolledOptions {
	credential: ICredentialDataDecryptedObject;
	parameters: INodeParameters;
	nodeName?: string;
	workflowId?: string;
	/** Whether n8n can't store executions. */
	failsToStore?: boolean;
	/** The names of the workflow's other triggers. */
	others?: string[];
	/** How long n8n lets a poll take; `null` for an n8n without such a limit. */
	budgetMs?: number | null;
}

/** A workflow that begins with the polling trigger under test, in one n8n. */
export class PolledWorkflow {
	/** The workflow's static data stored by n8n. */
	stored: IDataObject = {};
	/** What the node wrote to n8n's log. */
	readonly logs: string[] = [];
	/** The failed executions that the node requested. */
	readonly failures: Error[] = [];
	/** The initial items of each execution. */
	readonly executions: IDataObject[][] = [];
	readonly hints: NodeExecutionHint[] = [];
	private workflow?: ReturnType<typeof workflowOf>;

	constructor(
		private readonly node: INodeType,
		readonly options: PolledOptions,
	) {}

	/**
	 * What n8n does on publishing, on startup, and when another main process takes over: it polls, and stores the
	 * trigger's memory.
	 */
	async activate(): Promise<IDataObject[]> {
		this.workflow = workflowOf({ ...this.runOptions, staticData: structuredClone(this.stored) });
		const { connectionsBySourceNode } = this.workflow.workflow;
		for (const other of this.options.others ?? []) {
			connectionsBySourceNode[other] = { main: [[{ node: 'Source', type: 'main', index: 0 }]] };
		}
		const items = await this.poll();
		this.save();
		return items;
	}

	/** Kills and restarts n8n: anything not stored is lost. */
	async restart(): Promise<IDataObject[]> {
		this.stored = JSON.parse(
			JSON.stringify(this.stored).replace(/("process":)"[^"]*"/g, '$1"another"'),
		) as IDataObject;
		return await this.activate();
	}

	/**
	 * A poll, and the execution it starts.
	 * @param isKilled whether n8n is killed after it stored the trigger's memory and before it stores the execution
	 * @returns the execution's initial items; nothing if there is none
	 */
	async poll(isKilled = false): Promise<IDataObject[]> {
		const emitted = await this.emitted();
		if (!emitted) return [];
		this.save();
		if (isKilled || this.options.failsToStore) return [];
		return await this.execute(emitted);
	}

	/** The execution started by a poll, or retried by someone. */
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

	/** What a poll gives to n8n. @param mode `manual`: "Fetch Test Event" */
	async emitted(mode: 'trigger' | 'manual' = 'trigger'): Promise<INodeExecutionData[][] | null> {
		const { workflow, node } = this.workflow!;
		const context = new PollContext(
			workflow,
			node,
			additionalData(this.options.credential),
			mode,
			'activate',
			(data, _response, done) => {
				given = data;
				if (!this.options.failsToStore) done?.resolve(undefined);
				else done?.reject(new Error('The database is locked'));
			},
			(error) => void this.failures.push(error),
		);
		const { budgetMs } = this.options;
		if (budgetMs !== undefined) {
			Object.assign(context, { getPollBudgetMs: budgetMs === null ? undefined : () => budgetMs });
		}
		listenToLog(context, this.logs);
		let given: INodeExecutionData[][] | null = null;
		const returned = await withExpressions(workflow, async () => await this.node.poll!.call(context));
		return returned ?? given;
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
