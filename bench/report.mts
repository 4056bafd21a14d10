/** Shows what was measured: in the terminal, as docs/performance.md, and as a chart. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import escape from 'lodash/escape.js';
import upperFirst from 'lodash/upperFirst.js';

import { hostNode } from '../host/n8n.mjs';
import { ROOT } from '../scripts/shared/processes.mjs';
import { type Row, tableOf } from '../scripts/shared/tables.mjs';
import { isMet, type Measurement, type Part } from './measurement.mjs';
import { N8N_MANIFEST } from './n8n.mjs';

const PAGE = join(ROOT, 'docs/performance.md');
const CHART = 'images/performance.svg';

export function printPart({ title, measurements, notes = [] }: Part): void {
	console.log(`\n${title}`);
	for (const one of measurements) {
		const theirs = one.theirs ? ` against ${one.theirs}` : '';
		const verdict = one.goal === undefined ? '' : `, goal ${one.goal}: ${isMet(one) ? 'met' : 'NOT MET'}`;
		console.log(`${one.what}: ${one.ours}${theirs} (${one.against}): ${shown(one.value)}${verdict}`);
	}
	for (const note of notes) console.log(note);
}

/** Writes the page and its chart. */
export async function writeReport(parts: Part[], rounds: number): Promise<void> {
	const goals = parts.flatMap(({ measurements }) => measurements.filter(({ goal }) => goal !== undefined));
	const missed = goals.filter((one) => !isMet(one));
	const sections = parts.map(({ title, method, measurements, notes = [] }) =>
		[
			`## ${title}`,
			method,
			...(measurements.length > 0 ? [tableOf(measurements.map(rowOf))] : []),
			...notes,
		].join('\n\n'),
	);
	const page = [
		'# Speed and memory',
		`\`npm run bench\` measures all of this side by side in one run and writes this page. Ratios are our figure to the other's, medians of ${rounds} round(s) in which all take turns, unless a section says otherwise; smaller is better.`,
		`${goals.length - missed.length} of ${goals.length} goals are met. ${await versions()}`,
		`![Each figure as a share of its goal](${CHART})`,
		...sections,
	];
	await writeFile(PAGE, `${page.join('\n\n')}\n`);
	await writeFile(join(ROOT, 'docs', CHART), chartOf(goals));
	console.log(`\nWritten: docs/performance.md and docs/${CHART}`);
}

async function versions(): Promise<string> {
	const version = async (path: string) =>
		(JSON.parse(await readFile(path, 'utf8')) as { version: string }).version;
	const node = (await execa(hostNode(), ['--version'])).stdout;
	const [n8n, own] = await Promise.all([version(N8N_MANIFEST), version(join(ROOT, 'package.json'))]);
	return `Measured with n8n ${n8n} on Node.js ${node.slice(1)}, package ${own}, on ${cpus().length} cores, with n8n's default settings (SQLite, expression engine \`vm\`) unless stated otherwise.`;
}

/** A number with as many digits as are meaningful. */
const shown = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

function rowOf(one: Measurement): Row {
	const { what, against, ours, theirs = '', value, goal } = one;
	return {
		What: upperFirst(what),
		ours,
		against: theirs ? `${against}: ${theirs}` : against,
		figure: shown(value),
		goal: goal === undefined ? '' : `≤ ${goal}`,
		'': goal === undefined ? '' : isMet(one) ? 'met' : '**not met**',
	};
}

const WIDTH = 900;
const ROW = 44;
const TOP = 56;
const LEFT = 12;
/** The width of a figure that equals its goal; longer bars end at the edge of the picture. */
const GOAL_WIDTH = 560;

/** Bars of each figure as a share of its goal. The colors suit a light and a dark page. */
export function chartOf(goals: Measurement[]): string {
	const height = TOP + goals.length * ROW + 8;
	const rows = goals.map((one, i) => {
		const share = one.value / one.goal!;
		const width = Math.min(WIDTH - LEFT * 2, Math.max(2, share * GOAL_WIDTH)).toFixed(1);
		const y = TOP + i * ROW;
		const label = `${upperFirst(one.what)}, against ${one.against}`;
		return [
			`<text x="${LEFT}" y="${y + 12}">${escape(label)}</text>`,
			`<rect class="${isMet(one) ? 'met' : 'missed'}" x="${LEFT}" y="${y + 18}" width="${width}" height="14" rx="2"/>`,
			`<text class="figure" x="${LEFT + 6}" y="${y + 29}">${shown(one.value)} of ${one.goal}</text>`,
		].join('\n\t');
	});
	const goal = LEFT + GOAL_WIDTH;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
	<title id="title">Each figure as a share of its goal; shorter is better</title>
	<style>
		text { font: 12px system-ui, sans-serif; fill: #1f2328; }
		.head { font-size: 14px; font-weight: 600; }
		.figure { font-size: 11px; fill: #fff; }
		.met { fill: #1a7f5a; }
		.missed { fill: #b35900; }
		line { stroke: #59636e; stroke-dasharray: 4 3; }
		@media (prefers-color-scheme: dark) {
			text { fill: #e6edf3; }
			.figure { fill: #fff; }
			.met { fill: #238a63; }
			line { stroke: #9198a1; }
		}
	</style>
	<text class="head" x="${LEFT}" y="22">Each figure as a share of its goal: shorter is better</text>
	<text x="${goal}" y="42" text-anchor="middle">goal</text>
	<line x1="${goal}" x2="${goal}" y1="48" y2="${height - 6}"/>
	${rows.join('\n\t')}
</svg>
`;
}
