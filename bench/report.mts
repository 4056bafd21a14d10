/** Shows the figures in the terminal and on docs/dev/performance.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

import { hostNode } from '../host/n8n.mjs';
import { ROOT } from '../tools/processes.mjs';
import { measuredAt, tableOf } from '../tools/tables.mjs';
import type { Figure, Part } from './measurement.mjs';
import { N8N_MANIFEST } from './n8n.mjs';

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
		const { what, ours, against, ratio, earlier } = figure;
		const then = earlier === undefined ? '' : `earlier version: ${earlier.toFixed(2)}`;
		const comparison = against ? [against, `ratio ${ratio!.toFixed(2)}`, then, verdictOn(figure)] : [];
		console.log([`${what}: ${ours}`, ...comparison.filter(Boolean)].join(', '));
	}
}

export async function writePage(parts: Part[], rounds: number): Promise<void> {
	const sections = parts.map(({ title, method, figures }) => {
		const rows = figures.map((figure) => ({
			What: figure.what,
			'this package': figure.ours,
			'compared with': figure.against ?? '',
			ratio: figure.ratio?.toFixed(2) ?? '',
			...(figures.some(({ earlier }) => earlier !== undefined) && {
				'earlier version': figure.earlier?.toFixed(2) ?? '',
			}),
			goal: verdictOn(figure),
		}));
		return `## ${title}\n\n${method}\n\n${tableOf(rows)}`;
	});
	await writeFile(join(ROOT, PAGE), `${[await opening(rounds), ...sections].join('\n\n')}\n`);
	console.log(`\nWritten: ${PAGE}`);
}

async function opening(rounds: number): Promise<string> {
	const { version } = JSON.parse(await readFile(N8N_MANIFEST, 'utf8')) as { version: string };
	const { stdout: node } = await execa(hostNode(), ['--version']);
	return `# Performance

After this page, you know how fast the nodes are beside n8n's own, and how much memory they take. \`npm run bench\` measures it and writes the page.

${await measuredAt()}, with n8n ${version} on Node.js ${node.slice(1)}, on ${cpus().length} cores, with n8n's default settings (SQLite, expression engine \`vm\`). Other programs may have run beside it, so compare only the figures of a row: the contenders take turns, and the ratio, ours divided by the other's, is the median of ${rounds} rounds. Smaller is better.`;
}
