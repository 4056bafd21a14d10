/** Shows the figures in the terminal, and writes them to bench/measured.json and, from there, to docs/dev/performance.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

import { hostNode } from '../host/n8n.mjs';
import { ROOT } from '../scripts/base/processes.mjs';
import { measuredAt, tableOf } from '../scripts/base/tables.mjs';
import { type Figure, NOISE, type Part } from './measurement.mjs';
import { N8N_MANIFEST } from './n8n.mjs';

const FILE = 'bench/measured.json';
const PAGE = 'docs/dev/performance.md';

const verdictOn = ({ ratio, goal }: Figure): string => {
	if (ratio === undefined || goal === undefined) return '';
	// As the page shows it.
	const isMet = Number(ratio.toFixed(2)) <= goal;
	return isMet ? `at most ${goal}: met` : `at most ${goal}: **not met**`;
};

export function print({ title, figures }: Part): void {
	console.log(`\n${title}`);
	for (const figure of figures) {
		const { what, ours, against, ratio } = figure;
		const comparison = against ? [against, `ratio ${ratio!.toFixed(2)}`, verdictOn(figure)] : [];
		console.log([`${what}: ${ours}`, ...comparison.filter(Boolean)].join(', '));
	}
}

/** What was measured, and with what. */
export interface Measured {
	/** The day and the commit. */
	at: string;
	n8n: string;
	node: string;
	cores: number;
	/** Programs that waited for a processor, on average, when the measurement ended; 0 where the system doesn't tell. */
	load: number;
	/** The earlier version: a tag or a commit. */
	earlier: string;
	rounds: number;
	parts: Part[];
}

export async function measuredWith(earlier: string, rounds: number): Promise<Omit<Measured, 'parts'>> {
	const { version } = JSON.parse(await readFile(N8N_MANIFEST, 'utf8')) as { version: string };
	const { stdout: node } = await execa(hostNode(), ['--version']);
	return {
		at: await measuredAt(),
		n8n: version,
		node: node.slice(1),
		cores: cpus().length,
		load: Math.round(loadavg()[2]),
		earlier,
		rounds,
	};
}

/** The page of what was measured. */
export function pageOf({ at, n8n, node, cores, load, earlier, rounds, parts }: Measured): string {
	const busy = load > cores ? `, with ${load} programs at once on average` : '';
	const opening = `# Performance

After this page, you know how fast the nodes are beside n8n's own, and how much memory they take. \`npm run bench\` measures it and writes the page, from \`bench/measured.json\`.

${at}, with n8n ${n8n} on Node.js ${node}, on ${cores} cores${busy}, with n8n's default settings (SQLite, expression engine \`vm\`). Other programs may have run beside it, so compare only the figures of a row: the contenders take turns, and the ratio, ours divided by the other's, is the median of ${rounds} rounds. Smaller is better. The earlier version is that of ${earlier}; what takes more than ${NOISE} times as much as there got worse.

Our nodes take each answer as a stream, so that one that is too long can be stopped. n8n passes axios an endless \`maxContentLength\`, for which axios wraps each stream in a generator that counts its bytes. That takes processor time of every answer, which only n8n can save, by passing no limit where the caller gives none.`;
	const sections = parts.map(({ title, method, figures }) => {
		const rows = figures.map((figure) => ({
			What: figure.what,
			'this package': figure.ours,
			'compared with': figure.against ?? '',
			ratio: figure.ratio?.toFixed(2) ?? '',
			goal: verdictOn(figure),
		}));
		return `## ${title}\n\n${method}\n\n${tableOf(rows)}`;
	});
	return `${[opening, ...sections].join('\n\n')}\n`;
}

export async function write(measured: Measured): Promise<void> {
	await writeFile(join(ROOT, FILE), `${JSON.stringify(measured, null, '\t')}\n`);
	await writeFile(join(ROOT, PAGE), pageOf(measured));
	console.log(`\nWritten: ${FILE}, ${PAGE}`);
}
