/** Shows the results in the terminal, in docs/dev/performance.md, and as a chart. */
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

const PAGE = join(ROOT, 'docs/dev/performance.md');
const CHART = 'docs/images/performance.svg';

export function printPart({ title, measurements, notes = [] }: Part): void {
	console.log(`\n${title}`);
	for (const one of measurements) {
		const theirs = one.theirs ? ` against ${one.theirs}` : '';
		const verdict = one.goal === undefined ? '' : `, goal ${one.goal}: ${isMet(one) ? 'met' : 'NOT MET'}`;
		console.log(`${one.what}: ${one.ours}${theirs} (${one.against}): ${shown(one.value)}${verdict}`);
	}
	for (const note of notes) console.log(note);
}

/** The measurements that the top of the page shows to users. */
const EXPECTED = [
	'400 look-ups, a gateway that answers after 50 ms: time',
	'40,000 bookings of two lines in one answer: time',
	'300 cash-book entries, 10 ms for an answer: time',
	'A file of 200 MB, as the node sends it: growth of memory (RSS)',
];

/** Writes the page and its chart. */
export async function writeReport(parts: Part[], rounds: number): Promise<void> {
	const all = parts.flatMap(({ measurements }) => measurements);
	const sections = parts.map(({ title, method, measurements, notes = [] }) =>
		[
			`## ${title}`,
			method,
			...(measurements.length > 0 ? [tableOf(measurements.map(rowOf))] : []),
			...notes,
		].join('\n\n'),
	);
	await writeFile(PAGE, `${[opening(all, rounds, await versions()), ...sections].join('\n\n')}\n`);
	await writeFile(join(ROOT, CHART), chartOf(all));
	console.log(`\nWritten: docs/dev/performance.md and ${CHART}`);
}

/** The top of the page: for users, in five lines and a picture. */
export function opening(all: Measurement[], rounds: number, measuredWith: string): string {
	// If a figure is compared with several programs, only the first comparison is shown.
	const expected = EXPECTED.flatMap((name) => all.find(({ what }) => upperFirst(what) === name) ?? []);
	return [
		'# Performance',
		expected
			.map(({ what, ours, against, theirs }) => {
				const others = theirs ? ` (${against}: ${theirs})` : '';
				return `- ${upperFirst(what).replace(/: time$/, '')}: **${ours}**${others}`;
			})
			.join('\n'),
		"![This package's time and memory as a share of what n8n's own nodes take](../images/performance.svg)",
		`The rest of this page is for developers. \`npm run bench\` measures all of it and writes the page. Ratio: ours divided by the other's, median of ${rounds} alternating rounds unless a section says otherwise; smaller is better. ${measuredWith}`,
	].join('\n\n');
}

async function versions(): Promise<string> {
	const version = async (path: string) =>
		(JSON.parse(await readFile(path, 'utf8')) as { version: string }).version;
	const node = (await execa(hostNode(), ['--version'])).stdout;
	const [n8n, own] = await Promise.all([version(N8N_MANIFEST), version(join(ROOT, 'package.json'))]);
	return `Measured with n8n ${n8n} on Node.js ${node.slice(1)}, package ${own}, on ${cpus().length} cores, with n8n's default settings (SQLite, expression engine \`vm\`) unless stated otherwise.`;
}

/** Formats a number with only the meaningful digits. */
const shown = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

const isUnit = (against: string) => /^(ms|s|bytes|KB|MB)$/.test(against);

function rowOf(one: Measurement): Row {
	const { what, against, ours, theirs = '', value, goal } = one;
	return {
		What: upperFirst(what),
		'this package': ours,
		'compared with': theirs ? `${against}: ${theirs}` : isUnit(against) ? '' : against,
		'ratio, or figure': shown(value),
		goal: goal === undefined ? '' : `≤ ${goal}`,
		'': goal === undefined ? '' : isMet(one) ? 'met' : '**not met**',
	};
}

const WIDTH = 900;
const ROW = 44;
const TOP = 56;
const LEFT = 12;
/** The bar's width at a ratio of 1; longer bars end at the edge of the picture. */
const EQUAL_WIDTH = 560;

/** Draws each figure as a share of what n8n's own node takes. The colors work on light and dark pages. */
export function chartOf(all: Measurement[]): string {
	const bars = all.filter(
		({ against, theirs }) => theirs && /^the (HTTP Request|Webhook) node/.test(against),
	);
	const height = TOP + bars.length * ROW + 8;
	const rows = bars.map((one, i) => {
		const width = Math.min(WIDTH - LEFT * 2, Math.max(2, one.value * EQUAL_WIDTH)).toFixed(1);
		const y = TOP + i * ROW;
		const label = `${upperFirst(one.what)}, against ${one.against}`;
		return [
			`<text x="${LEFT}" y="${y + 12}">${escape(label)}</text>`,
			`<rect class="${one.value <= 1 ? 'less' : 'more'}" x="${LEFT}" y="${y + 18}" width="${width}" height="14" rx="2"/>`,
			`<text class="figure" x="${LEFT + 6}" y="${y + 29}">${escape(`${one.ours} : ${one.theirs}`)}</text>`,
		].join('\n\t');
	});
	const equal = LEFT + EQUAL_WIDTH;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
	<title id="title">This package against n8n's own nodes; shorter is better</title>
	<style>
		text { font: 12px system-ui, sans-serif; fill: #1f2328; }
		.head { font-size: 14px; font-weight: 600; }
		.figure { font-size: 11px; fill: #fff; }
		.less { fill: #1a7f5a; }
		.more { fill: #b35900; }
		line { stroke: #59636e; stroke-dasharray: 4 3; }
		@media (prefers-color-scheme: dark) {
			text { fill: #e6edf3; }
			.figure { fill: #fff; }
			.less { fill: #238a63; }
			line { stroke: #9198a1; }
		}
	</style>
	<text class="head" x="${LEFT}" y="22">This package against n8n's own nodes: shorter is better</text>
	<text x="${equal}" y="42" text-anchor="middle">n8n's own node</text>
	<line x1="${equal}" x2="${equal}" y1="48" y2="${height - 6}"/>
	${rows.join('\n\t')}
</svg>
`;
}
