/** The English templates: made from the German examples, complete, and with nothing of anybody's account. */
import { readFile, readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

import { TEMPLATES, englishOf, fileOf, unused, written } from '../../workflows/make/makeEnglish.mjs';

const names = Object.keys(TEMPLATES);
/** German words, and letters that English has not. */
const GERMAN = /[äöüÄÖÜß„]|(?<![\w/@.-])(?:der|die|das|und|oder|nicht|ist|sind|wird|eine?r?|zu[mr]?|für|mit|von|bitte|Beleg\w*|Buch\w*|Zahlung\w*|Rechnung(?!seingang)\w*)(?![\w.-])/u;
/** Names of the gateway that stay German: its fields and values. */
const OF_GATEWAY = /\b(?:betrag|datum|datei|dokument|nummer|zahlung|rechnung|verkaeufer|beleg\w*|buSchluessel)\b/g;

it('are those in the folder, and their table has no text that no example has', async () => {
	expect((await readdir(new URL('../../workflows/en', import.meta.url))).sort()).toEqual(names.map((name) => `${name}.json`).sort());
	for (const name of names) await englishOf(name);
	expect([...unused]).toEqual([]);
});

describe.each(names)('%s', (name) => {
	it('is up to date', async () => {
		expect(await readFile(fileOf(name), 'utf8'), 'npx tsx workflows/make/makeEnglish.mts').toBe(written(await englishOf(name)));
	});

	it('has no German left', async () => {
		const { nodes } = await englishOf(name);
		for (const { name: node, parameters } of nodes)
			expect.soft(JSON.stringify(parameters).replace(OF_GATEWAY, ''), node).not.toMatch(GERMAN);
	});

	it('has notes, and no credentials, IDs of an account or pinned data', async () => {
		const { nodes, settings, pinData } = await englishOf(name);
		const [about, ...others] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(about.parameters).toMatchObject({ color: 1, content: expect.stringMatching(/^## .*\n\*\*How it works:\*\*[^]*\*\*Needs\*\*/) as string });
		expect(others.length).toBeGreaterThan(0);
		const text = JSON.stringify({ nodes, settings, pinData });
		expect(text).not.toMatch(/"credentials"|errorWorkflow|acc-giro|sonnenschein|kanzlei|cachedResultName/i);
		for (const { parameters } of nodes)
			if (parameters.connectionId) expect(JSON.stringify(parameters.connectionId)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
		expect(pinData).toEqual({});
	});
});
