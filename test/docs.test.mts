/** What the documentation links to is there: files, pictures, headings. And the README is short. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const PAGES = [
	...ts.sys.readDirectory(ROOT, ['.md'], undefined, ['*.md']),
	...ts.sys.readDirectory(resolve(ROOT, 'docs'), ['.md']),
	...ts.sys.readDirectory(resolve(ROOT, '.github'), ['.md']),
];

const withoutCode = (markdown: string) => markdown.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** The targets of a page's links and pictures, but for other sites. */
const targetsOf = (page: string) =>
	[...withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target]) => target)
		.filter((target) => !/^[a-z]+:/i.test(target));

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(page: string): string[] {
	const headings = readFileSync(page, 'utf8')
		.replace(/^```[^]*?^```/gm, '')
		.matchAll(/^#+ (.*)$/gm);
	return [...headings].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

function problemOf(page: string, target: string): string | undefined {
	const [path, anchor] = target.split('#');
	const file = path ? resolve(dirname(page), decodeURI(path)) : page;
	if (!existsSync(file)) return `${target}: no such file`;
	return anchor && !anchorsOf(file).includes(anchor) ? `${target}: no such heading` : undefined;
}

describe('the documentation', () => {
	it.each(PAGES.map((page) => relative(ROOT, page)))('%s has no broken links', (name) => {
		const page = resolve(ROOT, name);
		expect(targetsOf(page).flatMap((target) => problemOf(page, target) ?? [])).toEqual([]);
	});

	it('can be reached from one of the two READMEs', () => {
		const linked = ['README.md', 'docs/de/README.md']
			.map((name) => resolve(ROOT, name))
			.flatMap((readme) => targetsOf(readme).map((target) => resolve(dirname(readme), target.split('#')[0])));
		const pages = PAGES.filter((page) => page.startsWith(resolve(ROOT, 'docs')));
		expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
	});
});

describe('the README', () => {
	const lines = readFileSync(resolve(ROOT, 'README.md'), 'utf8').split('\n');

	it('has at most 120 lines, and two pictures', () => {
		expect(lines.length).toBeLessThanOrEqual(120);
		expect(lines.filter((line) => line.startsWith('![')).length).toBe(2);
	});

	it('names the two commands on the first screen', () => {
		const screen = lines.slice(0, 25).join('\n');
		expect(screen).toContain('npm install && npm start');
		expect(screen).toContain('npm test');
	});

	it('has n8n’s order of sections', () => {
		const sections = ['Installation', 'Operations', 'Credentials', 'Compatibility', 'Usage', 'Resources'];
		expect(lines.filter((line) => line.startsWith('## '))).toEqual(sections.map((name) => `## ${name}`));
	});
});
