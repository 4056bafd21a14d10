/** Which of an item's files are sent, and what becomes of each. */
import { Readable } from 'node:stream';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayFiles } from '../../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { fileStore } from '../../../host/fileStore.mjs';
import type { RunOptions, TestFile, TestItem } from '../../../host/harness.mjs';
import { simpleEntry, uploadToDuo } from '../../../host/workflows.mjs';
import { useGateway } from '../../support/useSandbox.mjs';
import type { FaultInput } from '../../../sandbox/admin/faults.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const file = (fileName?: string): TestFile => ({ content: Buffer.from(`content of ${fileName}`), fileName });
/** As n8n's e-mail trigger names them: two invoices and the picture of a signature. */
const EMAIL = {
	attachment_0: file('Rechnung 1.pdf'),
	attachment_1: file('SCAN.PDF'),
	image001: file('logo.png'),
};
const UUID = '123e4567-e89b-42d3-a456-426614174000';

const upload = (datei: string, own: INodeParameters = {}) =>
	uploadToDuo(gateway.connectionId('duo'), { datei, ...own });
const run = async (parameters: INodeParameters, options: Partial<RunOptions> = {}) =>
	await gateway.run(node, parameters, { items: [{ files: EMAIL }], ...options });
/** Each upload of the same file is a document of its own. */
const EACH = { options: { idFromContent: false } };
const names = async () => (await gateway.list('documents')).map(({ dateiname }) => dateiname);
const continued: Partial<RunOptions> = { settings: { onError: 'continueErrorOutput' } };

describe('The files that an upload names', () => {
	it.each([
		['*.pdf', ['Rechnung 1.pdf', 'SCAN.PDF']],
		['*', ['Rechnung 1.pdf', 'SCAN.PDF', 'logo.png']],
	])('%s: it sends a document for each of %o', async (datei, expected) => {
		const { error, main } = await run(upload(datei));
		expect(error).toBeUndefined();
		expect((await names()).sort()).toEqual([...expected].sort());
		expect(main[0].map(({ json, pairedItem }) => [json.dateiname, pairedItem])).toEqual(
			expected.map((name) => [name, { item: 0 }]),
		);
	});

	it('have names that can be sent: half of an emoji is replaced', async () => {
		const items = [{ files: { scan: file('Rechnung \ud83d.pdf') } }];
		await run(upload('*'), { items });
		await run(simpleEntry(gateway.connectionId('duo'), { belegbilder: '*' }), { items });
		const [{ belegbilder }] = await gateway.list('entries');
		expect(belegbilder).toMatchObject([{ dateiname: 'Rechnung \ufffd.pdf' }]);
		expect(await names()).toEqual(['Rechnung \ufffd.pdf']);
	});

	it.each([
		['of any length make a hint that can be read', 'b'.repeat(100_000), /^b \(b{3,1000}/],
		[
			'that n8n would show as a link, or not at all, are shown as they are called',
			'<a href="https://example.com">M&M</a>.pdf',
			/^b \(&lt;a href=&quot;https:\/\/example.com&quot;&gt;M&amp;M&lt;\/a&gt;\.pdf\)$/,
		],
	])('with names %s', async (_what, fileName, shown) => {
		const one = { data: 'YWJj', mimeType: 'application/pdf', fileName: 'a.pdf' };
		const binary = { a: one, b: { ...one, data: 'YWJk', fileName } };
		const { hints } = await run(upload('a'), { received: [[{ json: {}, binary }]] });
		const [, said] = /^Item 1: files of the item that were not sent: (.*)$/s.exec(hints[0].message)!;
		expect(said).toMatch(shown);
		expect(said.length).toBeLessThan(3_000);
	});

	it('are sent alone, and a hint names the others', async () => {
		const { hints } = await run(upload('*.pdf'));
		expect(hints[0].message).toBe('Item 1: files of the item that were not sent: image001 (logo.png)');
		expect((await run(upload('*'))).hints.map(({ message }) => message).join()).not.toContain('not sent');
	});

	it('can’t share one ID or one name', async () => {
		const id = await run(upload('*.pdf', { additionalFields: { id: UUID } }));
		expect(id.error?.message).toContain(`Document ID (id) "${UUID}" is already used by file Rechnung 1.pdf`);
		const continues = await run(upload('*.pdf', { additionalFields: { id: UUID } }), continued);
		expect(continues.errors[0].details).toMatchObject({
			reason: { de: expect.stringContaining('hat schon Datei Rechnung 1.pdf') as string },
		});
		const name = await run(upload('*.pdf', { additionalFields: { dateiname: 'Beleg.pdf' } }));
		expect(name.error?.message).toContain(`(dateiname) "Beleg.pdf" can't be the name of 2 files`);
		expect(await gateway.requests()).toEqual([]);
	});

	it('are all refused where one of an item is empty', async () => {
		const files = { a: file('a.pdf'), b: { content: Buffer.alloc(0), fileName: 'leer.pdf' } };
		const { main } = await run(upload('*'), { items: [{ files }, { files: EMAIL }], ...continued });
		expect(main[1]).toMatchObject([{ json: { details: { outcome: 'invalid' } }, pairedItem: { item: 0 } }]);
		expect(main[0]).toHaveLength(3);
	});
});

describe('A file of several that fails to be uploaded', () => {
	const fail = async (fault: FaultInput, contains: string) =>
		await gateway.fault({ operationId: 'uploadDuoDocument', contains, ...fault });
	const refusal: FaultInput = { kind: 'status', status: 422 };
	const lost: FaultInput = { kind: 'drop', point: 'after-handler' };

	it('goes to the error output alone, the others are sent', async () => {
		await fail(refusal, 'SCAN.PDF');
		const { main } = await run(upload('*'), { items: [{ files: EMAIL }, { files: EMAIL }], ...continued });
		expect(main[0].map(({ json }) => json.dateiname)).toEqual([
			'Rechnung 1.pdf',
			'logo.png',
			...Object.values(EMAIL).map(({ fileName }) => fileName),
		]);
		expect(main[1]).toHaveLength(1);
		const [{ json, binary, pairedItem }] = main[1];
		expect(json.error).toContain('file SCAN.PDF: ');
		expect(json.details).toMatchObject({ outcome: 'refused' });
		expect(Object.keys(binary!)).toEqual(['attachment_1']);
		expect(pairedItem).toEqual({ item: 0 });
	});

	it('is accounted for by its name in stop mode, and what was sent is not sent again', async () => {
		void gateway.hold(() => gateway.sandbox.log.entries.some(({ status }) => status === 422));
		await fail(refusal, 'SCAN.PDF');
		const parameters = upload('*', EACH);
		const first = await run(parameters, { items: [{ files: EMAIL }, { files: EMAIL }] });
		expect(first.error?.description).toContain(
			'Carried out: item 1 (file Rechnung 1.pdf), item 1 (file logo.png), item 2 (file Rechnung 1.pdf). ' +
				'Refused: item 1 (file SCAN.PDF). Not sent: item 2 (file SCAN.PDF), item 2 (file logo.png).',
		);
		const second = await run(parameters, { retryOf: first.run });
		expect(second.error).toBeUndefined();
		expect(second.json).toHaveLength(6);
		expect(await names()).toHaveLength(6);
	});

	it('is not sent again by "Retry" where its outcome is unknown', async () => {
		await fail(lost, 'SCAN.PDF');
		const parameters = upload('*', EACH);
		const stopped = await run(parameters);
		const retried = await run(parameters, { retryOf: stopped.run });
		expect(retried.error?.description).toContain('Unknown: item 1 (file SCAN.PDF)');
		expect(await names()).toHaveLength(3);
	});

	it('is recognized by a retry that chooses other files', async () => {
		await fail(refusal, 'Drei.pdf');
		const files = { data: file('Eins.pdf'), scan: file('Zwei.pdf') };
		const items = [{ files }, { files: { data: file('Drei.pdf'), more: file('Vier.pdf') } }];
		const first = await run(upload('data'), { items });
		expect(await names()).toEqual(['Eins.pdf']);
		// Somebody has noticed that there are more files, and that they should come first.
		const changed = upload('={{ Object.keys($binary).reverse().join() }}');
		first.run.data.executionData!.nodeExecutionStack[0].node.parameters = changed;
		const { error, json } = await run(changed, { retryOf: first.run });
		expect(error).toBeUndefined();
		expect(json.map(({ dateiname }) => dateiname)).toEqual(['Zwei.pdf', 'Eins.pdf', 'Vier.pdf', 'Drei.pdf']);
		expect((await names()).sort()).toEqual(['Drei.pdf', 'Eins.pdf', 'Vier.pdf', 'Zwei.pdf']);
	});
});

describe('In a workflow that keeps files in the JSON', () => {
	const COMBINED: Partial<RunOptions> = { workflowSettings: { binaryMode: 'combined' } };
	/** Older versions of n8n don't know that setting. */
	const filesOf = ({ json, binary }: INodeExecutionData) =>
		Object.keys({ ...binary, ...(json._files as object | undefined) });
	const read: INodeParameters = { resource: 'eInvoice', operation: 'read' };

	it.each([
		'attachment_*',
		'_files.attachment_0, _files.attachment_1',
		'attachment_0, _files.attachment_0, attachment_1',
	])('files that were read are passed on, each once: %s', async (datei) => {
		const { main, error } = await gateway.run(
			new AccountingGatewayFiles(),
			{ ...read, datei },
			{ items: [{ files: EMAIL }], ...COMBINED },
		);
		expect(error).toBeUndefined();
		expect(main[0].map(filesOf)).toEqual([['attachment_0'], ['attachment_1']]);
	});

	it.each([
		['continueErrorOutput', 1],
		['continueRegularOutput', 0],
	] as const)('a file that was refused is passed on alone: %s', async (onError, output) => {
		await gateway.fault({ kind: 'status', status: 422, contains: 'SCAN.PDF' });
		const { main } = await run(upload('attachment_*'), { ...COMBINED, settings: { onError } });
		const failed = main[output].filter(({ json }) => json.error !== undefined);
		expect(failed.map(filesOf)).toEqual([['attachment_1']]);
		expect(await names()).toEqual(['Rechnung 1.pdf']);
	});

	it('files of items that are one entry are passed on together', async () => {
		const parameters: INodeParameters = {
			...simpleEntry(gateway.connectionId('duo'), { operation: 'createAdvanced' }),
			combineBy: 'B-1',
			betrag: '',
			kassenname: 'Nebenkasse',
			belegzeilen: { belegzeile: [{ betrag: '1' }] },
		};
		const items = ['a', 'b'].map((name) => ({ files: { [name]: file(`${name}.pdf`) } }));
		const { main } = await run(parameters, { ...COMBINED, ...continued, items });
		expect(main[1].map(filesOf)).toEqual([['a', 'b']]);
	});
});

describe('The receipts that an entry names', () => {
	const entry = (belegbilder: string) => simpleEntry(gateway.connectionId('duo'), { belegbilder });
	const receipts = async () =>
		(await gateway.list('entries')).map((one) =>
			((one.belegbilder ?? []) as IDataObject[]).map(({ dateiname }) => dateiname),
		);

	it('are attached to it, in the order in which they are named', async () => {
		const { error } = await run(entry('image*, attachment_0'));
		expect(error).toBeUndefined();
		expect(await receipts()).toEqual([['logo.png', 'Rechnung 1.pdf']]);
	});

	it('are none for * and an item without files', async () => {
		const { error } = await run(entry('*'), { items: [{}] });
		expect(error).toBeUndefined();
		expect(await receipts()).toEqual([[]]);
		const [{ body }] = await gateway.requests();
		expect(body).not.toHaveProperty('belegbilder');
	});

	describe.each<[string, INodeParameters]>([
		['create', {}],
		['createAdvanced', { betrag: '', belegzeilen: { belegzeile: [{ betrag: '1' }] } }],
	])('of %s', (operation, advanced) => {
		const named = (belegbilder: string, more: INodeParameters = {}) => ({
			...entry(belegbilder),
			operation,
			...advanced,
			additionalFields: { dateiname: '={{ $json.name ?? "Bon 4711.pdf" }}' },
			...more,
		});

		it('go by the name that is given', async () => {
			const { error } = await run(named('attachment_0'));
			expect(error).toBeUndefined();
			expect(await receipts()).toEqual([['Bon 4711.pdf']]);
		});

		it('keep their own where it is empty', async () => {
			const { error } = await run(named('*'), { items: [{ json: { name: '' }, files: EMAIL }] });
			expect(error).toBeUndefined();
			expect(await receipts()).toEqual([['Rechnung 1.pdf', 'SCAN.PDF', 'logo.png']]);
		});

		it.each<[string, string, TestItem, string]>([
			['several', '*', { files: EMAIL }, "can't be the name of 3 files: leave it out, or send one"],
			['none', '*', {}, 'has no file: leave it out where there is none, or send one'],
			[
				'none are chosen of',
				'',
				{ files: EMAIL },
				'has no file: leave it out where there is none, or send one',
			],
		])('can’t have one name if there are %s', async (_, belegbilder, item, rule) => {
			const { error } = await run(named(belegbilder), { items: [item] });
			expect(error?.message).toContain(`File Name (dateiname) "Bon 4711.pdf" ${rule}`);
			expect(await gateway.requests()).toEqual([]);
		});

		it('are what is wrong where they aren’t found: their name is fine', async () => {
			const { error } = await run(named('nowhere'));
			expect(error?.message).toContain('(belegbilder) "nowhere" matches no file');
			expect(error?.message).not.toContain('dateiname');
		});
	});

	describe('of several items that are one entry', () => {
		const combinedWith = async (...items: TestItem[]) => {
			const { error } = await run(
				{
					...entry('*'),
					operation: 'createAdvanced',
					combineBy: 'B-1',
					betrag: '',
					belegzeilen: { belegzeile: [{ betrag: '1' }] },
					additionalFields: { dateiname: '={{ $json.name ?? "" }}' },
				},
				{ items },
			);
			return { error: error?.message, receipts: await receipts() };
		};
		const bon = { bon: file('a.pdf') };
		const other = { bon: { ...file('b.pdf'), content: Buffer.from('b') } };

		it('are one, by the name that one of the items gives', async () => {
			const items = [{}, { json: { name: 'Bon.pdf' } }, { json: { name: 'Bon.pdf' }, files: bon }];
			expect(await combinedWith(...items)).toEqual({ error: undefined, receipts: [['Bon.pdf']] });
		});

		it.each<[string, TestItem[], string]>([
			[
				'several',
				[{ json: { name: 'Bon.pdf' }, files: bon }, { files: other }],
				`"Bon.pdf" can't be the name of 2 files`,
			],
			['none', [{}, { json: { name: 'Bon.pdf' } }], '"Bon.pdf" has no file: leave it out'],
			[
				'given two',
				[{ json: { name: 'Bon.pdf' }, files: bon }, { json: { name: 'Z.pdf' } }],
				'"Z.pdf" must be the same as for item 1, Bon.pdf: both are one entry',
			],
		])('can’t have one name if they are %s', async (_, items, rule) => {
			const { error, receipts: sent } = await combinedWith(...items);
			expect(error).toContain(`File Name (dateiname) ${rule}`);
			expect(sent).toEqual([]);
		});
	});
});

describe('A receipt that n8n’s store no longer has once its entry is sent,', () => {
	const lost = async function* () {
		yield await Promise.resolve(Buffer.from('content'));
		throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
	};
	const gone = Object.assign(new Error('no such file'), { code: 'ENOENT' });

	it.each<[string, () => Promise<Readable>]>([
		['that can’t be opened', async () => await Promise.reject(gone)],
		['that breaks off', async () => await Promise.resolve(Readable.from(lost()))],
	])('%s: the entry was certainly not booked', async (_, open) => {
		const store = fileStore();
		const read = store.getAsStream.bind(store);
		const opened = vi.spyOn(store, 'getAsStream');
		const entry = simpleEntry(gateway.connectionId('duo'), { belegbilder: '*' });
		// Each file is read once to check it, and once to send it.
		for (const [broken, outcome, said] of [
			[1, 'invalid', "can't be read from n8n's binary store"],
			[2, 'invalid', "can't be read from n8n's binary store"],
			[3, 'notSent', 'A file of the item can no longer be read'],
			[4, 'notSent', 'A file of the item can no longer be read'],
		]) {
			const files = { a: file('a.jpg'), b: file('b.jpg') };
			opened
				.mockReset()
				.mockImplementation(async (...given) =>
					opened.mock.calls.length === broken ? await open() : await read(...given),
				);
			const { json } = await gateway.run(node, entry, {
				items: [{ files }],
				settings: { onError: 'continueRegularOutput' },
			});
			expect(json).toMatchObject([
				{
					error: expect.stringContaining(String(said)),
					details: { outcome },
				},
			]);
		}
		expect(await gateway.list('entries')).toEqual([]);
	});
});
