/** What n8n's assistant and agents are told: hints of nodes and fields, and the texts to copy in docs/agents.md. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { beforeAll, describe, expect, it } from 'vitest';

import { PACKAGE } from '../../host/harness.mjs';
import { requireOfN8n } from '../../host/n8nPackages.mjs';
import { loadNode } from '../../host/workflows.mjs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
	n8n: { nodes: string[] };
};
const NODES = manifest.n8n.nodes.map((file) => file.split('/')[2]);

let descriptions: INodeTypeDescription[];
beforeAll(async () => {
	descriptions = await Promise.all(NODES.map(async (node) => (await loadNode(node)).description));
});

/** All fields, those of groups as well. */
const fieldsIn = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => {
		const inner = (property.options ?? []).flatMap((option) =>
			'values' in option ? option.values : 'type' in option ? [option] : [],
		);
		return [property, ...fieldsIn(inner)];
	});

describe('Every node', () => {
	it('says when to use it, and which nodes go with it; ours exist', () => {
		for (const { name, builderHint } of descriptions) {
			expect(builderHint?.searchHint, name).toMatch(/^[^{}]{80,400}$/);
			const related = builderHint!.relatedNodes!.map(({ nodeType }) => nodeType);
			const ours = related.filter((type) => type.startsWith(`${PACKAGE}.`));
			const known = descriptions.map((one) => `${PACKAGE}.${one.name}`);
			expect(known).toEqual(expect.arrayContaining(ours));
			expect(related).not.toContain(`${PACKAGE}.${name}`);
		}
	});

	it('has hints where n8n takes them, without expressions', () => {
		const core = createRequire(requireOfN8n.resolve('n8n-core'));
		let validate: ((description: INodeTypeDescription) => void) | undefined;
		try {
			({ validateNodeDescription: validate } = core('./nodes-loader/validate-node-description') as {
				validateNodeDescription: typeof validate;
			});
		} catch {
			// Older versions of n8n don't check it.
		}
		for (const description of descriptions) {
			validate?.(description);
			for (const { builderHint } of fieldsIn(description.properties)) {
				if (builderHint) expect(builderHint.propertyHint).toMatch(/^[^{}]{30,200}$/);
			}
		}
	});

	it('tells a model what it must not invent, and which sign an amount has', () => {
		const hintsOf = (name: string) =>
			descriptions.flatMap(({ properties }) =>
				fieldsIn(properties).flatMap((field) =>
					field.name === name ? [field.builderHint?.propertyHint ?? `none: ${field.displayName}`] : [],
				),
			);
		for (const name of ['connectionId', 'kassenname', 'account_id']) {
			expect(hintsOf(name).length).toBeGreaterThan(0);
			for (const hint of hintsOf(name)) expect(hint).toMatch(/[Nn]ever invent/);
		}
		for (const name of ['idFromContent', 'verify']) expect(hintsOf(name).join()).not.toContain('Off unless');
		expect(hintsOf('dryRun').join()).toContain('Off unless');
		expect(hintsOf('betrag')).toContainEqual(expect.stringContaining('Never negative'));
	});

	it('describes each field: a model has nothing else to go by', () => {
		const silent = descriptions.flatMap(({ name, properties }) =>
			fieldsIn(properties)
				.filter(({ type, description }) => !description && !['notice', 'collection', 'hidden'].includes(type))
				.map((field) => `${name}.${field.name}`),
		);
		expect(new Set(silent.map((field) => field.split('.')[1]))).toEqual(new Set(['resource', 'operation']));
	});
});

describe('The page docs/agents.md', () => {
	const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
	const texts = [
		...page.matchAll(/\| `\{\{ \$fromAI\('(\w+)', '([^']+)'(?:, '(\w+)'(?:, '(\w*)')?)?\) \}\}` \|/g),
	];
	const [fixed] = page.split('## Fields that models get wrong');

	it('has a text for each fixed choice that a model may make, with all its values and its default', () => {
		const choices = descriptions
			.filter(({ name }) => !name.endsWith('Trigger'))
			.flatMap(({ properties }) => fieldsIn(properties))
			.filter(({ name, type }) => type === 'options' && ['bewegung', 'filter', 'eb', 'api'].includes(name));
		for (const { name, options, default: initial } of choices) {
			const [, , text, , preset] = texts.find(([whole, field]) => field === name && fixed.includes(whole))!;
			const values = (options as INodePropertyOptions[])
				.map(({ value }) => value)
				.filter((value) => value !== '');
			for (const value of values) expect(text).toContain(value);
			if (initial !== '') expect(preset).toBe(initial);
		}
		expect(new Set(choices.map(({ name }) => name)).size).toBe(4);
	});

	it('names only fields that exist', () => {
		const names = descriptions.flatMap(({ properties }) => fieldsIn(properties).map(({ name }) => name));
		expect(texts).toHaveLength(8);
		for (const [, name] of texts) expect(names).toContain(name);
	});
});
