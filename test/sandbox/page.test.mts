/** The texts of the sandbox's page: all of them are there in both languages. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

import { GERMAN as texts } from '../../sandbox/admin/page/german.js';

const GERMAN = texts as Record<string, string>;
const PAGE = new URL('../../sandbox/admin/page/', import.meta.url);

const quoted = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g;
const strings = (code: string) =>
	[...code.matchAll(quoted)].map(([, single, double]) => (single ?? double).replaceAll("\\'", "'"));

/** The English texts of the page: in its HTML, in calls of `t`, in the lists' columns, and what stands for an empty list. */
async function englishTexts(): Promise<string[]> {
	const names = (await readdir(fileURLToPath(PAGE))).filter(
		(name) => name.endsWith('.js') && name !== 'german.js',
	);
	const scripts = await Promise.all(names.map(async (name) => await readFile(new URL(name, PAGE), 'utf8')));
	const code = scripts.join('\n');
	const html = await readFile(new URL('index.html', PAGE), 'utf8');
	const inHtml = [
		...html.replace(/<script.*?<\/script>|<option[^>]* lang=.*/g, '').matchAll(/>([^<>]*[a-z][^<>]*)</gi),
	];
	const inAttributes = [...html.matchAll(/(?:aria-label|title)="([^"]*)"/g)];
	const faults = /const FAULTS = \{(.*?)\n\};/s.exec(code)?.[1] ?? '';
	return [
		...inHtml.map(([, text]) => text.trim().replace(/\s+/g, ' ')),
		...inAttributes.map(([, text]) => text),
		...[...code.matchAll(/\bt\(\s*((?:'[^'\n]*'|"[^"\n]*"|[^'"(){}])*)/g)].flatMap(([, given]) =>
			strings(given),
		),
		...[...code.matchAll(/(?:columns: \[(.*)\]|empty: (.*))/g)].flatMap(([line]) => strings(line)),
		...[...faults.matchAll(/^\t'([^']*)':/gm)].map(([, name]) => name),
	];
}

it('the texts of the sandbox’s page are all in German, with the same places for values', async () => {
	const english = await englishTexts();
	expect(english.length).toBeGreaterThan(90);
	expect(english.filter((text) => !Object.hasOwn(GERMAN, text))).toEqual([]);
	const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
	for (const [text, german] of Object.entries(GERMAN))
		expect([text, places(german)]).toEqual([text, places(text)]);
});

it('the texts of the sandbox’s page are all used', async () => {
	const english = new Set(await englishTexts());
	const states = [...'initiated info required,authorizing,processing,settled,failed,rejected'.split(',')];
	const ofTickets = ['active', 'cancelled', 'expired', 'partial'];
	expect(Object.keys(GERMAN).filter((text) => ![...english, ...states, ...ofTickets].includes(text))).toEqual(
		[],
	);
});
