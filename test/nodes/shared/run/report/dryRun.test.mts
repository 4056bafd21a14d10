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
} from '../../../../support/harness.mjs';
import { simpleEntry, uploadToDuo } from '../../../../support/workflows.mjs';

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
		const hasFiles = action.fields.some(({ name }) => name === 'datei' || name === 'belegbilder');
		const options = { items: [{ ...(hasFiles && { files: { data: FILE } }) }] };
		const looked = await run(action.node, dry(parameters), options);
		expect(looked.error).toBeUndefined();
		expect(recorder.requests).toEqual([]);

		await run(action.node, parameters, options);
		const [{ method, url, text }] = recorder.requests;
		const { pathname, searchParams } = new URL(url, recorder.url);
		const { germanSummary } = looked.json[0];
		expect(looked.main[0]).toEqual([
			{
				json: {
					summary: expect.stringMatching(/^Would \S+ .*[^.]$/),
					...(germanSummary !== undefined && { germanSummary }),
					dryRun: true,
					method,
					path: pathname,
					query: Object.fromEntries(searchParams),
					body: shown(JSON.parse(text)),
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
		expect(json[0].summary).toBe(
			'Would book an expense of 12.50 EUR in the cash book Hauptkasse on 2026-03-02 (belegnummer K-0): Tageseinnahme, 19 % tax, with 2 receipts',
		);
	});

	it('of a file that comes again says so', async () => {
		const items = [{ files: { a: file('a.pdf', 'x') } }, { files: { a: file('b.pdf', 'x') } }];
		const { json } = await run(delivery, dry(uploadToDuo(CONNECTION, { options: { idFromContent: true } })), {
			items,
		});
		expect(json[1].summary).toMatch(/; the same as item 1, so it would be sent once$/);
		const [one, another] = json.map(({ body }) => (body as IDataObject).id);
		expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
		expect(another).toBe(one);
	});
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
	recorder.answer = ({ text }) => (text.includes('K-2') ? { status: 422 } : { body: { belegnummer: 'K-0' } });
	const parameters = simpleEntry(CONNECTION, { options: { dryRun: '={{ $itemIndex === 1 }}' } });
	const { error } = await run(delivery, parameters, { items: [{}, {}, {}, {}] });
	expect(error?.description).toContain(
		'Carried out: item 1. Dry run, nothing sent: item 2. Refused: item 3. Not sent: item 4.',
	);
});

describe('the summary of an entry in German', () => {
	const germanSummary = async (parameters: INodeParameters, files?: TestItem['files']) =>
		(await run(delivery, dry(parameters), { items: [{ files }] })).json[0].germanSummary;
	const entry = (own: INodeParameters = {}) =>
		simpleEntry(CONNECTION, {
			belegnummer: 'K-1',
			bewegung: 'AUSGABE',
			betrag: '1.250,50',
			steuersatz: '7,5',
			transaktionsdatum: '2026-11-20',
			belegtext: 'Brot',
			...own,
		});

	it('has what an accountant looks at, in German notation', async () => {
		expect(await germanSummary(entry(), { data: file('Bon.jpg') })).toBe(
			'K-1: AUSGABE 1250,50 EUR, 7,5 % Steuer, 20.11.2026, Kasse „Hauptkasse“: „Brot“, Belege: 1',
		);
	});

	it('lets no text from outside end its quotation marks, or run on', async () => {
		const belegtext = `Brot“, Kasse „Tresor\u202e<b>${'x'.repeat(200)}`;
		const said = await germanSummary(entry({ belegtext }));
		expect(said).toMatch(/: „Brot , Kasse {2}Tresor {2}b x{60,80}“, Belege: 0/);
	});

	it('of an entry with lines says how many there are, and the signed amount', async () => {
		const advanced: INodeParameters = {
			...entry({ bewegung: '', betrag: '' }),
			operation: 'createAdvanced',
			belegzeilenFrom: 'json',
			belegzeilenJson: '[{ "betrag": -10 }, { "betrag": -2.5 }]',
		};
		expect(await germanSummary(advanced)).toBe(
			'-12,50 EUR, 20.11.2026, Kasse „Hauptkasse“: Zeilen: 2, Belege: 0',
		);
	});
});
