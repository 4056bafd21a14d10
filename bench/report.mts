/** Shows the results in the terminal, on the pages for users and developers, and as a chart. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import escape from 'lodash/escape.js';
import upperFirst from 'lodash/upperFirst.js';

import { hostNode } from '../host/n8n.mjs';
import { ROOT } from '../scripts/shared/processes.mjs';
import { measuredAt, type Row, tableOf, writeTable } from '../scripts/shared/tables.mjs';
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

/** The page for users, which shows some of the measurements between two comments. */
const FOR_USERS = 'docs/operations.md';

/** These measurements, in a user's words. */
const EXPECTED: Record<string, string> = {
	'400 look-ups, a gateway that answers after 50 ms: time': 'Looking up 400 records, 50 ms for each answer',
	'40,000 bookings of two lines in one answer: time': "A year's journal of 40,000 bookings, as rows",
	'300 cash-book entries, 10 ms for an answer: time':
		'Booking 300 entries in one cash book, 10 ms for each answer',
	'An event that starts a workflow: processor time': 'An event of the payment trigger, in processor time',
	'A file of 200 MB, as the node sends it: growth of memory (RSS)': 'Memory for uploading a file of 200 MB',
};

/** Writes the tables to the developers' page, and the figures that users expect, with the chart, to theirs. */
export async function writeReport(parts: Part[], rounds: number): Promise<void> {
	const all = parts.flatMap(({ measurements }) => measurements);
	const measuredWith = await conditions();
	const sections = parts.map(({ title, method, measurements, notes = [] }) =>
		[
			`## ${title}`,
			method,
			...(measurements.length > 0 ? [tableOf(measurements.map(rowOf))] : []),
			...notes,
		].join('\n\n'),
	);
	await writeFile(PAGE, `${[opening(rounds, measuredWith), ...sections].join('\n\n')}\n`);
	await writeTable(FOR_USERS, 'performance', `${expectedOf(all)}\n\n${await measuredAt()}.`);
	await writeFile(join(ROOT, CHART), chartOf(all));
	console.log(`\nWritten: docs/dev/performance.md, ${FOR_USERS} and ${CHART}`);
}

/** The figures that a user expects, in a line each. If one is compared with several programs, only the first is named. */
function expectedOf(all: Measurement[]): string {
	const lines = Object.entries(EXPECTED).flatMap(([name, inWords]) => {
		const found = all.find(({ what }) => upperFirst(what) === name);
		if (!found) return [];
		const { ours, theirs, against } = found;
		return `- ${inWords}: **${ours}**${theirs ? ` (${against}: ${theirs})` : ''}`;
	});
	return lines.join('\n');
}

function opening(rounds: number, measuredWith: string): string {
	return [
		'# Performance',
		`After this page, you know how fast the nodes are beside n8n's own, and what that costs in memory. What users can expect: [operations](../operations.md#what-to-expect). \`npm run bench\` measures all of it and writes the page. Ratio: ours divided by the other's, median of ${rounds} alternating rounds unless a section says otherwise; smaller is better.`,
		measuredWith,
	].join('\n\n');
}

/** When, at which commit, and with what was measured. */
async function conditions(): Promise<string> {
	const version = async (path: string) =>
		(JSON.parse(await readFile(path, 'utf8')) as { version: string }).version;
	const node = (await execa(hostNode(), ['--version'])).stdout;
	return `${await measuredAt()}, with n8n ${await version(N8N_MANIFEST)} on Node.js ${node.slice(1)}, on ${cpus().length} cores, with n8n's default settings (SQLite, expression engine \`vm\`) unless stated otherwise.`;
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
