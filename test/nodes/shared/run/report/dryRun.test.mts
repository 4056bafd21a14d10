/** The option that checks everything and sends nothing: it shows what the same node sends without it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { exampleParameters, FILE } from '../../../../conformance/examples.mjs';
import { writes } from '../../../../conformance/operations.mjs';
import { useRecorder } from '../../../../conformance/recorder.mjs';
import {
	Agent,
	type RunOptions,
	runNode,
	type TestFile,
	type TestItem,
} from '../../../../../host/harness.mjs';
import { simpleEntry, uploadToDuo } from '../../../../../host/workflows.mjs';

const recorder = useRecorder();
const delivery = new AccountingGatewayDelivery();

const CONNECTION = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const file = (fileName: string, content = `content of ${fileName}`): TestFile => ({
	content: Buffer.from(content),
	fileName,
});

const dry = (parameters: INodeParameters): INodeParameters => ({
	...parameters,
	options: { ...(parameters.options as IDataObject), dryRun: true },
});
const run = async (
	node: RunOptions['node'],
	parameters: INodeParameters,
	options: Partial<RunOptions> = {},
) => await runNode({ node, parameters, credential: recorder.credential, ...options });

/** A request's body as a dry run shows it. */
const shown = (body: unknown): unknown =>
	JSON.parse(JSON.stringify(body), (_key, value: unknown) => {
		if (typeof value !== 'object' || value === null || !('content' in value)) return value;
		const { content, ...rest } = value as { content: string };
		return { ...rest, bytes: Buffer.from(content, 'base64').length };
	}) as unknown;

describe.each(writes.map((action) => [action.name, action] as const))('%s', (_name, action) => {
	it('shows what it would send, and sends nothing', async () => {
		const parameters = exampleParameters(action);
		const isRepeated = action.fields.some(({ name }) => name === 'onlyOnceFor');
		const hasFiles = action.fields.some(({ name }) => name === 'datei' || name === 'belegbilder');
		const options = { items: [{ ...(hasFiles && { files: { data: FILE } }) }] };
		const looked = await run(action.node, dry(parameters), options);
		expect(looked.error).toBeUndefined();
		expect(recorder.requests).toEqual([]);

		await run(action.node, parameters, options);
		const [{ method, url, text }] = recorder.requests;
		const { pathname, searchParams } = new URL(url, recorder.url);
		expect(looked.main[0]).toEqual([
			{
				json: {
					summary: {
						en: expect.stringMatching(/^Would \S+ .*[^.]$/),
						de: expect.stringMatching(/^(?!Would)\S+ .*[^.]$/),
					},
					dryRun: true,
					method,
					path: pathname,
					query: Object.fromEntries(searchParams),
					body: shown(JSON.parse(text)),
					...(isRepeated && { warnings: [{ en: expect.stringContaining('again'), de: expect.any(String) }] }),
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(Object.keys(looked.json[0])[0]).toBe('summary');
		expect(JSON.stringify(looked.json)).not.toContain(FILE.content.toString('base64'));
	});

	it('checks everything', async () => {
		const { error } = await run(action.node, dry({ ...exampleParameters(action), simple: '={{ 7 }}' }));
		expect(`${error?.message} ${error?.description}`).toContain('(simple)');
		expect(recorder.requests).toEqual([]);
	});
});

describe('the summary', () => {
	it('of an entry says what is booked where', async () => {
		const parameters = simpleEntry(CONNECTION, { bewegung: 'AUSGABE', betrag: '12,5', belegbilder: '*' });
		const items = [{ files: { a: file('a.jpg'), b: file('b.jpg') } }];
		const { json } = await run(delivery, dry(parameters), { items });
		expect(json[0].summary).toMatchObject({
			en: 'Would book an expense of 12.50 EUR: “Tageseinnahme” · 2026-03-02 · cash book “Hauptkasse” · 19 % tax · receipts: 2 · belegnummer K-10',
		});
	});

	it('of a file that comes again says so', async () => {
		const items = [{ files: { a: file('a.pdf', 'x') } }, { files: { a: file('b.pdf', 'x') } }];
		const { json } = await run(delivery, dry(uploadToDuo(CONNECTION, { options: { idFromContent: true } })), {
			items,
		});
		expect(json[1].summary).toEqual({
			en: expect.stringMatching(
				/^Would upload b\.pdf \(1 bytes\) to duo .*; the same as item 1, so it would be sent once$/,
			),
			de: 'b.pdf (1 Bytes) an duo übertragen, Belegtyp Rechnungseingang; dasselbe wie Position 1, daher nur einmal zu senden',
		});
		const both = [{ files: { a: file('a.pdf', 'x'), b: file('b.pdf', 'x') } }];
		const beside = await run(delivery, dry(uploadToDuo(CONNECTION, { datei: '*' })), { items: both });
		expect(beside.json[1].summary).toMatchObject({
			en: expect.stringContaining('; the same as file a.pdf, so') as string,
			de: expect.stringContaining('; dasselbe wie Datei a.pdf, daher') as string,
		});
		const [one, another] = json.map(({ body }) => (body as IDataObject).id);
		expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
		expect(another).toBe(one);
	});
});

it('carries the warnings that are known before sending, those of the write, and no other', async () => {
	const parameters = simpleEntry(CONNECTION, {
		transaktionsdatum: "={{ $today.plus({ days: 1 }).toFormat('dd.MM.yyyy') }}",
		betrag: 0,
	});
	const looked = await run(delivery, dry(parameters));
	expect(recorder.requests).toEqual([]);
	const written = await run(delivery, parameters);
	const { warnings } = written.json[0];
	expect(warnings).toEqual([
		{ en: expect.any(String), de: expect.stringMatching(/^Betrag ist 0 /) },
		{ en: expect.stringContaining('is after today'), de: expect.stringContaining('liegt in der Zukunft') },
	]);
	expect(looked.json[0].warnings).toEqual(warnings);
	expect(looked.hints.map(({ message }) => message).join()).toContain('dry run, nothing was sent');
	const agent = new Agent([{ text: 'a' }]);
	await run(delivery, dry(parameters), { agent });
	expect(agent.heard.join()).toMatch(/liegt in der Zukunft.*Probelauf: Es wurde nichts gesendet\./);
});

it('leaves nothing behind that makes a later run treat it as sent', async () => {
	const { run: looked } = await run(delivery, dry(simpleEntry(CONNECTION)));
	expect(JSON.stringify(looked.data.executionData!.contextData)).not.toContain('accountingGateway');
	const agent = new Agent([{ text: 'a' }]);
	await run(delivery, dry(simpleEntry(CONNECTION)), { agent });
	expect(agent.heard.join()).toContain('Would book income');
	expect(recorder.requests).toEqual([]);
});

it('says that the credential has no address to send to', async () => {
	const credential = { ...recorder.credential, baseUrl: '' };
	const { error } = await run(delivery, dry(simpleEntry(CONNECTION)), { credential });
	expect(error?.message).toContain('The base URL in the credential is empty');
});

it('of some items of a run is told apart from what was carried out when another one fails', async () => {
	recorder.answer = ({ text }) =>
		text.includes('K-12') ? { status: 422 } : { body: { belegnummer: 'K-10' } };
	const parameters = simpleEntry(CONNECTION, { options: { dryRun: '={{ $itemIndex === 1 }}' } });
	const { error } = await run(delivery, parameters, { items: [{}, {}, {}, {}] });
	expect(error?.description).toContain(
		'Carried out: item 1. Dry run, nothing sent: item 2. Refused: item 3. Not sent: item 4.',
	);
});

describe('the summary of an entry in German', () => {
	const said = async (parameters: INodeParameters, files?: TestItem['files']) => {
		const { json } = await run(delivery, dry(parameters), { items: [{ files }] });
		return (json[0].summary as { de: string }).de;
	};
	const entry = (own: INodeParameters = {}) =>
		simpleEntry(CONNECTION, {
			belegnummer: 'K-11',
			bewegung: 'AUSGABE',
			betrag: '1.250,50',
			steuersatz: '7,5',
			transaktionsdatum: '2026-11-20',
			belegtext: 'Brot',
			...own,
		});
	const advanced = (lines: IDataObject[], own: INodeParameters = {}): INodeParameters => ({
		...entry({ bewegung: '', betrag: '', ...own }),
		operation: 'createAdvanced',
		belegzeilenFrom: 'json',
		belegzeilenJson: JSON.stringify(lines),
	});

	it('has what an accountant looks at, amount and text first', async () => {
		const additionalFields = { gegenkonto: '4930', belegNummer: 'RE-4711' };
		expect(await said(entry({ additionalFields }), { data: file('Bon.jpg') })).toBe(
			'Ausgabe 1.250,50 EUR: „Brot“ · 20.11.2026 · Kasse „Hauptkasse“ · Konto 4930 · 7,5 % Steuer · Belegfeld 1 RE-4711 · Belege: 1 · Nummer im Kassenbuch K-11',
		);
		expect(await said(entry({ bewegung: 'EINNAHME', betrag: '12', waehrung: 'JPY' }))).toMatch(
			/^Einnahme 12 JPY: /,
		);
	});

	it('lets no text from outside end its quotation marks, look like another fact, or run on', async () => {
		const belegtext = `Brot“ · Kasse „Tresor\u202e<b>${'x'.repeat(200)}`;
		expect(await said(entry({ belegtext }))).toMatch(
			/: „Brot {4}Kasse {2}Tresor {2}b x{50,80}“ · 20\.11\.2026 · Kasse „Hauptkasse“/,
		);
	});

	it('of a closing says each line, what comes in and what goes out', async () => {
		const lines = [
			{ betrag: 107, prozent: 7, belegtext: 'Erlöse', gegenkonto: '8300', kostenstelle1: 'LADEN' },
			{
				betrag: 119,
				prozent: 19,
				buSchluessel: '3',
				belegtext: 'Erlöse',
				gegenkonto: '8400',
				belegNummer: 'Z-7',
			},
			{ betrag: -200.5, belegtext: 'Kartenzahlung', gegenkonto: '1360' },
		];
		expect(await said(advanced(lines))).toBe(
			[
				'Einnahme 25,50 EUR · 20.11.2026 · Kasse „Hauptkasse“',
				'Einnahmen 226,00 EUR, Ausgaben 200,50 EUR',
				'1) 107,00 EUR, „Erlöse“, Konto 8300, 7 % Steuer, Kostenstelle LADEN',
				'2) 119,00 EUR, „Erlöse“, Konto 8400, 19 % Steuer, BU-Schlüssel 3, Belegfeld 1 Z-7',
				'3) -200,50 EUR, „Kartenzahlung“, Konto 1360',
				'Belege: 0',
			].join(' · '),
		);
	});

	it('of lines with one text says it once, with the amount', async () => {
		const line = { betrag: '1,25', belegtext: 'Porto', prozent: 0 };
		expect(await said(advanced([line, line], { bewegung: 'AUSGABE' }))).toBe(
			'Ausgabe 2,50 EUR: „Porto“ · 20.11.2026 · Kasse „Hauptkasse“ · 1) -1,25 EUR, 0 % Steuer · 2) -1,25 EUR, 0 % Steuer · Belege: 0',
		);
	});

	it('of very many lines shows the first twenty, and says how many there are more', async () => {
		const lines = Array.from({ length: 5000 }, (_, i) => ({
			betrag: 1,
			belegtext: `${i}${'x'.repeat(500)}`,
		}));
		const text = await said(advanced(lines));
		expect(text).toMatch(/ · 20\) 1,00 EUR, „19x+“ · weitere Zeilen: 4980 · Belege: 0$/);
		expect(text.length).toBeLessThan(4000);
	});
});
