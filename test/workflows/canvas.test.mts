/** The examples on n8n's canvas: what a person sees who opens one. */
import type { INode } from 'n8n-workflow';
import { beforeAll, describe, expect, it } from 'vitest';

import { type Example, readExamples } from '../../scripts/start/examples.mjs';

/** Of a node, without its name below it; several outputs or inputs make it higher. */
const NODE = 96;
const PORT = 32;
/** Of the name below a node: n8n breaks it after so many pixels, of so many a character. */
const LABEL = { height: 47, character: 7.5, atMost: 192 };
/**
 * How n8n 2.40.7 opens a workflow. Its canvas (`Canvas` in `n8n-editor-ui/dist/assets/useWorkflowDocumentRenderData-*.js`)
 * calls `fitView({ maxZoom: 1, padding: .2 })` of Vue Flow (`workflows.store-*.js`), which fits nodes and notes, without
 * the names below them, and leaves `padding` of what it shows free, half of it on each side.
 */
const FIT = { maxZoom: 1, padding: 0.2 };
/** What n8n's sidebar, header and bar of logs leave of a window of 1440 × 900 (measured in it). */
const CANVAS = { width: 1398, height: 798 };
/** Of a note's text, in pixels at zoom 1 (`._sticky_… p`: `--font-size--sm`), and the least that can be read. */
const NOTE_FONT = { size: 14, least: 10 };
const GRID = 16;
/** Of a line that leads back: so far it goes down, and so far beside the nodes, before it turns. */
const BACK = { down: 130, beside: 40 };
/** Between lines that run along each other. */
const FREE = 8;
/** Ports are so far outside of a node. */
const PORT_OUTSIDE = 8;

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}
/** Of a note's text: pixels of a character, of a line, and of a heading (`##`, `###`) with what is around the text. */
const TEXT = { character: 6.8, line: 19, heading: { 2: 58, 3: 48 } as Record<number, number> };

type Point = [x: number, y: number];

interface Line {
	name: string;
	source: string;
	/** Name and input. */
	target: string;
	points: Point[];
}

let examples: Example[];
beforeAll(async () => {
	examples = await readExamples();
});

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

/** Where n8n puts what it opens: at the next point of a grid, below 0 at the nearest one. */
const onGrid = ({ position }: INode) =>
	position.map((at) => GRID * (at > 0 ? Math.ceil(at / GRID) : -Math.round(-at / GRID))) as Point;

function noteBox(node: INode): Box {
	const { name, parameters } = node;
	const [left, top] = onGrid(node);
	const { width, height } = parameters as { width: number; height: number };
	return { name, left, top, right: left + width, bottom: top + height };
}

const outputsOf = ({ workflow }: Example, { name }: INode) => workflow.connections[name]?.main.length ?? 1;
const inputsOf = ({ type, parameters }: INode) =>
	type === 'n8n-nodes-base.merge' ? ((parameters.numberInputs as number | undefined) ?? 2) : 1;
const heightOf = (example: Example, node: INode) =>
	Math.max(NODE, (Math.max(outputsOf(example, node), inputsOf(node)) + 1) * PORT);

/** What it does, or which workflow it calls, stands below its name at full width. */
const hasLongSubtitle = ({ type }: INode) =>
	type.startsWith('n8n-nodes-accounting-gateway.') || type === 'n8n-nodes-base.executeWorkflow';

/** A node with its name, and with what stands below it. */
function nodeBox(example: Example, node: INode, withSubtitle = false): Box {
	const [left, top] = onGrid(node);
	const isFull = withSubtitle && hasLongSubtitle(node);
	const half = (isFull ? LABEL.atMost : Math.min(LABEL.atMost, node.name.length * LABEL.character)) / 2;
	const middle = left + NODE / 2;
	return {
		name: node.name,
		left: Math.min(left, middle - half),
		right: Math.max(left + NODE, middle + half),
		top,
		bottom: top + heightOf(example, node) + LABEL.height,
	};
}

const contains = (one: Box, other: Box) =>
	one.left <= other.left && one.right >= other.right && one.top <= other.top && one.bottom >= other.bottom;
const overlap = (one: Box, other: Box) =>
	one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** A line as n8n draws it: a curve, or one with corners where it leads back. */
function pathOf([x1, y1]: Point, [x2, y2]: Point): Point[] {
	if (x1 - 20 > x2) {
		const turn = y1 + BACK.down;
		return [
			[x1, y1],
			[x1 + BACK.beside, y1],
			[x1 + BACK.beside, turn],
			[x2 - BACK.beside, turn],
			[x2 - BACK.beside, y2],
			[x2, y2],
		];
	}
	const middle = (x1 + x2) / 2;
	return Array.from({ length: 41 }, (_, i): Point => {
		const t = i / 40;
		const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
		const at = (values: number[]) => values.reduce((sum, value, k) => sum + value * weights[k], 0);
		return [at([x1, middle, middle, x2]), at([y1, y1, y2, y2])];
	});
}

/** The connections, from port to port. */
function linesOf(example: Example): Line[] {
	const byName = Object.fromEntries(example.workflow.nodes.map((node) => [node.name, node]));
	const portAt = (node: INode, index: number, count: number) =>
		onGrid(node)[1] + heightOf(example, node) / 2 + (index - (count - 1) / 2) * PORT;
	return Object.entries(example.workflow.connections).flatMap(([source, { main }]) =>
		main.flatMap((targets, output) =>
			(targets ?? []).map(({ node: target, index }): Line => {
				const [from, to] = [byName[source], byName[target]];
				return {
					name: `${source} → ${target}`,
					source: `${source} ${output}`,
					target: `${target} ${index}`,
					points: pathOf(
						[onGrid(from)[0] + NODE + PORT_OUTSIDE, portAt(from, output, main.length)],
						[onGrid(to)[0] - PORT_OUTSIDE, portAt(to, index, inputsOf(to))],
					),
				};
			}),
		),
	);
}

const piecesOf = ({ points }: Line) => points.slice(1).map((to, i): [Point, Point] => [points[i], to]);

/** Around a piece of a line, with what must stay free beside it. */
const boxOf = ([[x1, y1], [x2, y2]]: [Point, Point]): Box => ({
	name: '',
	left: Math.min(x1, x2) - FREE,
	right: Math.max(x1, x2) + FREE,
	top: Math.min(y1, y2) - FREE,
	bottom: Math.max(y1, y2) + FREE,
});

/** Whether two lines have a point in common or run along each other, where they don't begin or end at one port. */
function cross(one: Line, other: Line): boolean {
	if (one.source === other.source || one.target === other.target) return false;
	const side = ([[ax, ay], [bx, by]]: [Point, Point], [x, y]: Point) =>
		Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
	const meet = (a: [Point, Point], b: [Point, Point]) =>
		side(a, b[0]) * side(a, b[1]) < 0 && side(b, a[0]) * side(b, a[1]) < 0;
	/** Both straight across, or both straight down, with hardly anything between them. */
	const runAlong = (a: [Point, Point], b: [Point, Point]) =>
		[0, 1].some((axis) => {
			const [low, high] = [a, b].map((piece) => piece.map((point) => point[1 - axis]).sort((m, n) => m - n));
			const isStraight = [a, b].every(([from, to]) => Math.abs(from[axis] - to[axis]) < 1);
			return (
				isStraight &&
				Math.abs(a[0][axis] - b[0][axis]) < FREE &&
				Math.min(low[1], high[1]) - Math.max(low[0], high[0]) > FREE
			);
		});
	const candidates = piecesOf(other).map((piece) => ({ piece, box: boxOf(piece) }));
	return piecesOf(one).some((a) => {
		const box = boxOf(a);
		return candidates.some((b) => overlap(box, b.box) && (meet(a, b.piece) || runAlong(a, b.piece)));
	});
}

/** Points of a line, close to each other. */
const stepsOf = (line: Line): Point[] =>
	piecesOf(line).flatMap(([[x1, y1], [x2, y2]]) => {
		const count = Math.ceil(Math.hypot(x2 - x1, y2 - y1) / 8);
		return Array.from({ length: count }, (_, i): Point => [
			x1 + ((x2 - x1) * i) / count,
			y1 + ((y2 - y1) * i) / count,
		]);
	});
const isIn = ({ left, right, top, bottom }: Box, [x, y]: Point) =>
	left < x && x < right && top < y && y < bottom;

/** Where a note's text stands. */
function textBox(note: INode): Box {
	const box = noteBox(note);
	const [heading, ...paragraphs] = (note.parameters.content as string).split('\n');
	const perLine = (box.right - box.left - 32) / TEXT.character;
	const lines = paragraphs.map((text) => Math.max(1, Math.ceil(text.replaceAll('*', '').length / perLine)));
	const level = heading.indexOf(' ');
	const bottom = box.top + TEXT.heading[level] + TEXT.line * lines.reduce((sum, count) => sum + count, 0);
	return { ...box, bottom };
}

/** The zoom that n8n chooses when a workflow is opened. */
function openingZoom(example: Example): number {
	const boxes = example.workflow.nodes.map((node): Box => {
		if (isNote(node)) return noteBox(node);
		const [left, top] = onGrid(node);
		return { name: '', left, top, right: left + NODE, bottom: top + heightOf(example, node) };
	});
	const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
	const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
	const free = (side: number) => side - 2 * Math.floor((side - side / (1 + FIT.padding)) / 2);
	return Math.min(FIT.maxZoom, free(CANVAS.width) / width, free(CANVAS.height) / height);
}

describe('every example', () => {
	it('opens at a zoom at which its notes can be read', () => {
		for (const example of examples) {
			const size = NOTE_FONT.size * openingZoom(example);
			expect.soft(size, example.name).toBeGreaterThanOrEqual(NOTE_FONT.least);
		}
	});

	it('has each node with its name inside one box, or outside of all', () => {
		for (const example of examples) {
			const notes = example.workflow.nodes.filter(isNote).map(noteBox);
			for (const node of example.workflow.nodes.filter((one) => !isNote(one))) {
				const box = nodeBox(example, node, true);
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
				const { bottom } = textBox(note);
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
				example.workflow.nodes.filter(hasLongSubtitle).map((node) => nodeBox(example, node, true)),
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

	it('has no line behind a node or on the text of a note', () => {
		for (const example of examples) {
			const { nodes } = example.workflow;
			for (const line of linesOf(example)) {
				const steps = stepsOf(line);
				const nodesHit = nodes.filter((node) => {
					if (isNote(node)) return false;
					const [left, top] = onGrid(node);
					const box = { name: '', left, top, right: left + NODE, bottom: top + heightOf(example, node) };
					return steps.some((point) => isIn(box, point));
				});
				const notesHit = nodes.filter(
					(node) => isNote(node) && steps.some((point) => isIn(textBox(node), point)),
				);
				expect
					.soft(
						[...nodesHit, ...notesHit].map(({ name }) => name),
						`${example.name}: ${line.name}`,
					)
					.toEqual([]);
			}
		}
	});
});
