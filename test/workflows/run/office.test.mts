/** The examples trial balance, job tickets and watchdog as a whole. */
import { writeFile } from 'node:fs/promises';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { MANY } from '../../../scripts/base/extent.mjs';
import { useExamples } from '../../support/exampleRun.mjs';
import { useFolder } from '../../support/useFolder.mjs';

const rig = useExamples();
const files = () => rig.emails.map(({ attachments }) => attachments.map(({ dateiname }) => dateiname.split(' ')[0]));
/** The gateway answers with nothing. */
const empty = (operationId: string, field = 'data') =>
	rig.sandbox.faults.add({ kind: 'alter', operationId: operationId as 'getOpenItems', times: null, set: { [field]: [] } });

describe('trial balance', () => {
	const run = async () => await rig.run('trial-balance', { from: 'On the first' });

	it('is sent as a file, also if there is nothing in it', async () => {
		expect((await run()).error).toBeUndefined();
		empty('listTrialBalance');
		expect((await run()).error).toBeUndefined();
		expect(files()).toEqual([['Summen-'], ['Summen-']]);
		const [{ attachments: full }, { attachments: none }] = rig.emails;
		expect(full[0].size).toBeGreaterThan(none[0].size);
	});
});

describe('job tickets', () => {
	const folder = useFolder('tickets');
	async function run(lines?: string[], header = 'Personalnummer;Vorname;Nachname;PLZ') {
		if (!lines) return await rig.run('employee-tickets', { from: 'Start' });
		const list = folder('list.csv');
		await writeFile(list, [header, ...lines].join('\n'));
		return await rig.run('employee-tickets', { from: 'Start', change: { Settings: { list } } });
	}
	const tickets = () => rig.sandbox.store.list('tickets')!;
	/** Whom each e-mail names below which heading, without the reason. */
	const told = () =>
		rig.emails.map(({ text }) =>
			Object.fromEntries(
				text.trim().split('\n\n').map((part) => {
					const [heading, ...lines] = part.split('\n');
					return [heading.replace(/^\d+ |:$/g, ''), lines.map((line) => line.split(':')[0])];
				}),
			),
		);

	it('are bought once for each person, however often the list is read', async () => {
		expect((await run()).error).toBeUndefined();
		await run();
		expect(tickets()).toHaveLength(5);
		// A leading zero survives the way from the file to the gateway.
		expect(JSON.stringify(tickets())).toContain('"postal_code":"01067"');
		const { customerId } = rig.sandbox.store.accounts[0];
		expect(new Set((tickets() as IDataObject[]).map(({ customer_id }) => customer_id))).toEqual(new Set([customerId]));
		const people = ['1001 Anna Schmidt', '1002 Mehmet Yılmaz', '1003 Jörg Großmann', '1004 Chloé Lefèvre', '1006 Nguyễn Thị Hoa'];
		const paul = { 'abgelehnt oder unklar': ['1005 Paul Weiß'] };
		expect(told()).toEqual([{ ...paul, gekauft: people }, { ...paul, 'nicht noch einmal gekauft': people }]);
		expect(rig.emails[0].subject).toBe('Jobtickets: 1 abgelehnt oder unklar, 5 gekauft');
		expect(rig.emails[0].text).toMatch(/^1005 Paul Weiß: Postleitzahl „1097“ muss eine deutsche Postleitzahl mit 5 Ziffern sein, .*\. Berichtigen Sie /m);
	});

	it('are one for 00815 and 815, in a list and in a later one', async () => {
		await run(['00815;A;A;90402', '815;B;B;90402']);
		const later = await run([' 815;C;C;90402', '0815;D;D;90402', '816;E;E;90402']);
		expect(later.items('Buy job ticket').map(({ alreadyExisted }) => alreadyExisted)).toEqual([true, true, undefined]);
		expect(tickets()).toHaveLength(2);
		expect(told().map((one) => one['nicht noch einmal gekauft'])).toEqual([['815 B B'], [expect.stringMatching(/815 C C$/), '0815 D D']]);
	});

	it('what was refused or wrong is bought by the next run, and nothing else', async () => {
		rig.sandbox.faults.add({ kind: 'status', operationId: 'createTicket', status: 422, times: 1 });
		expect((await run(['1;A;A;90402', '2;B;B;9042', ';C;C;90402', '4;D;D;90402'])).error).toBeUndefined();
		expect(tickets()).toHaveLength(1);
		expect(told()[0]['abgelehnt oder unklar']).toHaveLength(3);
		expect(rig.emails[0].text).toMatch(/^ C C: „Only Once For“ nennt niemanden: .*\. Berichtigen Sie /m);
		await run(['1;A;A;90402', '2;B;B;90042', '3;C;C;90402', '4;D;D;90402']);
		expect(tickets()).toHaveLength(4);
		expect(told()[1]).toMatchObject({ gekauft: { length: 3 }, 'nicht noch einmal gekauft': { length: 1 } });
	});

	it('what may have been bought is told twice, in German, and never bought again', async () => {
		rig.sandbox.faults.add({ kind: 'drop', operationId: 'createTicket', point: 'after-handler', times: 1 });
		for (let i = 0; i < 3; i++) await run(['1;A;A;90402']);
		expect(tickets()).toHaveLength(1);
		expect(told()).toEqual([{ 'abgelehnt oder unklar': ['1 A A'] }, { 'abgelehnt oder unklar': ['1 A A'] }, { 'nicht noch einmal gekauft': ['1 A A'] }]);
		for (const { text } of rig.emails.slice(0, 2)) expect(text).toMatch(/^1 A A: (?:Die Verbindung zum Gateway brach ab|Es ist unklar, ob es ausgeführt wurde).* Sehen Sie .*: Der Node sendet es nicht noch einmal, solange sie an ist\./m);
	});

	it('two starts at once buy each person one', async () => {
		await Promise.all([run(), run()]);
		expect(tickets()).toHaveLength(5);
		await run();
		expect(tickets()).toHaveLength(5);
	});

	it('none is bought from a list without the column of the numbers, nor from an empty one', async () => {
		const { items } = await run(['1;A;A;90402'], 'Nr.;Vorname;Nachname;PLZ');
		expect(items('Buy job ticket')).toMatchObject([{ details: { outcome: 'invalid' } }]);
		expect((await run([])).error).toBeUndefined();
		expect(tickets()).toHaveLength(0);
		expect(rig.emails).toHaveLength(1);
	});

	it(`of ${MANY} people, those who have one are left out`, async () => {
		rig.sandbox.store.accounts[0].credits = 1_000_000;
		const people = Array.from({ length: MANY }, (_, i) => `${i + 1};V;N;90402`);
		await run(people.slice(10));
		await run(people);
		expect(rig.emails.map(({ subject }) => subject)).toEqual([`Jobtickets: ${MANY - 10} gekauft`, `Jobtickets: 10 gekauft, ${MANY - 10} nicht noch einmal gekauft`]);
		expect(tickets()).toHaveLength(MANY);
	});

	it('a failing mail server doesn’t make a ticket be bought twice, and Retry tells what was bought', async () => {
		rig.isMailDown = true;
		const failed = await run();
		expect(failed.error).toMatch(/^Send the result: /);
		rig.isMailDown = false;
		expect((await rig.retry(failed)).error).toBeUndefined();
		expect(rig.emails.map(({ subject }) => subject)).toEqual(['Jobtickets: 1 abgelehnt oder unklar, 5 gekauft']);
		await run();
		expect(tickets()).toHaveLength(5);
	});
});

describe('watchdog', () => {
	const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
	const WELL: Record<string, IDataObject[]> = {
		'Payments workflow': [{ id: 'p', updatedAt: ago(100), nodes: [] }],
		'Last event': [{ startedAt: ago(1) }],
		'Trigger address': [{ statusCode: 401 }],
		'E-mail workflow': [{ id: 'e', updatedAt: ago(100) }],
		'Last e-mail': [{ startedAt: ago(1) }],
		'Bank transactions': [{}],
	};
	const look = async (changes: Record<string, IDataObject[]> = {}) =>
		await rig.run('watchdog', { from: 'Every hour', pinned: { ...WELL, ...changes } });
	const texts = () => rig.emails.map(({ text }) => text.split('\n')[0]);
	const failed = async () =>
		await rig.run('watchdog', {
			from: 'A workflow failed',
			items: [{ json: { workflow: { id: 'w', name: 'Belege' }, execution: { id: '7', url: 'https://n8n.example/7', error: { message: 'Kein Konto' } } } }],
		});

	it('says nothing if all is well', async () => {
		expect((await look()).error).toBeUndefined();
		expect(rig.emails).toEqual([]);
	});

	it.each([
		['silence', { 'Last event': [{ startedAt: ago(30) }], 'Bank transactions': [{ payment_id: 'x', made_on: ago(-24).slice(0, 10) }] }, /^Auf dem Bankkonto sind Zahlungen, von denen kein Ereignis ankam\..*: Payments$/],
		['an address that nobody reaches', { 'Trigger address': [{ statusCode: 404 }] }, /^Der Trigger ist .* Payments, Antwort 404$/],
		['a mailbox from which nothing comes', { 'Last e-mail': [{ startedAt: ago(27) }] }, /^Es kommen keine E-Mails mehr an, .*: Receipts from e-mail to documents$/],
		['a mailbox from which nothing has come yet', { 'Last e-mail': [{}] }, /^Es kommen keine E-Mails mehr an, .*: Receipts from e-mail to documents$/],
		['a workflow that isn’t published', { 'E-mail workflow': [{}], 'Last e-mail': [{}] }, /^Es kommen keine E-Mails mehr an, .*: Receipts from e-mail to documents$/],
		['a check that fails', { 'Last event': [{ error: 'no access' }] }, /^Diese Prüfung war nicht möglich: Last event, no access$/],
	])('tells of %s once a day', async (_, changes, said) => {
		await look(changes as Record<string, IDataObject[]>);
		await look(changes as Record<string, IDataObject[]>);
		expect(texts()).toEqual([expect.stringMatching(said)]);
	});

	it('checks no workflow whose name is empty, although n8n then finds any', async () => {
		const pinned = { ...WELL, 'Trigger address': [{ statusCode: 404 }], 'Last e-mail': [{ startedAt: ago(99) }] };
		await rig.run('watchdog', { from: 'Every hour', pinned, change: { Settings: { payments: '', emails: '' } } });
		expect(rig.emails).toEqual([]);
	});

	it('tells once a day that credits run out, whatever is left', async () => {
		for (const credits of [150, 140]) {
			rig.sandbox.store.accounts[0].credits = credits;
			await look();
		}
		expect(texts()).toEqual([expect.stringMatching(/^Das Guthaben beim Gateway wird knapp, .*: +1\d\d$/)]);
	});

	it('tells of a workflow that fails, once a day', async () => {
		await failed();
		await failed();
		expect(rig.emails).toMatchObject([{ to: ['n8n@kanzlei-demo.example'], text: expect.stringMatching(/n8n\.example\/7\nMeldung von n8n: „Kein Konto“\n\nJedes Problem wird .* Executions/) as string }]);
		expect(texts()).toEqual(['Der Workflow „Belege“ ist fehlgeschlagen. Erst die Ursache beheben, dann mit Retry wiederholen:']);
	});

	it('remembers nothing that could not be sent', async () => {
		rig.isMailDown = true;
		expect((await failed()).error).toMatch(/^Tell the admin: /);
		rig.isMailDown = false;
		await failed();
		expect(rig.emails).toHaveLength(1);
	});

	it('sends itself an e-mail each morning', async () => {
		expect((await rig.run('watchdog', { from: 'Every morning' })).error).toBeUndefined();
		expect(rig.emails).toMatchObject([{ to: ['belege@baeckerei-sonnenschein.example'], subject: 'Watchdog: Prüfung des Postfachs' }]);
	});
});
