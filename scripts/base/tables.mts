/** Tables in Markdown that a command writes into a page. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

import { ROOT, UserError } from './processes.mjs';

/** A row, by the names of its columns. */
export type Row = Record<string, string | number>;

export function tableOf(rows: Row[]): string {
	const line = (cells: unknown[]) => `| ${cells.join(' | ')} |`;
	const columns = Object.keys(rows[0]);
	return [line(columns), line(columns.map(() => '---')), ...rows.map((row) => line(Object.values(row)))].join(
		'\n',
	);
}

/** Says when and at which commit a table was made, so that a reader can tell how old its figures are. */
export async function measuredAt(): Promise<string> {
	const { stdout: commit } = await execa('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT });
	const day = new Date().toLocaleDateString('en-US', { dateStyle: 'long' });
	return `Measured on ${day}, at commit ${commit}`;
}

/**
 * Replaces the table that a page has between `<!-- name -->` and `<!-- /name -->`.
 * @param page path in the repository
 */
export async function writeTable(page: string, name: string, table: string): Promise<void> {
	const file = join(ROOT, page);
	const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
	const text = await readFile(file, 'utf8');
	const [before, rest] = text.split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined) throw new UserError(`${page} has no place for the table (${begin} … ${end}).`);
	await writeFile(file, `${before}${begin}\n\n${table}\n\n${end}${after}`);
}
