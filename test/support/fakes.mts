/** n8n's contexts as fakes, for tests of single steps. Tests of whole runs use harness.mts. */
import type { INodeExecutionData } from 'n8n-workflow';
import { expect } from 'vitest';

import { InputItem, Place } from '../../nodes/shared/parameters/inputItem.js';
import type { Parameter } from '../../nodes/shared/parameters/parameter.js';
import { partial } from '../../tools/partial.mjs';

interface Around {
	/** The item. Its files are in memory, as n8n keeps them with N8N_DEFAULT_BINARY_DATA_MODE=default. */
	item?: INodeExecutionData;
	/** The node's other parameters. */
	parameters?: Record<string, unknown>;
	workflow?: { name?: string; timezone?: string; binaryMode?: string };
	/** n8n's binary store, if files aren't in memory. */
	helpers?: object;
}

/** The first item of a node's input, as n8n exposes it while parameters are read. */
export const inputItem = ({
	item = { json: {} },
	parameters = {},
	workflow = { name: 'Kasse täglich' },
	helpers = {},
}: Around = {}) =>
	new InputItem(
		partial({
			getInputData: () => [item],
			getNodeParameter: (name: string) => {
				if (parameters[name] instanceof Error) throw parameters[name];
				return parameters[name] ?? null;
			},
			getTimezone: () => workflow.timezone ?? 'Europe/Berlin',
			getWorkflow: () => workflow,
			getWorkflowSettings: () => workflow,
			helpers: {
				assertBinaryData: () => {
					throw new Error('This operation expects the node’s input data to contain a binary file');
				},
				...helpers,
			},
		}),
		0,
	);

/**
 * Reads a parameter as for each item.
 * @returns its value; if it breaks a rule, `INVALID` with the field, the displayed value, and the rule, in English
 */
export async function readParameter(parameter: Parameter, given: unknown, around?: Around) {
	const item = inputItem(around);
	const value = await parameter.read(given, new Place(item, 'field', 'Field (Feld)'));
	const issues = item.issues.map((issue) => ({ ...issue, rule: issue.rule.en }));
	return { value, rules: issues.map(({ rule }) => rule), issues, notes: item.notes };
}

/** A rule as a parser gives it: its English text contains this, and it has a German one. */
export const ruleThat = (contains: string | RegExp) => ({
	rule: {
		en: (typeof contains === 'string'
			? expect.stringContaining(contains)
			: expect.stringMatching(contains)) as string,
		de: expect.stringMatching(/^\p{L}|^\(/u) as string,
	},
});
