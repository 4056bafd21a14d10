/** Somebody renames a Data Table that an example writes to. */
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

import { useExamples } from '../../support/exampleRun.mjs';
import { useFolder } from '../../support/useFolder.mjs';

const rig = useExamples();
const folder = useFolder('receipts');

function rename(table: string): void {
	const { tables } = rig.tables;
	tables.set(`${table} (alt)`, tables.get(table)!);
	tables.delete(table);
}

it('the receipts folder makes its renamed table anew, and uploads nothing a second time', async () => {
	const run = async () =>
		await rig.run('receipts-folder', { from: 'Every hour', change: { Settings: { files: folder('*') } } });
	await writeFile(folder('Rechnung.pdf'), '%PDF-1.4 one');
	await run();
	rename('Hochgeladene Belege');
	await writeFile(folder('Quittung.pdf'), '%PDF-1.4 two');
	const { error } = await run();
	expect(error).toBeUndefined();
	expect(rig.documents()).toHaveLength(2);
	expect(rig.tables.rows('Hochgeladene Belege').map(({ datei }) => datei)).toContain('Quittung.pdf');
	expect(rig.tables.rows('Hochgeladene Belege (alt)')).toHaveLength(1);
});

it('an approval whose table was renamed meanwhile books nothing, and doesn’t end as if it had', async () => {
	const asked = await rig.run('approve-booking', {
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
	rename('Freigaben');
	const { error } = await rig.answer(asked, { Entscheidung: 'Buchen' });
	expect(rig.entries()).toEqual([]);
	expect(error).toMatch(/Freigaben/);
});
