/** The example "E-invoices to Rewe" as a whole. */
import { appendFile, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { WORKFLOWS } from '../../../demo/examples.mjs';
import { MANY } from '../../../scripts/base/extent.mjs';
import { useExamples } from '../../support/exampleRun.mjs';
import { useFolder } from '../../support/useFolder.mjs';

const rig = useExamples();
const SAMPLES = join(WORKFLOWS, 'e-invoices-rewe');
const folder = useFolder('e-invoices');

const sample = async (name: string) => {
	await copyFile(join(SAMPLES, name), folder(name));
};
const run = async (settings = {}) =>
	await rig.run('e-invoices-rewe', {
		from: 'Every hour',
		change: { Settings: { files: folder('*.{pdf,xml,PDF,XML}'), ...settings } },
	});

it('does nothing in an hour without files', async () => {
	const { error, ran } = await run();
	expect(error).toBeUndefined();
	expect(ran('Upload to Rewe')).toBe(false);
});

it('lists an invoice with what it says, and asks for a look at a correction, once', async () => {
	await sample('RE-4711 Papier Schmidt.xml');
	await sample('GS-0098 Papier Schmidt.xml');
	// The accounting system's own ID, which only the first answer has.
	rig.sandbox.faults.add({ kind: 'alter', operationId: 'uploadReweDocument', set: { id: 'DMS-991' } });
	expect((await run()).error).toBeUndefined();
	const { items } = await run();
	expect(items('Upload to Rewe')).toMatchObject([{ alreadyExisted: true }, { alreadyExisted: true }]);
	expect(rig.documents()).toHaveLength(2);
	const rows = rig.tables.rows('Hochgeladene Belege');
	expect(rows).toHaveLength(2);
	expect(rows.find(({ nummer }) => nummer === 'RE-4711')).toMatchObject({
		betrag: 119,
		datum: '2026-11-20',
		verkaeufer: 'Papier Schmidt OHG',
		zahlung: '',
	});
	// A credit note is no receipt for a payment of its amount.
	expect(rows.find(({ nummer }) => nummer === 'GS-0098')?.betrag).toBeLessThan(0);
	expect(rig.emails).toHaveLength(1);
	expect(rig.emails[0].text).toMatch(
		/^GS-0098 Papier Schmidt\.xml\nHochgeladen\. Bitte vor dem Buchen ansehen\.\n.+$/m,
	);
});

it('lists a document that another client had, too, for both', async () => {
	await sample('RE-4711 Papier Schmidt.xml');
	await run();
	rig.tables.rows('Hochgeladene Belege')[0].verbindung = 'another client';
	await run();
	const rows = rig.tables.rows('Hochgeladene Belege');
	expect(rows).toHaveLength(2);
	expect(rows[1].dokument).toBe(rows[0].dokument);
});

it.each(['DE 999 999 999', 'de999999999'])('takes invoices of %s for outgoing ones', async (vatId) => {
	await sample('AR-2026-0331 Hotel am Auwald.pdf');
	await run({ vatId });
	expect(rig.documents().map(({ fields }) => fields.belegtyp)).toEqual(['Rechnungsausgang']);
});

it('tells of what is no e-invoice, damaged or refused, when the mail server works again', async () => {
	await sample('Scan Wartung Backofen.pdf');
	await sample('RE-4709 Papier Schmidt.xml');
	await sample('RE-4711 Papier Schmidt.xml');
	const body = { error: { message: 'The document storage is full.' } };
	rig.sandbox.faults.add({ kind: 'status', operationId: 'uploadReweDocument', status: 422, times: null, body });
	rig.isMailDown = true;
	expect((await run()).error).toMatch(/^Tell the accountant: /);
	rig.isMailDown = false;
	await run();
	await run();
	expect(rig.emails).toHaveLength(1);
	const lines = rig.emails[0].text.trim().split('\n\n').sort();
	expect(lines).toEqual([
		expect.stringMatching(/^RE-4709 .*\nKeine lesbare E-Rechnung\. .+\n.+$/),
		expect.stringMatching(/^RE-4711 .*\nDas Gateway hat einen Wert abgelehnt .* Meldung des Gateways: „The document storage is full\.“\nBerichtigen Sie, /),
		'Scan Wartung Backofen.pdf\nKeine lesbare E-Rechnung. Bitte neu anfordern oder von Hand hochladen.',
	]);
	// Another one, of a few bytes more, under the same name.
	await appendFile(folder('Scan Wartung Backofen.pdf'), '\n');
	await run();
	expect(rig.emails[1].text).toMatch(/^Scan Wartung Backofen\.pdf\n.+\s*$/);
});

it(`uploads ${MANY} invoices`, async () => {
	const xml = await readFile(join(SAMPLES, 'RE-4711 Papier Schmidt.xml'), 'utf8');
	for (let i = 0; i < MANY; i++) await writeFile(folder(`${i}.xml`), xml.replaceAll('RE-4711', `RE-${i}`));
	expect((await run()).error).toBeUndefined();
	expect(rig.documents()).toHaveLength(MANY);
	expect(rig.tables.rows('Hochgeladene Belege')).toHaveLength(MANY);
});

it('tells what the gateway warned of, with what the invoice itself needs a look for', async () => {
	await sample('RE-4711 Papier Schmidt.xml');
	await sample('GS-0098 Papier Schmidt.xml');
	rig.sandbox.faults.add({ kind: 'alter', operationId: 'uploadReweDocument', set: { status: 'processing' }, times: 2 });
	expect((await run()).error).toBeUndefined();
	const warned = 'Das Gateway sagt außerdem: status: processing';
	// Each thing that the gateway says besides is told once a run.
	const [credit, ...others] = rig.emails[0].text.trim().split('\n\n');
	expect(credit).toMatch(new RegExp(`^GS-0098 Papier Schmidt\\.xml\nHochgeladen\\. Bitte vor dem Buchen ansehen\\.\n${warned} .*korrektur`, 'i'));
	expect(others).toEqual([]);
	await run();
	expect(rig.emails).toHaveLength(1);
});
