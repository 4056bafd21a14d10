/** The examples on n8n's canvas: what a person sees who opens one. */
import type { INode } from 'n8n-workflow';
import { beforeAll, describe, expect, it } from 'vitest';

import { type Example, readExamples } from '../../scripts/start/examples.mjs';

/** Of a node, without its name below it; several outputs make it higher. */
const NODE = 96;
const PORT = 32;
/** Of the name below a node: n8n breaks it after so many pixels, of so many a character. */
const LABEL = { height: 50, character: 7.5, atMost: 192 };
/** As large as it may be so that n8n, which fits it into a window of 1440 × 900, shows text of 14 px with 10 px at least. */
const VIEW = { width: 1900, height: 1060 };

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}
/** Of a note's text: pixels of a character, of a line, of a heading with what is around the text. */
const TEXT = { character: 6.6, line: 20, heading: 62 };

interface Line {
	name: string;
	from: [x: number, y: number];
	to: [x: number, y: number];
}

let examples: Example[];
beforeAll(async () => {
	examples = await readExamples();
});

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

function noteBox({ name, position: [left, top], parameters }: INode): Box {
	const { width, height } = parameters as { width: number; height: number };
	return { name, left, top, right: left + width, bottom: top + height };
}

const outputsOf = ({ workflow }: Example, { name }: INode) => workflow.connections[name]?.main.length ?? 1;
const heightOf = (outputs: number) => Math.max(NODE, (outputs + 1) * PORT);

/** A node with its name. */
function nodeBox(example: Example, node: INode): Box {
	const [left, top] = node.position;
	const half = Math.min(LABEL.atMost, node.name.length * LABEL.character) / 2;
	const middle = left + NODE / 2;
	return {
		name: node.name,
		left: Math.min(left, middle - half),
		right: Math.max(left + NODE, middle + half),
		top,
		bottom: top + heightOf(outputsOf(example, node)) + LABEL.height,
	};
}

const contains = (one: Box, other: Box) =>
	one.left <= other.left && one.right >= other.right && one.top <= other.top && one.bottom >= other.bottom;
const overlap = (one: Box, other: Box) =>
	one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** The connections, from port to port. */
function linesOf(example: Example): Line[] {
	const byName = Object.fromEntries(example.workflow.nodes.map((node) => [node.name, node]));
	const portAt = (node: INode, index: number, count: number) =>
		node.position[1] + heightOf(count) / 2 + (index - (count - 1) / 2) * PORT;
	return Object.entries(example.workflow.connections).flatMap(([source, { main }]) =>
		main.flatMap((targets, output) =>
			(targets ?? []).map(({ node: target, index }): Line => {
				const [from, to] = [byName[source], byName[target]];
				const inputs = to.type === 'n8n-nodes-base.merge' ? 2 : 1;
				return {
					name: `${source} → ${target}`,
					from: [from.position[0] + NODE, portAt(from, output, main.length)],
					to: [to.position[0], portAt(to, index, inputs)],
				};
			}),
		),
	);
}

/** Whether two lines have a point in common, not counting one at which both end. */
function cross(one: Line, other: Line): boolean {
	if (String(one.from) === String(other.from) || String(one.to) === String(other.to)) return false;
	const side = ({ from: [ax, ay], to: [bx, by] }: Line, [x, y]: [number, number]) =>
		Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
	return (
		side(one, other.from) * side(one, other.to) < 0 && side(other, one.from) * side(other, one.to) < 0
	);
}

describe('every example', () => {
	it('fits into a window in which its notes can be read', () => {
		for (const example of examples) {
			const boxes = example.workflow.nodes.map((node) => (isNote(node) ? noteBox(node) : nodeBox(example, node)));
			const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
			const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
			expect.soft(width, `${example.name}: width`).toBeLessThanOrEqual(VIEW.width);
			expect.soft(height, `${example.name}: height`).toBeLessThanOrEqual(VIEW.height);
		}
	});

	it('has each node with its name inside one box, or outside of all', () => {
		for (const example of examples) {
			const notes = example.workflow.nodes.filter(isNote).map(noteBox);
			for (const node of example.workflow.nodes.filter((one) => !isNote(one))) {
				const box = nodeBox(example, node);
				const touched = notes.filter((note) => overlap(note, box));
				expect.soft(
					touched.filter((note) => !contains(note, box)).map(({ name }) => name),
					`${example.name}: ${node.name} hangs out of`,
				).toEqual([]);
			}
		}
	});

	it('has no node on the text of a note', () => {
		for (const example of examples) {
			const nodes = example.workflow.nodes.filter((node) => !isNote(node));
			for (const note of example.workflow.nodes.filter(isNote)) {
				const box = noteBox(note);
				const [, ...paragraphs] = (note.parameters.content as string).split('\n');
				const perLine = (box.right - box.left - 32) / TEXT.character;
				const lines = paragraphs.map((text) => Math.max(1, Math.ceil(text.replaceAll('*', '').length / perLine)));
				const bottom = box.top + TEXT.heading + TEXT.line * lines.reduce((sum, count) => sum + count, 0);
				const within = nodes.map((node) => nodeBox(example, node)).filter((node) => contains(box, node));
				const end = Math.min(box.bottom, ...within.map(({ top }) => top));
				expect.soft(bottom, `${example.name}: text of "${note.name}"`).toBeLessThanOrEqual(end);
			}
		}
	});

	it('has no two nodes or notes on top of each other', () => {
		for (const example of examples) {
			for (const boxes of [
				example.workflow.nodes.filter(isNote).map(noteBox),
				example.workflow.nodes.filter((node) => !isNote(node)).map((node) => nodeBox(example, node)),
			]) {
				const pairs = boxes.flatMap((one, i) => boxes.slice(i + 1).map((other) => [one, other]));
				expect
					.soft(
						pairs.filter(([one, other]) => overlap(one, other)).map((pair) => pair.map(({ name }) => name)),
						example.name,
					)
					.toEqual([]);
			}
		}
	});

	it('has no lines that cross', () => {
		for (const example of examples) {
			const lines = linesOf(example);
			const pairs = lines.flatMap((one, i) => lines.slice(i + 1).map((other): [Line, Line] => [one, other]));
			expect
				.soft(
					pairs.filter(([one, other]) => cross(one, other)).map((pair) => pair.map(({ name }) => name)),
					example.name,
				)
				.toEqual([]);
		}
	});
});
