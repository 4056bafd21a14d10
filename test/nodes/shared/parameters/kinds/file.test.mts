import { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { files, forReading, type InputFile, INVALID } from '../../../../../nodes/shared/parameters/index.js';
import { itemFiles, readParameter } from '../../../../support/fakes.mjs';

const inMemory = (content: string, own: Partial<IBinaryData> = {}): IBinaryData => ({
	mimeType: 'application/pdf',
	data: Buffer.from(content).toString('base64'),
	...own,
});
const EMAIL = {
	attachment_0: inMemory('one', { fileName: 'Rechnung 1.pdf' }),
	attachment_1: inMemory('two', { fileName: 'SCAN.PDF' }),
	image001: inMemory('three', { fileExtension: 'png' }),
};
/** A file in n8n's binary store, and that. */
const STORED: IBinaryData = { mimeType: 'text/plain', data: 'filesystem-v2', id: 'filesystem-v2:1' };
const STORE = {
	getBinaryMetadata: async () => await Promise.resolve({ fileSize: 3 }),
	getBinaryStream: async () => await Promise.resolve(Readable.from([Buffer.from('abc')])),
};
const NO_FILE = ' of the item, which has attachment_0, attachment_1, image001';

type Spec = Omit<Parameters<typeof files>[0], 'displayName'>;
const read = async (given: unknown, spec: Spec = {}, binary: object = EMAIL, store?: object) => {
	const parameter = files({ displayName: 'Field', ...spec });
	const item = { json: {}, binary: binary as typeof EMAIL };
	const { value, ...rest } = await readParameter(parameter, given, { files: itemFiles(item, store) });
	return { ...rest, value, names: value === INVALID ? [] : (value as InputFile[]).map(({ name }) => name) };
};

describe('Files of an item are found', () => {
	it.each<[string, string[]]>([
		['image001 , attachment_0,', ['image001.png', 'Rechnung 1.pdf']],
		['ATTACHMENT_*, attachment_0', ['Rechnung 1.pdf', 'SCAN.PDF']],
		['*.pdf', ['Rechnung 1.pdf', 'SCAN.PDF']],
		['R*1.*', ['Rechnung 1.pdf']],
	])('by %s', async (given, names) => {
		expect(await read(given)).toMatchObject({ names, rules: [] });
	});

	it('but for what was made for reading, by the name of its field alone', async () => {
		const binary = {
			data: inMemory('xml', { fileName: 'a.xml' }),
			view: forReading(inMemory('page', { fileName: 'a.html' })),
		};
		for (const given of ['*', '*.*', 'data, *.html'])
			expect(await read(given, {}, binary)).toMatchObject({ names: ['a.xml'], notes: [] });
		expect((await read('data, view', {}, binary)).names).toEqual(['a.xml', 'a.html']);
		expect((await read('*', {}, { view: binary.view })).rules).toHaveLength(1);
	});

	it('by the ending of their type, with which they are sent, where a name has none or ends in a date', async () => {
		const date = { fileName: 'Rechnung 1.2.2026' };
		const binary = {
			a: inMemory('one', date),
			b: inMemory('two', { fileName: 'Rechnung' }),
			c: inMemory('three', { fileName: 'Liste.xlsx' }),
			d: inMemory('four', { ...date, mimeType: 'application/octet-stream' }),
		};
		expect((await read('*.pdf', {}, binary)).names).toEqual(['Rechnung 1.2.2026.pdf', 'Rechnung.pdf']);
		expect((await read('*', {}, binary)).names).toEqual([
			'Rechnung 1.2.2026.pdf',
			'Rechnung.pdf',
			'Liste.xlsx',
			'Rechnung 1.2.2026',
		]);
	});

	it.each(['Fotos_für_Müller', 'fo*_MÜLLER', '*Büro.pdf', '_files.Fotos_für_Müller'])(
		'by %s, however its umlauts are encoded',
		async (name) => {
			for (const form of ['NFC', 'NFD']) {
				const binary = {
					['Fotos_für_Müller'.normalize(form)]: inMemory('one', { fileName: 'Büro.pdf'.normalize(form) }),
				};
				for (const given of ['NFC', 'NFD'])
					expect((await read(name.normalize(given), {}, binary)).names).toHaveLength(1);
			}
		},
	);

	it.each([
		// Without a point, a pattern is for the names of fields, and the whole of them.
		['Rechnung*', `finds no file${NO_FILE}`],
		['*_', `finds no file${NO_FILE}`],
		// A point is no wildcard.
		['attachment.0*', `finds no file${NO_FILE}`],
	])('but not by %s', async (given, rule) => {
		expect(await read(given)).toMatchObject({ value: INVALID, issues: [{ rule, value: given }] });
	});

	it.each([
		['scan', 'scan'],
		['*, scan', 'scan'],
	])('or refused, where %s names one that is not there', async (given, value) => {
		expect(await read(given)).toMatchObject({
			value: INVALID,
			issues: [{ rule: `matches no file${NO_FILE}`, value }],
		});
	});

	it('as a file object of another node', async () => {
		const { names, notes } = await read(inMemory('x', { fileName: 'Beleg.pdf' }));
		expect([names, notes]).toEqual([['Beleg.pdf'], []]);
		expect((await read(inMemory('x'))).names).toEqual(['field.pdf']);
	});

	it.each([7, ['attachment_0'], { mimeType: 'application/pdf' }])('not as %o', async (given) => {
		expect(await read(given)).toMatchObject({
			value: INVALID,
			issues: [{ rule: 'must be the names of input fields', value: JSON.stringify(given) }],
		});
	});
});

describe('An item without files', () => {
	it('has none to send where that is all right', async () => {
		expect(await read('*', { mayBeNone: true }, {})).toMatchObject({ value: [], rules: [], notes: [] });
	});

	it.each([
		['*', false],
		['*.pdf', true],
	])('is refused for %s', async (given, mayBeNone) => {
		expect(await read(given, { mayBeNone }, {})).toMatchObject({
			value: INVALID,
			rules: ['finds no file: the item has none'],
		});
	});
});

describe('Files of an item that are left behind', () => {
	it('are none if they are copies of one that was sent', async () => {
		const others = { copy: { ...STORED }, other: { ...STORED, id: 'filesystem-v2:2' } };
		const { notes } = await read('data', {}, { data: STORED, ...others }, STORE);
		expect(notes).toEqual(['files of the item that were not sent: other']);
	});
});

describe('A file of an item is refused', () => {
	it.each([
		[{ fileName: 'leer.pdf' }, 'matches an empty file (0 bytes): leer.pdf'],
		[{}, 'matches an empty file (0 bytes)'],
	])('that is empty: %o', async (own, rule) => {
		expect(await read('data', {}, { data: inMemory('', own) })).toMatchObject({
			value: INVALID,
			issues: [{ rule, value: 'data' }],
		});
	});

	it.each([
		['its size', 'getBinaryMetadata'],
		['its content, for the hash', 'getBinaryStream'],
	])("that can't be read from n8n's binary store: %s", async (_what, failing) => {
		const store = { ...STORE, [failing]: async () => await Promise.reject(new Error('ENOENT')) };
		expect(await read('data', {}, { data: STORED }, store)).toMatchObject({
			value: INVALID,
			issues: [{ rule: "matches a file that can't be read from n8n's binary store", value: 'data' }],
		});
	});
});

it('The hash of a file is that of its content, wherever n8n keeps it', async () => {
	const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
	const hashOf = async (data: IBinaryData) => {
		const { value } = await read('data', {}, { data }, STORE);
		return (value as InputFile[])[0].content.sha256;
	};
	expect(await hashOf(inMemory('abc'))).toBe(hash);
	expect(await hashOf(STORED)).toBe(hash);
});
