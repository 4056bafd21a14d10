/** The example "Audit log (hash chain)" as a whole. */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { useExamples } from '../../support/exampleRun.mjs';

const rig = useExamples();
const rows = () => rig.tables.rows('Protokoll') as IDataObject[];
const call = async (...vorgaenge: string[]) =>
	await rig.run('prove-chain', { from: 'When called', items: vorgaenge.map((vorgang) => ({ json: { vorgang } })) });
const check = async () => await rig.run('prove-chain', { from: 'Every evening' });
const subjects = () => rig.emails.map(({ subject }) => subject);

it('seals what it is called with, however many rows, and says nothing until the evening', async () => {
	expect((await call('Kassenbuchung 1')).error).toBeUndefined();
	expect((await call(...Array.from({ length: 500 }, (_, i) => `Upload ${i}`))).error).toBeUndefined();
	expect(rows()).toHaveLength(501);
	expect(new Set(rows().map(({ siegel }) => siegel)).size).toBe(501);
	expect(rig.emails).toEqual([]);
	await check();
	expect(subjects()).toEqual(['Protokoll unverändert: 501 Zeilen']);
	expect(rig.emails[0].text).toContain(`Letztes Siegel: ${rows().at(-1)!.siegel as string}`);
}, 120_000);

it('checks a table without rows', async () => {
	expect((await check()).error).toBeUndefined();
	expect(subjects()).toEqual(['Protokoll unverändert: 0 Zeilen']);
});

it('names a changed and a missing row, seals nothing meanwhile, and goes on when it is as it was', async () => {
	await call('A', 'B', 'C', 'D');
	const [, second, third] = rows();
	second.vorgang = 'Z';
	rows().splice(2, 1);
	await call('E');
	expect(subjects()).toEqual([`Protokoll verändert: Zeile ${second.id as number}, Zeile ${third.id as number} fehlt`]);
	expect(rig.emails[0].text).toContain('Z');
	expect(rows().at(-1)!.siegel ?? null).toBeNull();
	second.vorgang = 'B';
	rows().splice(2, 0, third);
	await check();
	expect(subjects()[1]).toBe('Protokoll unverändert: 5 Zeilen');
});

it('without mail server, the check fails; the next one tells', async () => {
	await call('A');
	rig.isMailDown = true;
	expect((await check()).error).toContain('Send the seal');
	rig.isMailDown = false;
	await check();
	expect(subjects()).toEqual(['Protokoll unverändert: 1 Zeile']);
});
