/** The examples on n8n's canvas: what a person sees who opens one. */
import type { INode } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { readExamples } from '../../scripts/start/examples.mjs';

/** Of a node with its name below it. */
const NODE = { width: 96, height: 140 };

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
const boxOf = ({ type, position: [left, top], parameters }: INode) => {
	const { width, height } = (
		type === 'n8n-nodes-base.stickyNote' ? { width: 240, height: 160, ...parameters } : NODE
	);
	return { left, top, right: left + width, bottom: top + height };
};

it('no two nodes of an example lie on top of each other, nor do two notes', async () => {
	for (const { name, workflow } of await readExamples()) {
		for (const wanted of [true, false]) {
			const nodes = workflow.nodes.filter((node) => isNote(node) === wanted);
			const pairs = nodes.flatMap((one, i) => nodes.slice(i + 1).map((other) => [one, other]));
			const overlapping = pairs.filter((pair) => {
				const [a, b] = pair.map(boxOf);
				return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
			});
			expect.soft(overlapping.map((pair) => pair.map((node) => node.name)), name).toEqual([]);
		}
	}
});

it('no names of two nodes side by side touch, so that each can be read', async () => {
	/** About as wide as a character of n8n's font, and the least space between two names. */
	const [character, gap] = [8.7, 4];
	for (const { name, workflow } of await readExamples()) {
		const nodes = workflow.nodes.filter((node) => !isNote(node));
		const touching = nodes.flatMap((one, i) =>
			nodes.slice(i + 1).filter((other) => {
				const [dx, dy] = [0, 1].map((axis) => Math.abs(one.position[axis] - other.position[axis]));
				return dy < 24 && dx < ((one.name.length + other.name.length) * character) / 2 + gap;
			}).map((other) => `${one.name} and ${other.name}`),
		);
		expect.soft(touching, name).toEqual([]);
	}
});
