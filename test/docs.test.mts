/** What the documentation links to is there: files, pictures, headings. And the README is short. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { INode } from 'n8n-workflow';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const PAGES = [
	...ts.sys.readDirectory(ROOT, ['.md'], undefined, ['*.md']),
	...ts.sys.readDirectory(resolve(ROOT, 'docs'), ['.md']),
	...ts.sys.readDirectory(resolve(ROOT, '.github'), ['.md']),
];

const E2E_TESTS = ts.sys
	.readDirectory(resolve(ROOT, 'test'), ['.mts'])
	.map((path) => relative(ROOT, path))
	.filter((path) => path.endsWith('.e2e.mts'));

const EXAMPLES = ts.sys.readDirectory(resolve(ROOT, 'workflows'), ['.json'], undefined, ['*.json']);

/** The examples that an example calls, as the repository's paths. */
function calledBy(path: string): string[] {
	const { nodes } = JSON.parse(readFileSync(path, 'utf8')) as { nodes: INode[] };
	return nodes
		.filter(({ type }) => type === 'n8n-nodes-base.executeWorkflow')
		.map(({ parameters }) => `workflows/${(parameters.workflowId as { value: string }).value}.json`);
}

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

	it.each(PAGES.map((page) => relative(ROOT, page)))(
		'%s names only commands and tests that exist',
		(name) => {
			const page = readFileSync(resolve(ROOT, name), 'utf8');
			const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as {
				scripts: Record<string, string>;
			};
			const commands = [...page.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, command]) => command);
			expect(commands.filter((command) => !(command in scripts))).toEqual([]);
			const runs = [...page.matchAll(/(?:npx vitest run|npm test --|npm run test:e2e --) ([^`\n#]+)/g)];
			for (const [command, args] of runs) {
				const [option, quoted, bare] = /-t (?:'([^']+)'|(\S+))/.exec(args) ?? [''];
				const title = quoted ?? bare;
				const words = args.replace(option, '').split(/\s+/).filter(Boolean);
				const isE2e = command.includes('test:e2e');
				const given = isE2e ? words : words.filter((word) => word.startsWith('test/'));
				// Vitest takes a part of a file's path.
				const matches = (part: string) => E2E_TESTS.filter((path) => path.includes(part));
				const isThere = (part: string) =>
					isE2e ? matches(part).length > 0 : existsSync(resolve(ROOT, part));
				expect(given.filter((part) => !isThere(part))).toEqual([]);
				const paths = isE2e ? given.flatMap(matches) : given;
				const tests = paths.filter((path) => path.endsWith('.mts')).map((path) => readFileSync(path, 'utf8'));
				if (title && tests.length > 0)
					expect(
						tests.some((text) => text.includes(title)),
						args,
					).toBe(true);
			}
		},
	);

	it.each(['docs/examples.md', 'docs/de/README.md'])('%s lists all examples', (name) => {
		const page = resolve(ROOT, name);
		const listed = targetsOf(page).map((target) => resolve(dirname(page), target));
		expect(EXAMPLES.filter((path) => !listed.includes(path))).toEqual([]);
	});

	// Without what it calls, it can't be published, and the node that calls it doesn't show why.
	it('says how to import an example that calls others, wherever it links to one', () => {
		const howTo = ['docs/examples.md#in-your-own-n8n', 'docs/de/README.md#ein-beispiel-im-eigenen-n8n'];
		for (const page of PAGES) {
			const targets = targetsOf(page).map((target) => relative(ROOT, resolve(dirname(page), target)));
			const isHowTo = howTo.some((one) => one.startsWith(`${relative(ROOT, page)}#`));
			if (isHowTo || howTo.some((one) => targets.includes(one))) continue;
			const called = EXAMPLES.filter((path) => targets.includes(relative(ROOT, path))).flatMap(calledBy);
			expect
				.soft(
					called.filter((path) => !targets.includes(path)),
					relative(ROOT, page),
				)
				.toEqual([]);
		}
	});

	it('can be reached from one of the two READMEs', () => {
		const linked = ['README.md', 'docs/de/README.md']
			.map((name) => resolve(ROOT, name))
			.flatMap((readme) => targetsOf(readme).map((target) => resolve(dirname(readme), target.split('#')[0])));
		const pages = PAGES.filter((page) => page.startsWith(resolve(ROOT, 'docs')));
		expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
	});
});

it('the CHANGELOG says nothing twice in a release', () => {
	const releases = readFileSync(resolve(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## /m);
	for (const release of releases) {
		const titles = [...release.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, title]) => title);
		expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
	}
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

/** What the nodes write to n8n's log, as far as it begins with a fixed text: that text. */
function logLines(): string[] {
	const lines: string[] = [];
	for (const path of ts.sys.readDirectory(resolve(ROOT, 'nodes'), ['.ts'])) {
		const visit = (node: ts.Node) => {
			node.forEachChild(visit);
			if (
				!ts.isCallExpression(node) ||
				!/\b(logger|LoggerProxy)\.(info|warn|error)$/.test(node.expression.getText())
			)
				return;
			const [line] = node.arguments;
			if (ts.isTemplateExpression(line)) lines.push(line.head.text);
			else if (ts.isStringLiteralLike(line)) lines.push(line.text);
		};
		visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
	}
	return lines.filter(Boolean);
}

it('docs/administration.md lists what the nodes write to n8n’s log', () => {
	const page = readFileSync(resolve(ROOT, 'docs/administration.md'), 'utf8');
	const rows = [...page.matchAll(/^\| (?:info|warn|error)[^|]*\|([^|]*)\|/gm)];
	const listed = rows.flatMap(([, cell]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text));
	const lines = logLines();
	expect(lines.length).toBeGreaterThan(12);
	expect(
		lines.filter((line) => !listed.some((text) => text.startsWith(line) || line.startsWith(text))),
	).toEqual([]);
});

describe('a figure in the documentation is the one in the code', () => {
	const words = (name: string) => readFileSync(resolve(ROOT, name), 'utf8').replace(/\s+/g, ' ');
	const source = ts.sys
		.readDirectory(resolve(ROOT, 'nodes'), ['.ts'])
		.map((file) => readFileSync(file, 'utf8'))
		.join('\n');

	/** What a constant of `nodes/` is set to, wherever it stands. */
	function constant(name: string): string {
		const values = [
			...source.matchAll(new RegExp(`^(?:export )?const ${name}(?:: [^=\\n]+)? = (.+);$`, 'gm')),
		];
		expect(values, name).toHaveLength(1);
		return values[0][1].replaceAll('_', '');
	}

	it.each([
		['WRITES_AT_ONCE', '4', 'docs/administration.md', 'Up to four writes are in flight at once'],
		['WRITES_AT_ONCE', '4', 'docs/tickets.md', 'sent up to four at a time'],
		['WRITES_AT_ONCE', '4', 'docs/guarantees.md', 'sent up to four at a time'],
		['MAX_CONCURRENCY', '32', 'docs/administration.md', '(32 at most)'],
		['DEFAULT_TIMEOUT', '300', 'docs/administration.md', '*Timeout* (300 seconds by default)'],
		['DEFAULT_TIMEOUT', '300', 'docs/usage.md', 'including retries (300)'],
		['TRIES', '4', 'docs/administration.md', 'Reads are tried up to four times'],
		['FIRST_PAUSE', '0.5', 'docs/administration.md', 'pauses of 0.5, 1 and 2 seconds'],
		['MAX_BODY_BYTES', '256 * 1024', 'docs/trigger.md', 'the body is larger than 256 KiB'],
		['CLEAR_AFTER_MS', '5000', 'docs/trigger.md', 'the address is cleared five seconds later'],
		['PAUSES', '[1, 2, 4, 8, 15]', 'docs/trigger.md', 'up to five times within half a minute'],
		[
			'WORKFLOW',
			"{ scope: 'workflow', maxEntries: 10000 }",
			'docs/administration.md',
			'at most 10,000 hashes',
		],
		['EVENTS', "{ scope: 'node', maxEntries: 2000 }", 'docs/trigger.md', 'the last 2,000 events of the node'],
		[
			'WRITES',
			"{ scope: 'node', maxEntries: 10040 }",
			'docs/delivery.md',
			'the last 10,000 entries of the node',
		],
	])('%s is %s: %s says “%s”', (name, value, page, said) => {
		if (name !== 'FIRST_PAUSE') expect(constant(name)).toBe(value);
		else expect(source).toContain('FIRST_PAUSE = 0.5;');
		expect(words(page)).toContain(said);
	});
});
