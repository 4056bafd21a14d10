/**
 * What others send (names of files, answers, events, invoices) must not stop n8n, in which all executions share one thread.
 * The linter looks at the patterns of the published code, too (eslint.tools.config.mjs); here each of them runs. What is
 * made of them: shared/errors/hostileInput.test.mts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { processorTime } from '../support/processorTime.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILES = ['nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(path.join(ROOT, folder), { recursive: true }).map((file) => path.join(folder, String(file))),
	)
	.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));

/** The regular expressions that are written in a file. */
function patternsIn(file: string): RegExp[] {
	const source = ts.createSourceFile(
		file,
		readFileSync(path.join(ROOT, file), 'utf8'),
		ts.ScriptTarget.Latest,
	);
	const found: RegExp[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/s.exec(node.text)!;
			found.push(new RegExp(pattern, flags.replace('g', '')));
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Characters of a text. A pattern that is quadratic takes a second for it, one that is linear a millisecond. */
const LENGTH = 40_000;
const LIMIT_MS = 400;

const REPEATED = [
	...'a A 0 9 . , : ; - + _ / \\ < > ( ) [ ] { } " \' & % $ # @ = * ü € 👍'.split(' '),
	' ',
	'\t',
	'\n',
	'\u00a0',
	'a0',
	'a ',
	'0 ',
	'0.',
	'1.000',
	' (a',
	'(a)',
	'a.',
	'<a',
	'00:',
	'-00',
	'a:',
	'K-1 ',
];
const TEXTS = REPEATED.flatMap((unit) => {
	const many = unit.repeat(LENGTH / unit.length);
	return [`${many}!`, `!${many}`, `0${many}!`, ` ${many}\n`];
});

describe.each(FILES.map((file) => [file, patternsIn(file)] as const).filter(([, found]) => found.length > 0))(
	'%s',
	(_file, patterns) => {
		it.each(patterns.map((pattern) => [pattern]))(
			'%s takes time in proportion to the length of a text',
			(pattern) => {
				for (const text of TEXTS) {
					const took = processorTime(() => text.search(pattern));
					if (took > LIMIT_MS) expect.fail(`${text.slice(0, 10)}…${text.slice(-3)} took ${took} ms`);
				}
			},
		);
	},
);

it('all patterns are found', () => {
	expect(FILES.flatMap(patternsIn).length).toBeGreaterThan(60);
});
