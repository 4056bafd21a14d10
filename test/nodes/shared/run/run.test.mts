/** A run as a whole: what is checked together, in which order the items come out, what ends it, and what it leaves behind. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { resources as deliveries } from '../../../../nodes/AccountingGatewayDelivery/resources.js';
import { create as createCustomer } from '../../../../nodes/AccountingGatewayMobility/customer/create.js';
import { propertiesOf } from '../../../../nodes/shared/form/properties.js';
import type { WriteOperation } from '../../../../nodes/shared/operation.js';
import { run as runAll } from '../../../../nodes/shared/run/run.js';
import type { FaultInput } from '../../../../sandbox/admin/faults.mjs';
import { runNode, type RunOptions, type RunResult, type TestItem } from '../../../../host/harness.mjs';
import { simpleEntry, uploadToDuo } from '../../../../host/workflows.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const items = (...given: IDataObject[]): TestItem[] => given.map((json) => ({ json }));
const two = items({ i: 0 }, { i: 1 });
const CONTINUE = { onError: 'continueErrorOutput' } as const;

const entry = (own?: INodeParameters) => simpleEntry(gateway.connectionId('duo'), own);
const run = async (parameters: INodeParameters, options: Partial<RunOptions> = {}) =>
	await gateway.run(node, parameters, { items: two, ...options });
/** All that the error tells. */
const told = ({ error }: RunResult) =>
	[error?.message, error?.description, ...(error?.messages ?? [])].join('\n');
const LIST = '/v2/acct-rewe-read/geschaeftsjahre';
const requests = async () => (await gateway.requests()).map(({ path }) => path);

const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
/** A read of each item's company, whose fiscal year is looked up. */
const bookings = (own: INodeParameters = {}): INodeParameters => ({
	resource: 'journalBooking',
	operation: 'getAll',
	connectionId: locator('id', gateway.connectionId('rewe-read')),
	geschaeftsjahrStartDatum: locator('day', '2026-05-01'),
	companyId: locator('id', '={{ $json.i ? "29098-10002" : "29098-10001" }}'),
	...own,
});

describe('the memory of writes', () => {
	const remembered = ({ run: { data } }: RunResult) => {
		const { accountingGatewayWritten } = data.executionData!.contextData.flow as {
			accountingGatewayWritten: { nodes: Record<string, { results: object }> };
		};
		return Object.keys(accountingGatewayWritten.nodes.Node.results);
	};

	it('is empty after a run in which all was carried out', async () => {
		expect(remembered(await run(entry()))).toEqual([]);
	});

	it('keeps what was carried out where something was not, though the workflow goes on', async () => {
		await gateway.fault({ after: 1, kind: 'status', status: 422 } as FaultInput);
		expect(remembered(await run(entry(), { settings: CONTINUE }))).toHaveLength(1);
	});

	it('keeps what was carried out where another item broke a rule', async () => {
		const parameters = entry({ betrag: '={{ $json.i ? "zwei" : 1 }}' });
		expect(remembered(await run(parameters, { settings: CONTINUE }))).toHaveLength(1);
	});
});

it('items that break a rule are all that comes out where nothing is left to send, whatever the credential', async () => {
	const settings = { onError: 'continueRegularOutput' } as const;
	const cashBooks = { resource: 'cashBook', operation: 'getAll', connectionId: 'none' };
	for (const parameters of [entry({ betrag: 'zwei' }), cashBooks]) {
		const { json, error } = await runNode({ node, parameters, items: two, settings });
		expect(error).toBeUndefined();
		expect(json).toEqual(Array(2).fill(expect.objectContaining({ error: expect.any(String) as string })));
	}
	expect(await requests()).toEqual([]);
});

it.each([
	[{ status: 422 }, 'HTTP 422'],
	[{ status: 200, body: { message: 'OK' } }, 'holds no list of fiscal years'],
])('a look-up that fails ends the run, for all items that need it: %j', async (answer, text) => {
	await gateway.fault({ kind: 'status', ...answer, operationId: 'listFiscalYears' } as FaultInput);
	const { error } = await gateway.run(new AccountingGatewayData(), bookings({ companyId: '' }), {
		items: two,
	});
	expect(error?.message).toContain(text);
	expect(error?.description).not.toContain('carried out');
	expect(await requests()).toEqual([LIST]);
});

it('where the credits end during the look-ups, all that was not sent is named', async () => {
	const parameters = bookings({ options: { minimumCredits: 1_000_000 } });
	const { error } = await gateway.run(new AccountingGatewayData(), parameters, { items: two });
	expect(error?.message).toMatch(
		/^The credit balance of \d+ is below the minimum of 1000000 set in the node's options \[item 1\]$/,
	);
	expect(error?.description).toBe('Not read: items 1–2.');
	expect(await requests()).toEqual([LIST]);
});

describe('An option that applies to the run as a whole', () => {
	const three = items({}, {}, {});

	it.each([
		['timeout', 'Timeout', 'the items have 1, 300'],
		['minimumCredits', 'Minimum Credit Balance', 'the items have 1, 300'],
	])('is the same for all items, or nothing is sent: %s', async (name, title, values) => {
		const parameters = entry({ options: { [name]: '={{ $itemIndex === 1 ? 300 : 1 }}' } });
		const { error } = await run(parameters, { items: three });
		expect(error?.message).toContain(
			`Nothing was sent: ${title} (${name}) "1" must be the same for all items`,
		);
		expect(error?.message).toContain(values);
		expect(error?.description).toContain('Items that break a rule: 3 of 3');
		const { errors } = await run(parameters, { items: three, settings: CONTINUE });
		expect(errors).toHaveLength(3);
		expect(await requests()).toEqual([]);
	});

	it('says in English and in German that an item has none', async () => {
		const parameters = entry({ options: { minimumCredits: '={{ $itemIndex ? 300 : undefined }}' } });
		const { errors } = await run(parameters, { items: three, settings: CONTINUE });
		expect(errors).toMatchObject(
			three.map(() => ({
				details: {
					reason: {
						en: expect.stringContaining('the items have none, 300') as string,
						de: expect.stringContaining('angegeben sind nichts, 300') as string,
					},
				},
			})),
		);
	});

	it('refuses an item with several files once', async () => {
		const files = { a: { content: Buffer.from('a') }, b: { content: Buffer.from('b') } };
		const timeout = '={{ $itemIndex + 1 }}';
		const parameters = uploadToDuo(gateway.connectionId('duo'), { options: { timeout } });
		const { errors } = await run(parameters, { items: [{ files }, { files }], settings: CONTINUE });
		expect(errors).toHaveLength(2);
		expect(await requests()).toEqual([]);
	});

	it('is the same for all reads, too', async () => {
		const parameters = bookings({ options: { timeout: '={{ $itemIndex + 1 }}' } });
		const { error } = await gateway.run(new AccountingGatewayData(), parameters, { items: two });
		expect(error?.message).toContain('Timeout (timeout) "1" must be the same for all items');
		expect(await requests()).toEqual([]);
	});

	it('may be another one for what a dry run only shows', async () => {
		const parameters = entry({
			options: { dryRun: '={{ $itemIndex === 0 }}', timeout: '={{ $itemIndex ? 300 : 1 }}' },
		});
		const { error, json } = await run(parameters, { items: three });
		expect(error).toBeUndefined();
		expect(json.map(({ dryRun, alreadyExisted }) => dryRun ?? alreadyExisted)).toEqual([
			true,
			undefined,
			undefined,
		]);
	});
});

describe('an operation that the node has not', () => {
	it.each([
		[{ operation: 'verschieben' }, 'no operation "verschieben" for "cashBookEntry"'],
		[{ operation: null }, 'no operation "" for "cashBookEntry"'],
		[{ resource: 'kasse' }, 'for "kasse"'],
	])('is refused: %o', async (own, text) => {
		const { error } = await run(entry(own as INodeParameters));
		expect(error?.message).toContain(text);
		expect(error?.description).toContain('For a custom API call, use the HTTP Request node');
		expect(await requests()).toEqual([]);
	});
});

describe('a run that fails as a whole, where the workflow goes on', () => {
	const { achieves, ...customer } = createCustomer;
	const mistake = () => {
		throw new Error('a mistake in the node');
	};
	const flawed: WriteOperation = { ...customer, achieves: { ...achieves, where: mistake } };
	const unreadable: WriteOperation = { ...createCustomer, records: mistake };

	it.each<[string, string, Partial<RunOptions>]>([
		['does not have any credentials', 'notSent', { credential: undefined }],
		['no operation "verschieben"', 'notSent', { parameters: { operation: 'verschieben' } }],
		['Update the package', 'notSent', { settings: { typeVersion: 2 } }],
		['a mistake in the node', 'unknown', { parameters: { resource: 'customer', name: 'A' } }],
		['probably carried out', 'unknown', { parameters: { resource: 'unreadable', name: 'A' } }],
	])('passes no item on as a success: %s', async (text, outcome, { parameters, settings, ...own }) => {
		const resources = [
			...deliveries,
			{ value: 'customer', name: 'Customer', operations: [flawed] },
			{ value: 'unreadable', name: 'Customer', operations: [unreadable] },
		];
		const { main, errors } = await run(
			{ ...entry(), ...parameters },
			{
				...own,
				node: {
					description: { ...node.description, properties: propertiesOf(resources) },
					execute: async function () {
						return await runAll(this, resources);
					},
				},
				settings: { ...settings, ...CONTINUE },
			},
		);
		expect(main[0]).toEqual([]);
		expect(errors).toEqual(
			[0, 1].map((i) => ({
				i,
				error: expect.stringContaining(text) as string,
				details: expect.objectContaining({ outcome }) as object,
			})),
		);
	});
});

describe('a credential with expressions', () => {
	const REAL = 'the real key';

	it.each<[string, string[], number?]>([
		['={{ $json.key }}', [REAL, REAL]],
		['={{ $json.key }}', [REAL, 'other', REAL], 2],
		['={{ $json.key }}', [REAL, REAL, ''], 3],
		['={{ $("Source").first().json.key }}', [REAL, 'other']],
	])('counts only where all items have the same account: %s, %j', async (apiKey, keys, other) => {
		const { credential } = gateway;
		const { error } = await run(entry(), {
			items: items(...keys.map((key, i) => ({ i, key: key === REAL ? credential.apiKey : key }))),
			credential: { ...credential, apiKey },
		});
		expect(error?.message).toBe(
			other && `The credential has another value than for the first item [item ${other}]`,
		);
		expect(await gateway.list('entries')).toHaveLength(other ? 0 : keys.length);
	});
});

describe('a rule about several values', () => {
	const lines = (...amounts: string[]) => ({
		belegzeile: amounts.map((betrag) => ({ betrag, belegtext: 'Brot', prozent: '7' })),
	});
	const advanced = (betrag: string, belegzeilen = lines('1', '2')) =>
		entry({ operation: 'createAdvanced', belegnummer: '', betrag, belegzeilen });

	it('says nothing where one of them is wrong by itself', async () => {
		const text = told(await run(advanced('vier')));
		expect(text).toContain('Amount (betrag)');
		expect(text).not.toContain('must equal');
	});

	const upload = (options: INodeParameters) => {
		const additionalFields = { id: '123e4567-e89b-12d3-a456-426614174000' };
		return uploadToDuo(gateway.connectionId('duo'), { additionalFields, options });
	};
	const withFile: TestItem[] = [{ files: { data: { content: Buffer.from('%PDF-1.4'), fileName: 'a.pdf' } } }];

	it('knows the options, and names a field of a collection', async () => {
		const text = told(await run(upload({ idFromContent: true }), { items: withFile }));
		expect(text).toMatch(/Document ID.*can't be given while the option "ID From Content" is on/);
		expect((await run(upload({}), { items: withFile })).error).toBeUndefined();
	});

	it('is judged without the options where one of them is wrong', async () => {
		const text = told(await run(upload({ idFromContent: true, timeout: -1 }), { items: withFile }));
		expect(text).toContain('Timeout');
		expect(text).not.toContain("can't be given");
	});
});
