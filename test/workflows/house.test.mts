/** What an accountant who opens an example can read: short expressions, few nodes, and nothing that a moved node breaks. */
import type { INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readExamples } from '../../scripts/start/examples.mjs';

const EXAMPLES = await readExamples();
const textsIn = (value: unknown): string[] =>
	typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];

it('there are at most 20', () => {
	expect(EXAMPLES.length).toBeLessThanOrEqual(20);
});

describe.each(EXAMPLES)('$name', ({ name, workflow }) => {
	const nodes = workflow.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	/** The names of the nodes before one. */
	function before(node: string, found = new Set<string>()): Set<string> {
		for (const [from, { main = [] }] of Object.entries(workflow.connections)) {
			if (found.has(from) || !main.flat().some((to) => to?.node === node)) continue;
			found.add(from);
			before(from, found);
		}
		return found;
	}

	it('has the watchdog as its error workflow', () => {
		expect(workflow.settings?.errorWorkflow).toBe(name === 'watchdog' ? undefined : 'watchdog');
	});

	it('has at most 20 nodes, and no node reads one that isn’t before it', () => {
		expect(nodes.length).toBeLessThanOrEqual(20);
		const strangers = nodes.flatMap((node: INode) => {
			const known = before(node.name);
			const read = textsIn(node.parameters).flatMap((text) => [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, one]) => one));
			return read.filter((one) => !known.has(one)).map((one) => `${node.name} reads ${one}`);
		});
		expect(strangers).toEqual([]);
	});

	it('has no program in an expression, and no long one, and Code of at most 25 lines', () => {
		for (const node of nodes) {
			for (const text of textsIn(node.parameters).filter((one) => one.startsWith('='))) {
				expect.soft(text.length, `${node.name}: ${text}`).toBeLessThanOrEqual(250);
				expect.soft(text, node.name).not.toMatch(/=>\s*\{|function\s*\(/);
			}
			const { jsCode = '' } = node.parameters as { jsCode?: string };
			expect.soft(jsCode.split('\n').length, node.name).toBeLessThanOrEqual(25);
		}
	});
});
