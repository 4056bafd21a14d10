/**
 * The expressions of n8n's own nodes in the example workflows, evaluated by n8n's engine, the default one if
 * N8N_EXPRESSION_ENGINE says so (setup.mts). Whole workflows are run by exampleRun.mts.
 */
import memoize from 'lodash/memoize.js';
import type {
	IDataObject,
	INodeExecutionData,
	IRunExecutionData,
	NodeParameterValueType,
} from 'n8n-workflow';

import { readExample } from '../../demo/examples.mjs';
import { createRunExecutionData, workflowWith } from '../../host/engine.mjs';
import { jsonAs } from '../../host/partial.mjs';

const exampleNamed = memoize(readExample);

export interface Given {
	/** The item. */
	json?: IDataObject;
	/** Those behind it. */
	others?: IDataObject[];
	/** Names of the item's files, by field. */
	files?: Record<string, string>;
	/** The output of previous nodes, by name. */
	outputs?: Record<string, IDataObject[]>;
	/** The previous node whose first item this one comes from. */
	from?: string;
}

/**
 * The parameters of a node of an example, for one item.
 * @param example `workflows/<example>.json`
 */
export async function parametersOf(
	example: string,
	node: string,
	{ json = {}, others = [], files, outputs = {}, from }: Given,
): Promise<NodeParameterValueType> {
	const { workflow } = await exampleNamed(example);
	// Without their types, the nodes' parameters stay as in the file.
	const one = workflowWith({ ...workflow, id: example, active: false }, () => jsonAs(undefined));
	const binary = Object.entries(files ?? {}).map(([field, fileName]) => [
		field,
		{ fileName, mimeType: 'application/octet-stream', data: '' },
	]);
	const items: INodeExecutionData[] = [
		{
			json,
			...(files && { binary: Object.fromEntries(binary) as INodeExecutionData['binary'] }),
			...(from !== undefined && { pairedItem: { item: 0 } }),
		},
		...others.map((one) => ({ json: one })),
	];
	const executeData = from !== undefined && {
		data: { main: [items] },
		node: one.getNode(node)!,
		source: { main: [{ previousNode: from }] },
	};
	const parameters = one.getNode(node)?.parameters;
	if (!parameters) throw new Error(`"${example}" has no node "${node}".`);
	const evaluate = () =>
		one.expression.getParameterValue(
			parameters,
			runOf(outputs),
			0,
			0,
			node,
			items,
			'manual',
			{ $execution: { id: '1', mode: 'test', resumeUrl: '', resumeFormUrl: '' } },
			executeData || undefined,
		);
	return await one.expression.withIsolate(() => Promise.resolve(evaluate()));
}

/** The fields that a node *Edit Fields* sets on an item by its expressions. */
export async function fieldsOf(example: string, node: string, given: Given): Promise<IDataObject> {
	const { assignments } = (await parametersOf(example, node, given)) as {
		assignments: { assignments: Array<{ name: string; value: IDataObject }> };
	};
	return Object.fromEntries(assignments.assignments.map(({ name, value }) => [name, value]));
}

/** An execution in which these nodes ran. */
function runOf(outputs: Record<string, IDataObject[]>): IRunExecutionData {
	const runData = Object.fromEntries(
		Object.entries(outputs).map(([node, records], executionIndex) => [
			node,
			[
				{
					startTime: 0,
					executionTime: 0,
					executionIndex,
					source: [],
					data: { main: [records.map((json) => ({ json }))] },
				},
			],
		]),
	);
	return createRunExecutionData({ resultData: { runData } });
}
