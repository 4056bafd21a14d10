/** What a reader of the documentation would notice: links that lead nowhere, commands and figures that aren't so. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const inRoot = (path: string) => relative(ROOT, path);
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8');

const PAGES = [
	...ts.sys.readDirectory(ROOT, ['.md'], undefined, ['*.md']),
	...ts.sys.readDirectory(resolve(ROOT, 'docs'), ['.md']),
	...ts.sys.readDirectory(resolve(ROOT, '.github'), ['.md']),
].map(inRoot);
const TESTS = ts.sys.readDirectory(resolve(ROOT, 'test'), ['.mts']).map(inRoot);
const EXAMPLES = ts.sys
	.readDirectory(resolve(ROOT, 'workflows'), ['.json'], undefined, ['*.json'])
	.map(inRoot);

const withoutFences = (markdown: string) => markdown.replace(/^```[^]*?^```/gm, '');
const withoutCode = (markdown: string) => withoutFences(markdown).replace(/`[^`\n]*`/g, '');

/** The targets of a page's links and pictures, but for other sites. */
const targetsOf = (page: string) =>
	[...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target]) => target)
		.filter((target) => !/^[a-z]+:/i.test(target));

/** The file that a link of a page leads to. */
function fileOf(page: string, target: string): string {
	const [path] = target.split('#');
	return path ? inRoot(resolve(ROOT, dirname(page), decodeURI(path))) : page;
}

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(page: string): string[] {
	const headings = read(page)
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
	const [, anchor] = target.split('#');
	const file = fileOf(page, target);
	if (!existsSync(resolve(ROOT, file))) return `${target}: no such file`;
	return anchor && !anchorsOf(file).includes(anchor) ? `${target}: no such heading` : undefined;
}

describe('the documentation', () => {
	it('says what each package is for, and of no other', () => {
		const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: object };
		const [, table] = read('CONTRIBUTING.md').split('| For | Packages |');
		const [rows] = table.split('\n\n');
		const named = [...rows.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
		expect(named.sort()).toEqual(Object.keys(devDependencies).sort());
	});

	it.each(PAGES)('%s has no broken links', (page) => {
		expect(targetsOf(page).flatMap((target) => problemOf(page, target) ?? [])).toEqual([]);
	});

	it.each(PAGES)('%s names only commands and tests that exist', (page) => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
		const text = read(page);
		const commands = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, command]) => command);
		expect(commands.filter((command) => !(command in scripts))).toEqual([]);
		const files = [...text.matchAll(/\btest\/[\w./-]+/g)].map(([path]) => path.replace(/\.$/, ''));
		expect(files.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
		const parts = [...text.matchAll(/npm run test:e2e -- (?!-)([\w.]+)/g)].map(([, part]) => part);
		expect(parts.filter((part) => !TESTS.some((path) => path.includes(part)))).toEqual([]);
	});

	it.each(['docs/examples.md', 'docs/de/beispiele.md'])('%s lists all examples', (page) => {
		const listed = targetsOf(page).map((target) => fileOf(page, target));
		expect(EXAMPLES.filter((path) => !listed.includes(path))).toEqual([]);
	});

	it('is reached from the README, page by page', () => {
		const reached = new Set(['README.md']);
		for (const page of reached) {
			for (const target of targetsOf(page)) {
				const file = fileOf(page, target);
				if (file.endsWith('.md') && existsSync(resolve(ROOT, file))) reached.add(file);
			}
		}
		expect(PAGES.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
	});

	it.each(PAGES)('%s has only tables that GitHub shows as such', (page) => {
		const lines = withoutFences(read(page)).split('\n');
		const cellsOf = (line = '') =>
			line.startsWith('|') ? line.replace(/`[^`]*`|\\\|/g, '').split('|').length : 0;
		const isBroken = (line: string, at: number) => {
			if (/^\|(?: ?-+ ?\|)+$/.test(line))
				return cellsOf(lines[at - 1]) !== cellsOf(line) || lines[at - 2] !== '';
			return (
				line.startsWith('|') && lines[at - 1].startsWith('|') && cellsOf(line) !== cellsOf(lines[at - 1])
			);
		};
		expect(lines.filter(isBroken)).toEqual([]);
	});
});

const SOURCE = ts.sys
	.readDirectory(resolve(ROOT, 'nodes'), ['.ts'])
	.map((file) => readFileSync(file, 'utf8'))
	.join('\n');

/** n8n's own settings that pages name. */
const OF_N8N = ['Activate', 'Deactivate', 'Fetch Only New Emails', 'Wait For Sub-Workflow Completion'];
const ITALIC = '(?:_[^_\\n]+_|\\*[^*\\n]+\\*)';

describe('the pages for users name only options that there are', () => {
	const form = SOURCE + read('credentials/AccountingGatewayApi.credentials.ts');
	const isThere = (name: string) =>
		OF_N8N.includes(name) ||
		name.split(': ').every((part) => form.includes(`'${part}'`) || form.includes(`'${part} (`));

	it.each(PAGES.filter((page) => !page.startsWith('docs/dev/')))('%s', (page) => {
		const text = withoutFences(read(page)).replaceAll('**', '');
		const namesIn = (part: string) =>
			[...part.matchAll(new RegExp(ITALIC, 'g'))].map(([name]) => name.slice(1, -1));
		const called = [...text.matchAll(new RegExp(`\\b[Oo]ption(?:s|en)? ${ITALIC}`, 'g'))].flatMap(([part]) =>
			namesIn(part),
		);
		// What is named in one breath with an option is one, too.
		const lists = [...text.matchAll(new RegExp(`${ITALIC}(?:(?:,| and| or| und| oder)\\s${ITALIC})+`, 'g'))]
			.map(([part]) => namesIn(part))
			.filter((names) => names.some((name) => form.includes(`displayName: '${name}'`)));
		expect([...called, ...lists.flat()].filter((name) => !isThere(name))).toEqual([]);
	});
});

it('the README names the n8n with which the package was tested', () => {
	const { dependencies } = JSON.parse(read('host/n8n/package.json')) as { dependencies: { n8n: string } };
	expect(read('README.md')).toContain(`and ${dependencies.n8n} (`);
});

it('docs/operations.md lists what the nodes write to n8n’s log', () => {
	const rows = [...read('docs/operations.md').matchAll(/^\| (?:info|warn|error)[^|]*\|([^|]*)\|/gm)];
	const listed = rows.flatMap(([, cell]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text));
	const calls = SOURCE.matchAll(
		/\b(?:logger|LoggerProxy)\.(?:info|warn|error)\(\s*(['`])(?!\$\{)(.+?)(?:\1|\$\{)/g,
	);
	const lines = [...calls].map(([, , text]) => text);
	expect(lines.length).toBeGreaterThan(5);
	expect(
		lines.filter((line) => !listed.some((text) => text.startsWith(line) || line.startsWith(text))),
	).toEqual([]);
});
