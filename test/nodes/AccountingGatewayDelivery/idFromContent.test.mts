/** The option that derives a document's ID from its content, so that the same file is the same document. */
import { createHash } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { uuidOfName } from '../../../nodes/AccountingGatewayDelivery/document/idFromContent.js';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import type { RunOptions, TestFile, TestItem } from '../../../host/harness.mjs';
import { refused, useGateway } from '../../support/useSandbox.mjs';
import { uploadToDuo } from '../../../host/workflows.mjs';
import type { FaultInput } from '../../../sandbox/admin/faults.mjs';
import type { LoggedRequest } from '../../../sandbox/http/requestLog.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const GIVEN = '123e4567-e89b-42d3-a456-426614174000';

const file = (content: string | Buffer, fileName = 'Rechnung.pdf'): TestFile => ({
	content: Buffer.from(content as string),
	fileName,
});
const item = (...files: TestFile[]): TestItem => ({
	files: Object.fromEntries(files.map((one, i) => [`attachment_${i}`, one])),
});
const upload = (own?: INodeParameters) => uploadToDuo(gateway.connectionId('duo'), own);
const uploadRewe = () =>
	upload({
		operation: 'uploadRewe',
		connectionId: gateway.connectionId('rewe'),
		belegdatum: '2026-02-28',
	});
const run = async (items: TestItem[], options: Partial<RunOptions> = {}, parameters = upload()) =>
	await gateway.run(node, parameters, { items, ...options });
const documents = async () => await gateway.list('documents');
const requests = async () => (await gateway.requests()).length;
const fail = async (fault: FaultInput) => await gateway.fault({ operationId: 'uploadDuoDocument', ...fault });
const continued: Partial<RunOptions> = { settings: { onError: 'continueErrorOutput' } };

/** Tells a person to add a missing document by hand. */
const NEVER_AGAIN = /won't send it again|does not send it again/;

const expectedId = (module: 'duo' | 'rewe', content: string | Buffer) =>
	uuidOfName(gateway.connectionId(module), createHash('sha256').update(content).digest('hex'));

it('The ID of a document is a UUID as defined in RFC 9562', () => {
	// Its example, A.4: within the namespace of DNS.
	expect(uuidOfName('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
		'2ed6657d-e927-568b-95e1-2665a8aea6a2',
	);
	expect(uuidOfName('6BA7B810-9DAD-11D1-80B4-00C04FD430C8', 'www.example.com')).toBe(
		'2ed6657d-e927-568b-95e1-2665a8aea6a2',
	);
});

describe.each([
	['duo', () => upload(), 'id'],
	['rewe', uploadRewe, 'belegId'],
] as const)('An upload to %s', (module, parameters, field) => {
	it('gets an ID from its content, and says that it is new', async () => {
		const { error, json } = await run([item(file('a'))], {}, parameters());
		expect(error).toBeUndefined();
		const id = expectedId(module, 'a');
		expect((await documents())[0].fields).toMatchObject({ [field]: id });
		expect(json).toMatchObject([{ id, alreadyExisted: false }]);
	});

	it('that arrives again counts as done', async () => {
		await run([item(file('a'))], {}, parameters());
		const { error, main, hints } = await run([item(file('a', 'Kopie.pdf'))], {}, parameters());
		expect(error).toBeUndefined();
		expect(hints[0].message).toMatch(
			/^Item 1: the document Kopie\.pdf was there already\. The gateway says: /,
		);
		expect(main[0]).toMatchObject([
			{
				json: { id: expectedId(module, 'a'), dateiname: 'Kopie.pdf', alreadyExisted: true },
				pairedItem: { item: 0 },
			},
		]);
		expect(await documents()).toHaveLength(1);
	});
});

it.each([
	[true, 'nor does a new run with the option "ID From Content"'],
	[false, 'a new run would send again what was carried out'],
])(
	'An upload that fails recommends a new run only with “ID From Content”: %s',
	async (idFromContent, said) => {
		await fail({ kind: 'status', status: 422, after: 1 });
		const items = [item(file('a'), file('b'))];
		const { error } = await run(items, {}, upload({ options: { idFromContent } }));
		expect(error?.description).toContain(said);
	},
);

it('An upload that fails names each option by which a new run recognizes what was uploaded', async () => {
	new FakeDatabase().install();
	await fail({ kind: 'status', status: 422, contains: 'Neu.pdf' });
	const options = { alreadyUploaded: '={{ $itemIndex === 1 }}' };
	const items = [item(file('a')), item(file('b')), item(file('c', 'Neu.pdf'))];
	const { error } = await run(items, {}, upload({ options }));
	expect(error?.description).toContain(
		'nor does a new run with the options "ID From Content" and "Skip What Was Uploaded Before"',
	);
});

describe('The same file twice in one run', () => {
	it('is uploaded once, from several e-mails and from one', async () => {
		const { error, main } = await run([
			item(file('a'), file('b'), file('a', 'Kopie.pdf')),
			item(file('b', 'Noch eine.pdf')),
			item(file('c')),
		]);
		expect(error).toBeUndefined();
		expect(main[0].map(({ json, pairedItem }) => [json.dateiname, json.alreadyExisted, pairedItem])).toEqual([
			['Rechnung.pdf', false, { item: 0 }],
			['Rechnung.pdf', false, { item: 0 }],
			['Kopie.pdf', true, { item: 0 }],
			['Noch eine.pdf', true, { item: 1 }],
			['Rechnung.pdf', false, { item: 2 }],
		]);
		expect(await requests()).toBe(3);
	});

	it.each([true, false])(
		'has the record of the first one, whatever ID it was given: simple %s',
		async (simple) => {
			await fail({ kind: 'alter', set: { id: 'DMS-991' } });
			const items = [item(file('a')), item(file('a', 'Kopie.pdf'))];
			const { json } = await run(items, {}, upload({ simple }));
			expect(json).toMatchObject([
				{ id: 'DMS-991', dateiname: 'Rechnung.pdf' },
				{ id: 'DMS-991', dateiname: 'Kopie.pdf', alreadyExisted: true },
			]);
		},
	);

	it('is sent again if the gateway has refused it', async () => {
		await fail({ kind: 'status', status: 422 });
		const { json, errors } = await run([item(file('a')), item(file('a'))], continued);
		expect(errors).toMatchObject([{ details: { outcome: 'refused' } }]);
		expect(json).toMatchObject([{ alreadyExisted: false }]);
		expect(await documents()).toHaveLength(1);
	});

	it('is unknown, and not sent again, if the outcome of the first one is unknown', async () => {
		await fail({ kind: 'drop', point: 'after-handler' });
		const { errors } = await run([item(file('a')), item(file('a', 'Kopie.pdf'))], continued);
		expect(errors).toMatchObject([{ details: { outcome: 'unknown' } }, { details: { outcome: 'unknown' } }]);
		expect(errors[1].error).toContain('file Kopie.pdf: Whether it was carried out is unknown');
		expect(await requests()).toBe(1);
	});
});

describe('Another attempt at an upload', () => {
	it('knows what already existed, and what is the same as another file', async () => {
		await run([item(file('a'))]);
		const isNew = ({ body }: LoggedRequest) => JSON.stringify(body).includes('Neu.pdf');
		const { entries } = gateway.sandbox.log;
		const areOthersAnswered = () => entries.filter(({ status }) => status !== null).length === 2;
		void gateway.hold(areOthersAnswered, isNew, 'before-handler');
		await fail({ kind: 'status', status: 422, contains: 'Neu.pdf' });
		const items = [item(file('a')), item(file('a')), item(file('c', 'Neu.pdf'))];
		const first = await run(items);
		expect(first.error?.description).toContain('Carried out: items 1–2. Refused: item 3.');
		expect(await requests(), 'with that of the first run').toBe(3);
		const { error, json } = await run(items, { retryOf: first.run });
		expect(error).toBeUndefined();
		expect(json.map(({ alreadyExisted }) => alreadyExisted)).toEqual([true, true, false]);
		expect(await requests()).toBe(4);
	});
});

it('The ID from the content gives way to one that is given, unless it was turned on as well', async () => {
	const given = upload({ additionalFields: { id: GIVEN } });
	for (const option of ['idFromContent', 'alreadyUploaded']) {
		const { error } = await run([item(file('a'))], {}, { ...given, options: { [option]: true } });
		expect(error?.message).toMatch(refused('id'));
	}
	expect(await gateway.requests()).toEqual([]);
	const { json } = await run([item(file('a'))], {}, given);
	expect(json).toMatchObject([{ id: GIVEN }]);
	expect(json[0]).not.toHaveProperty('alreadyExisted');
});

describe('A 409 to an upload', () => {
	it('that does not name the document is a refusal, with its text', async () => {
		await fail({ kind: 'status', status: 409, body: { code: 'DUPLICATE', message: 'Konflikt' } });
		const { json, error } = await run([item(file('a'))]);
		expect(json).toEqual([]);
		expect(error?.message).toContain('refused the request because of a conflict (HTTP 409): “Konflikt”');
		expect(await documents()).toEqual([]);
	});

	it.each([
		[{ message: 'Dokument {ID} existiert bereits' }, 'existiert bereits'],
		[{ error: { code: 'DUPLICATE', id: '{ID}' } }, 'DUPLICATE'],
	])('that does counts as done, and its text is shown: %j', async (shown, text) => {
		const id = expectedId('duo', 'a').toUpperCase();
		const body = JSON.parse(JSON.stringify(shown).replace('{ID}', id)) as object;
		await fail({ kind: 'status', status: 409, body });
		const { json, error, hints } = await run([item(file('a'))]);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ alreadyExisted: true }]);
		expect(hints[0]).toMatchObject({ type: 'warning', message: expect.stringContaining(text) });
	});
});

it('A 409 to an upload is an error without “ID From Content”', async () => {
	const parameters = { ...uploadRewe(), additionalFields: { belegId: GIVEN } };
	await run([item(file('a'))], {}, parameters);
	const { error } = await run([item(file('a'))], {}, parameters);
	expect(error?.message).toContain('HTTP 409');
	// With the option, the file would be uploaded again, under another ID.
	expect(error?.description).toMatch(/give it a different ID\.$/);
});

describe('“Skip What Was Uploaded Before”', () => {
	let database: FakeDatabase;
	beforeEach(() => {
		database = new FakeDatabase();
		database.install();
	});
	const skipping = (own: INodeParameters = {}) => upload({ options: { alreadyUploaded: true, ...own } });

	it.each([true, false])(
		'sends a file once, in one run and in the next (ID from content: %s)',
		async (idFromContent) => {
			const parameters = skipping({ idFromContent });
			const first = await run([item(file('a'), file('b')), item(file('a', 'Kopie.pdf'))], {}, parameters);
			expect(first.json.map(({ alreadyExisted }) => alreadyExisted)).toEqual([false, false, true]);
			// A connection is the same one in capital letters.
			const same = { ...parameters, connectionId: gateway.connectionId('duo').toUpperCase() };
			const second = await run([item(file('a', 'Kopie.pdf'), file('c'), file('b'))], {}, same);
			expect(second.error).toBeUndefined();
			const sha256 = createHash('sha256').update('a').digest('hex');
			expect(second.json[0]).toMatchObject({ dateiname: 'Kopie.pdf', alreadyExisted: true, sha256 });
			expect(second.json.map(({ alreadyExisted }) => alreadyExisted)).toEqual([true, false, true]);
			expect(await requests()).toBe(3);
		},
	);

	it('sends a file again to another connection, and one that was refused', async () => {
		await fail({ kind: 'status', status: 422 });
		const refusedOnce = await run([item(file('a')), item(file('a'))], continued, skipping());
		expect(refusedOnce.json).toMatchObject([{ alreadyExisted: false }]);
		await run([item(file('a'))], {}, { ...uploadRewe(), options: { alreadyUploaded: true } });
		expect(await documents()).toHaveLength(2);
		expect((await run([item(file('a'))], {}, skipping())).json).toMatchObject([{ alreadyExisted: true }]);
		expect(await requests()).toBe(3);
	});

	it('says once that the outcome of an upload without an ID from its content is unknown, and doesn’t send it again', async () => {
		const without = { ...skipping(), options: { alreadyUploaded: true, idFromContent: false } };
		await fail({ kind: 'drop', point: 'after-handler' });
		const lost = await run([item(file('a'))], continued, without);
		expect(JSON.stringify(lost.errors)).toMatch(NEVER_AGAIN);
		const { errors } = await run([item(file('a'))], continued, without);
		expect(errors).toMatchObject([{ details: { outcome: 'unknown' } }]);
		expect((await run([item(file('a'))], {}, without)).json).toMatchObject([{ alreadyExisted: true }]);
		expect(await requests()).toBe(1);
	});

	it('sends a document with an ID from its content again until it is there, however long the gateway failed', async () => {
		const both = [item(file('a')), item(file('b'))];
		await gateway.fault({ kind: 'status', status: 503, times: 6 });
		for (let hour = 0; hour < 3; hour++) {
			const { errors } = await run(both, continued, skipping());
			expect(errors).toMatchObject(Array(2).fill({ details: { outcome: 'unknown' } }));
			expect(JSON.stringify(errors)).not.toMatch(NEVER_AGAIN);
		}
		expect(await documents()).toEqual([]);
		expect((await run(both, {}, skipping())).json).toMatchObject(Array(2).fill({ alreadyExisted: false }));
		expect((await run(both, {}, skipping())).json).toMatchObject(Array(2).fill({ alreadyExisted: true }));
		expect(await documents()).toHaveLength(2);
	});

	it('forgets the oldest document with an ID from its content when its memory is full, and sends nothing else then', async () => {
		await run([item(file('a'))], {}, skipping());
		const [[row, [mark, oldest]]] = [...database.rows].filter(([key]) => key.endsWith('Node'));
		const full = Array.from({ length: 50_158 }, (_, i) => `written ${i}`);
		database.rows.set(row, [mark, oldest, ...full]);
		const without = { ...skipping(), options: { alreadyUploaded: true, idFromContent: false } };
		const { error } = await run([item(file('b'))], {}, without);
		expect(error?.message).toContain(
			"Nothing was sent, because this node's memory has no room for all that is new (1)",
		);
		expect(database.rows.get(row)).toEqual([mark, oldest, ...full]);
		expect((await run([item(file('b'))], {}, skipping())).json).toMatchObject([{ alreadyExisted: false }]);
		expect(database.rows.get(row)).toHaveLength(50_160);
		expect(database.rows.get(row)).not.toContain(oldest);
		// What makes room may have been the mark of the format.
		expect(database.rows.get(row)).toContain(mark);
	});
});

it('A run of uploads counts in its hint what was uploaded, was there already, was refused, and breaks a rule', async () => {
	await run([item(file('a'))]);
	await fail({ kind: 'status', status: 422, contains: 'Drei.pdf' });
	const items = [item(file('a')), item(file('b'), file('d')), item(file('c', 'Drei.pdf')), item()];
	const { hints } = await run(items, continued);
	expect(hints.map(({ message }) => message)).toContainEqual(
		expect.stringMatching(/^2 documents uploaded to duo; 1 was already known; 1 refused; 1 not sent\./),
	);
});

it('Files that are uploaded are refused where n8n no longer has them', async () => {
	const binary = { id: 'filesystem-v2:gone', mimeType: 'application/pdf', data: '' };
	const { error } = await gateway.run(node, upload(), {
		received: [[{ json: {}, binary: { a: binary } }]],
	});
	expect(error?.message).toMatch(refused('datei'));
	expect(await gateway.requests()).toEqual([]);
});
