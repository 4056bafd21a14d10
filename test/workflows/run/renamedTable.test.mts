/** Somebody renames or deletes a Data Table that an example writes to. */
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

import { useExamples } from '../../support/exampleRun.mjs';
import { useFolder } from '../../support/useFolder.mjs';

const rig = useExamples();
const folder = useFolder('receipts');

it('the receipts folder makes its renamed table anew, and uploads nothing a second time', async () => {
	const run = async () =>
		await rig.run('receipts-folder', { from: 'Every hour', change: { Settings: { files: folder('*') } } });
	await writeFile(folder('Rechnung.pdf'), '%PDF-1.4 one');
	await run();
	rig.tables.rename('Hochgeladene Belege', 'Hochgeladene Belege (alt)');
	await writeFile(folder('Quittung.pdf'), '%PDF-1.4 two');
	const { error } = await run();
	expect(error).toBeUndefined();
	expect(rig.documents()).toHaveLength(2);
	expect(rig.tables.rows('Hochgeladene Belege').map(({ datei }) => datei)).toContain('Quittung.pdf');
	expect(rig.tables.rows('Hochgeladene Belege (alt)')).toHaveLength(1);
});

/** An approval that waits for its answer. */
const asked = async () =>
	await rig.run('approve-booking', {
		from: 'When called',
		items: [
			{
				json: {
					kassenname: 'Hauptkasse',
					bewegung: 'AUSGABE',
					betrag: '12,50',
					steuersatz: '19',
					transaktionsdatum: '2026-11-20',
					belegnummer: 'T-1',
					belegtext: 'Ersatzteile',
				},
			},
		],
	});
const BOOK = { Entscheidung: 'Buchen' };

it('an approval whose table was renamed meanwhile books what was approved: the table has the same ID', async () => {
	const waiting = await asked();
	rig.tables.rename('Freigaben', 'Freigaben 2026');
	expect((await rig.answer(waiting, BOOK)).error).toBeUndefined();
	expect(rig.entries()).toHaveLength(1);
	expect(rig.tables.rows('Freigaben 2026')).toMatchObject([{ status: 'gebucht' }]);
});

it('an approval whose table was deleted meanwhile books nothing, and doesn’t end as if it had', async () => {
	const waiting = await asked();
	rig.tables.delete('Freigaben');
	expect((await rig.answer(waiting, BOOK)).error).toMatch(/^Decide: There is no table/);
	expect(rig.entries()).toEqual([]);
});
