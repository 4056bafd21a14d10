/** The example "Verfahrensdokumentation" as a whole. */
import type { IDataObject } from 'n8n-workflow';
import { beforeEach, expect, it } from 'vitest';

import { useExamples } from '../../support/exampleRun.mjs';

const rig = useExamples();
const OWN = 'n8n-nodes-accounting-gateway.accountingGatewayDelivery';
const node = (changes: object): object => ({
	id: '1',
	name: 'Book',
	type: OWN,
	typeVersion: 1,
	parameters: { operation: 'create' },
	credentials: { accountingGatewayApi: { id: 'secret-id', name: 'Gateway' } },
	...changes,
});
const workflow = (changes: object): IDataObject => ({
	name: 'W',
	versionId: 'v1',
	updatedAt: '2026-11-20T10:00:00.000Z',
	settings: { timezone: 'Europe/Berlin' },
	nodes: [node({})],
	...changes,
});
/** What n8n says of itself to whoever opens it, and of its packages to whoever has its key. */
const CONFIG = Buffer.from('{"dsn":"","release":"n8n@2.41.1"}').toString('base64');
let PAGE: IDataObject[] = [];
let PACKAGES: IDataObject[] = [];
beforeEach(() => {
	PAGE = [{ data: `<meta name="n8n:config:sentry" content="${CONFIG}">` }];
	PACKAGES = [{ data: '[{"packageName":"n8n-nodes-accounting-gateway","installedVersion":"0.1.0"}]' }];
});
/** What Word opens. */
let document: string;
async function rowsOf(...published: IDataObject[]) {
	const { error, items } = await rig.run('verfahrensdokumentation', {
		from: 'Every quarter',
		pinned: { 'n8n’s page': PAGE, Packages: PACKAGES, 'Published workflows': published.length > 0 ? published : [{}] },
	});
	expect(error).toBeUndefined();
	expect(rig.emails.at(-1)?.attachments).toHaveLength(2);
	document = items('Document')[0].html as string;
	return items('Row');
}

it('lists each step of what uses the gateway, with its version, settings and notes, and of what Settings name', async () => {
	const note = node({ name: 'Note', type: 'n8n-nodes-base.stickyNote', credentials: undefined, parameters: { content: '## Warum\nDarum' } });
	const rows = await rowsOf(
		workflow({ name: 'Z', nodes: [node({ onError: 'continueErrorOutput' }), note] }),
		workflow({ name: 'Other', nodes: [node({ type: 'n8n-nodes-base.set' })] }),
		workflow({ name: 'Audit log (hash chain)', nodes: [node({ type: 'n8n-nodes-base.dataTable', name: 'Table' })] }),
	);
	expect(rows.map(({ Workflow, Schritt }) => [Workflow, Schritt])).toEqual([['Z', 'Book'], ['Z', 'Note'], ['Audit log (hash chain)', 'Table']]);
	expect(rows[0]).toMatchObject({
		Version: 'v1',
		'Geändert am': '2026-11-20T10:00:00.000Z',
		Node: OWN,
		'Bei Fehlern (leer: hält an)': 'continueErrorOutput',
		'Zugang (Credential)': 'Gateway',
		Einstellungen: '{"operation":"create"}',
		'Einstellungen des Workflows': '{"timezone":"Europe/Berlin"}',
	});
	expect(rows[1]).toMatchObject({ Notiz: '## Warum\nDarum', Einstellungen: '' });
});

it('shows settings of this package’s nodes only, no credential’s ID, and cuts what Excel can’t hold', async () => {
	const http = node({ name: 'HTTP', type: 'n8n-nodes-base.httpRequest', parameters: { header: 'Bearer topsecret', content: 'topsecret' } });
	const text = JSON.stringify(await rowsOf(workflow({ nodes: [node({}), http, node({ parameters: { long: 'x'.repeat(100_000) } })] })));
	expect(text).toContain('n8n-nodes-base.httpRequest');
	expect(text).not.toMatch(/topsecret|secret-id/);
	expect(text.length).toBeLessThan(40_000);
});

it('is made where no workflow is published', async () => {
	expect(await rowsOf()).toHaveLength(1);
});

it('has a paragraph for each workflow: what comes in, what is booked, who approves, what happens on failure, how long it stays', async () => {
	const about = node({ name: 'About', type: 'n8n-nodes-base.stickyNote', parameters: { content: '## Kasse\nBucht **Bons** <sofort>.\n' } });
	const form = node({ type: 'n8n-nodes-base.formTrigger', parameters: {} });
	const look = node({ parameters: { resource: 'document', operation: 'uploadDuo', options: { dryRun: true } } });
	const table = node({ type: 'n8n-nodes-base.dataTable', parameters: { operation: 'create', tableName: 'Freigaben' } });
	const wait = node({ type: 'n8n-nodes-base.wait', parameters: { resume: 'form', incomingAuthentication: 'basicAuth' } });
	await rowsOf(
		workflow({ name: 'Kasse', settings: { errorWorkflow: 'w1' }, nodes: [about, form, look, node({ parameters: {}, onError: 'continueErrorOutput' }), table, wait] }),
		workflow({ name: 'Belege', nodes: [node({ type: 'n8n-nodes-base.emailReadImap', parameters: {} }), node({ type: 'n8n-nodes-base.gmailTrigger', disabled: true, parameters: {} }), node({ parameters: { resource: 'document', operation: 'uploadRewe' } })] }),
		workflow({ name: 'SuSa', nodes: [node({ type: 'n8n-nodes-accounting-gateway.accountingGatewayData', parameters: {} })] }),
		workflow({ id: 'w1', name: 'Watchdog', nodes: [] }),
	);
	const said = document.replace(/<\/?b>/g, '');
	const [kasse, belege, susa] = said.split('<h3>').slice(1);
	expect(kasse).toBe(
		'Kasse</h3><p>Bucht Bons &lt;sofort>.</p><p>Was eingeht: Er beginnt durch ein Formular. Was gebucht wird: Kassenbucheinträge. Wer freigibt: Ein Mensch entscheidet in einem Formular mit Kennwort, bevor es geschieht: [Name]. Bei Fehlern: Was abgelehnt wird oder unklar bleibt, wird einzeln gemeldet, das Übrige läuft weiter. Einen fehlgeschlagenen Lauf meldet Watchdog. Aufbewahrung: Belege und Buchungen im Buchhaltungssystem (Belege acht, Bücher zehn Jahre, § 147 Abs. 3 AO); in n8n die Ausführungen [Tage], Data Tables: Freigaben, [Dauer].</p><p>Version v1, geändert am 2026-11-20T10:00:00.000Z.</p>\n',
	);
	expect(belege).toMatch(/Er beginnt durch eine E-Mail\. Was gebucht wird: Belege an das Rechnungswesen\. Wer freigibt: Niemand: .*Bei Fehlern: Der Lauf hält an; Retry bucht nichts zweimal\. Einen fehlgeschlagenen Lauf meldet \[niemand/);
	expect(susa).toMatch(/Was gebucht wird: nichts, er liest nur\. Wer freigibt: entfällt\./);
});

it('claims no password of a form without one, and no report of an error that only doesn’t stop the run', async () => {
	const wait = (incomingAuthentication?: string) => node({ type: 'n8n-nodes-base.wait', parameters: { resume: 'form', incomingAuthentication } });
	const BASIC = 'basicAuth';
	await rowsOf(
		workflow({ nodes: [node({ onError: 'continueRegularOutput' }), wait()] }),
		workflow({ nodes: [node({ onError: 'continueErrorOutput' }), node({ name: 'Look', onError: 'continueRegularOutput' }), wait(BASIC), wait('none')] }),
		workflow({ nodes: [node({ onError: 'stopWorkflow' }), wait(BASIC), wait(BASIC)] }),
	);
	const said = document.split('<h3>').slice(1).map((one) => /Wer freigibt:<\/b> (.*?): \[Name\]\. <b>Bei Fehlern:<\/b> (.*?)\. Einen fehl/.exec(one)?.slice(1));
	const form = (password: string) => `Ein Mensch entscheidet in einem Formular ${password}, bevor es geschieht`;
	expect(said).toEqual([
		[form('ohne Kennwort (wer den Link hat)'), 'Der Lauf hält an; Retry bucht nichts zweimal. Ein Fehler in Book hält den Lauf nicht an: [wer davon erfährt]'],
		[form('ohne Kennwort (wer den Link hat)'), 'Was abgelehnt wird oder unklar bleibt, wird einzeln gemeldet, das Übrige läuft weiter. Ein Fehler in Look hält den Lauf nicht an: [wer davon erfährt]'],
		[form('mit Kennwort'), 'Der Lauf hält an; Retry bucht nichts zweimal'],
	]);
});

it('fills in the versions of n8n and of the package, and leaves what it can’t know to be filled in', async () => {
	await rowsOf(workflow({}));
	expect(document).toContain('<p>n8n 2.41.1 [Server, Datenbank], Paket n8n-nodes-accounting-gateway 0.1.0, Gateway');
	[PAGE, PACKAGES] = [[{ error: 'no way' }], [{ error: 'no right' }]];
	await rowsOf(workflow({}));
	expect(document).toContain('<p>n8n [Version] [Server, Datenbank], Paket n8n-nodes-accounting-gateway [Version], Gateway');
});
