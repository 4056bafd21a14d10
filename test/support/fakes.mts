/** n8n's contexts as fakes, for tests of single steps. Tests of whole runs use harness.mts. */
import type { INodeExecutionData } from 'n8n-workflow';
import map from 'lodash/map.js';
import { expect } from 'vitest';

import { ItemFiles } from '../../nodes/shared/parameters/inputItem.js';
import type { Holder } from '../../nodes/shared/parameters/inputItem.js';
import type { Parameter } from '../../nodes/shared/parameters/parameter.js';
import { Place, Remarks } from '../../nodes/shared/parameters/place.js';
import { partial } from '../../host/partial.mjs';

/** The files of an item. Without `helpers`, n8n's binary store, they are in memory. */
export const itemFiles = (item: INodeExecutionData, helpers: object = {}) =>
	new ItemFiles(
		partial({
			getInputData: () => [item],
			helpers: {
				assertBinaryData: () => {
					throw new Error('This operation expects the node’s input data to contain a binary file');
				},
				...helpers,
			},
		}),
		0,
	);

interface Around extends Partial<Holder> {
	/** The item's other parameters. */
	parameters?: Record<string, unknown>;
}

/**
 * Reads a parameter as for each item.
 * @returns its value; if it breaks a rule, `INVALID` with the field, the displayed value, and the rule, in English
 */
export async function readParameter(
	parameter: Parameter,
	given: unknown,
	{ parameters = {}, ...around }: Around = {},
) {
	const remarks = new Remarks();
	const holder: Holder = { zone: 'Europe/Berlin', raw: (name) => parameters[name], ...around };
	const value = await parameter.read(given, new Place(holder, remarks, 'field', 'Field (Feld)'));
	const issues = remarks.issues.map((issue) => ({ ...issue, rule: issue.rule.en }));
	const germanRules = remarks.issues.map(({ rule }) => rule.de);
	return {
		value,
		rules: issues.map(({ rule }) => rule),
		germanRules,
		issues,
		notes: map(remarks.notes, 'en'),
	};
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
