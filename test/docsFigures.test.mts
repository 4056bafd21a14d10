/**
 * Every figure in a page has a row in docs/dev/figures.json, which says where it comes from: a constant of the code or of a
 * setting, which this test reads, or a measurement or somebody else's page. A figure that no row has fails, and so does one that
 * isn't what the code says. docs/dev/performance.md and docs/dev/faults.md are made of what was measured.
 */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8');
const inOneLine = (text: string) => text.replace(/\s+/g, ' ');
const filesIn = (folder: string, ending: string, ...include: string[]) =>
	ts.sys
		.readDirectory(resolve(ROOT, folder), [ending], undefined, include)
		.map((path) => relative(ROOT, path));

interface Figure {
	/** Sentences' parts with `{}` in place of the figure. Each stands in some page. */
	said: string[];
	/** The file that decides, and the text in it that the figure follows. */
	in?: string;
	after?: string;
	/** What one of the page's units has of the file's: a megabyte of bytes. */
	per?: number;
	/** Or the setting of that file whose sizes are added up, in GB. */
	sum?: string;
	/** How many parts of a version a page names. */
	parts?: number;
	/** What no file decides, and who says so: the command that measured it and the day, a law, a page of n8n. */
	is?: string;
	source?: string;
}

const FIGURES = JSON.parse(read('docs/dev/figures.json')) as Figure[];
const GENERATED = ['docs/dev/performance.md', 'docs/dev/faults.md'];

interface Note {
	type: string;
	parameters: { content?: string };
}
/** What the notes on an example's canvas say. */
const notesOf = (path: string) =>
	(JSON.parse(read(path)) as { nodes: Note[] }).nodes
		.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
		.map(({ parameters }) => parameters.content)
		.join('\n');

/** The sentences of the nodes: help texts, errors, advice. */
const sentencesOf = (path: string) =>
	[...read(path).matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g)]
		.map(([, , text]) => text)
		.filter((text) => text.includes(' '))
		.join('\n');

/** Pages and notes in one line, without what a command writes into them. */
const PAGES = [
	...[...filesIn('.', '.md', '*.md'), ...filesIn('docs', '.md'), ...filesIn('.github', '.md')]
		.filter((path) => !GENERATED.includes(path))
		.map((path) => ({ path, text: read(path) })),
	...filesIn('workflows', '.json', '*.json').map((path) => ({ path, text: notesOf(path) })),
	...filesIn('nodes', '.ts').map((path) => ({ path, text: sentencesOf(path) })),
].map(({ path, text }) => ({
	path,
	text: inOneLine(text.replace(/<!-- versions -->[^]*?<!-- \/versions -->/, '')),
}));

const UNIT = [
	'GB|MB|kB|KB|[KMG]iB|ms|million|Millionen|times|mal|fach',
	'seconds?|Sekunden?|minutes?|Minuten?|hours?|Stunden?|days?|Tagen?|Tage|weeks?|Wochen|months|Monate|years|Jahre',
	'characters|Zeichen|bytes|tokens|texts|levels|rows|Zeilen|lines|files|Dateien|items|records|requests|entries|Einträge|Buchungen|bookings|clients|per second',
].join('|');
const FIGURE = new RegExp(
	[
		// A version, of n8n and Node.js also with two parts.
		String.raw`(?:n8n|Node\.js)\S{0,25}\s\(?\d+\.\d+(?:\.\d+)?`,
		String.raw`\b\d+\.\d+\.\d+\b(?![.\d])`,
		String.raw`(?<![\p{L}\d])\d+(?:[.,]\d+)*[\s-]?(?:${UNIT})(?!\p{L})`,
		// Thousands.
		String.raw`\b\d{1,3}(?:[.,]\d{3})+(?![\d,.]*\d)`,
	].join('|'),
	'gu',
);
/** Parts of a page that hold no claim: examples of values in code, days, addresses. */
const NO_CLAIM = /`[^`]*`|\d{1,2}\.\d{1,2}\.\d{4}|\d+\.\d+\.\d+\.\d+(?:\/\d+)?|\bhttps?:\/\/\S+/g;

const GIGABYTES: Record<string, number> = { g: 1, m: 1 / 1024 };
/** What all services of a file for Docker Compose have of something, e.g. `2g` each. */
function sumOf(text: string, setting: string): number {
	const { services } = parse(text, { merge: true }) as { services: Record<string, Record<string, string>> };
	const sizes = Object.values(services).map(
		({ [setting]: size }) => parseFloat(size) * GIGABYTES[size.at(-1)!],
	);
	return Math.round(10 * sizes.reduce((all, size) => all + size, 0)) / 10;
}

/** A figure as the file has it. */
function valueOf({ is, in: file, after, per, sum, parts }: Figure): string | number {
	if (is) return is;
	if (sum) return sumOf(read(file!), sum);
	const text = inOneLine(read(file!));
	const at = text.indexOf(after!);
	const [found] =
		at < 0 ? [undefined] : (/^[\d._]+(?: \*\*? [\d_]+)*/.exec(text.slice(at + after!.length)) ?? []);
	if (!found) throw new Error(`${file}: no figure after “${after}”`);
	if (parts) return found.split('.').slice(0, parts).join('.');
	if (found.split('.').length > 1) return found;
	const product = found
		.split(' * ')
		.map((factor) => factor.split(' ** ').map((part) => Number(part.replaceAll('_', ''))))
		.reduce((all, [base, exponent = 1]) => all * base ** exponent, 1);
	return product / (per ?? 1);
}

const GERMAN = /^docs\/de\/|^workflows\//;
const written = (value: string | number, path: string) =>
	typeof value === 'string' ? value : value.toLocaleString(GERMAN.test(path) ? 'de-DE' : 'en-US');

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
/** Finds what is said, with any figure. */
function patternOf(said: string): RegExp {
	const [before, behind] = said.split('{}').map(escaped);
	return new RegExp(String.raw`${before}(\d[\d.,]*\d|\d)${behind}`, 'g');
}

describe('the figures in pages', () => {
	it('are what the code, a setting, a measurement or their source says', () => {
		const wrong: string[] = [];
		for (const figure of FIGURES) {
			const value = valueOf(figure);
			for (const said of figure.said) {
				const places = PAGES.flatMap(({ path, text }) =>
					[...text.matchAll(patternOf(said))].map(([all, number]) => ({ path, all, number })),
				);
				if (!places.length) wrong.push(`“${said}” is in no page`);
				for (const { path, all, number } of places)
					if (number !== written(value, path))
						wrong.push(`${path}: “${all}”, but it is ${written(value, path)}`);
			}
		}
		expect(wrong).toEqual([]);
	});

	it('are each in docs/dev/figures.json', () => {
		const known = [...FIGURES.flatMap(({ said }) => said.map(patternOf)), NO_CLAIM];
		const unknown = PAGES.flatMap(({ path, text }) => {
			const covered = known.flatMap((pattern) =>
				[...text.matchAll(pattern)].map(({ 0: all, index }) => [index, index + all.length]),
			);
			return [...text.matchAll(FIGURE)]
				.filter(
					({ 0: { length }, index }) => !covered.some(([from, to]) => from < index + length && index < to),
				)
				.map(
					({ 0: { length }, index }) =>
						`${path}: “${text.slice(Math.max(0, index - 40), index + length + 30)}”`,
				);
		});
		expect(unknown).toEqual([]);
	});
});
