/**
 * What outlives a run: texts that n8n's database, an execution's data or the gateway keep. An update of this package reads
 * what the version before it has written, so each format stands here with its literal value. A change of one would book or
 * upload everything again at the next update: before the first release, a format changes together with its line here;
 * afterwards, a new version of it stands beside the old one.
 */
import { createHash, createHmac } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { AccountingGatewayDelivery } from '../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayMobility } from '../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { AccountingGatewayTransactionTrigger } from '../../nodes/AccountingGatewayTransactionTrigger/AccountingGatewayTransactionTrigger.node.js';
import { FakeDatabase } from '../support/fakeDatabase.mjs';
import type { RunOptions, RunResult, TestItem } from '../../host/harness.mjs';
import { PolledWorkflow } from '../../host/pollHarness.mjs';
import { tokenIn, TriggerWorkflow } from '../../host/triggerHarness.mjs';
import { useGateway } from '../support/useSandbox.mjs';
import { simpleEntry, uploadToDuo } from '../../host/workflows.mjs';

const gateway = useGateway();
const delivery = new AccountingGatewayDelivery();
const NOW = '2026-03-10T09:00:00.000Z';
/** The first entry of each row of a node. */
const MARK = 'accounting gateway, format 1';
const RECEIPT = { data: { content: Buffer.from('%PDF-1.4 Bon'), fileName: 'Bon.pdf' } };

let database: FakeDatabase;
beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date'] });
	vi.setSystemTime(new Date(NOW));
	gateway.sandbox.store.setNow(new Date(NOW));
	database = new FakeDatabase();
	database.install();
});
afterEach(() => void vi.useRealTimers());

const run = async (parameters: INodeParameters, items: TestItem[], options: Partial<RunOptions> = {}) =>
	await gateway.run(delivery, parameters, { items, executionId: '4711', ...options });
/** n8n's record of the node under test, and of its workflow. */
const rows = (workflowId: string) => {
	const of = (isNode: boolean) =>
		[...database.rows].flatMap(([key, row]) =>
			key.startsWith(`${workflowId}/`) && (key !== `${workflowId}/`) === isNode ? row : [],
		);
	return { node: of(true), workflow: of(false) };
};
const duo = () => gateway.connectionId('duo');

/** An advanced entry of two lines, with all that identifies it. */
const split = (): INodeParameters =>
	simpleEntry(duo(), {
		operation: 'createAdvanced',
		bewegung: '',
		betrag: '',
		belegzeilen: {
			belegzeile: [
				{
					betrag: '11.9',
					belegtext: 'Brötchen',
					prozent: '19',
					buSchluessel: '3',
					gegenkonto: '8400',
					belegNummer: 'Z-1',
					kostenstelle1: '10',
					kostenstelle2: '20',
				},
				{ betrag: '10.7', belegtext: 'Brot', prozent: '7', gegenkonto: '8300' },
			],
		},
		belegbilder: 'data',
		options: { alreadyBooked: true },
	});

describe('The gateway keeps', () => {
	const numbersOf = async () =>
		(await gateway.list('entries')).map(({ fields }) => (fields as IDataObject).belegnummer);

	it('the number that an entry without one gets', async () => {
		const own = {
			belegnummer: '',
			belegbilder: '*',
			belegtext: '={{ $json.text }}',
			transaktionsdatum: "={{ $json.day ?? '02.03.2026 09:30' }}",
		};
		const additionalFields = { gegenkonto: '4930', belegNummer: 'R-17' };
		const items: TestItem[] = [
			{ json: { text: 'Briefmarken' } },
			{ json: { text: 'Briefmarken' } },
			{ json: { text: 'Brötchen' }, files: RECEIPT },
			{ json: { text: 'Brötchen', day: '2.3.2026' } },
			{ json: { text: 'Brötchen', day: '2026-03-02T08:30:00Z' } },
		];
		await run(simpleEntry(duo(), { ...own, additionalFields }), items);
		expect(await numbersOf()).toEqual([
			'MRFHX0-8YZEX8-1YEYBE-WZ95WW-467DAQ',
			'RV482N-BPN6WQ-HBVQ1R-KQTJT9-S8370A',
			'RHSQGP-SQ0WAZ-NZ85MB-V88WBS-1J1H21',
			'A4XN4C-X19Z07-MQFNSK-RZN39W-E5QHXZ',
			'S0YDWN-TR5P5M-WRXG16-RAFSNH-RW3WP2',
		]);
	});

	it('the same number, by whatever name the receipt is sent', async () => {
		const named = simpleEntry(duo(), {
			belegnummer: '',
			belegtext: 'Brötchen',
			transaktionsdatum: '02.03.2026 09:30',
			additionalFields: { gegenkonto: '4930', belegNummer: 'R-17', dateiname: 'Bäcker.pdf' },
		});
		await run({ ...named, belegbilder: '*' }, [{ files: RECEIPT }]);
		expect(await gateway.list('entries')).toMatchObject([{ belegbilder: [{ dateiname: 'Bäcker.pdf' }] }]);
		expect(await numbersOf()).toEqual(['RHSQGP-SQ0WAZ-NZ85MB-V88WBS-1J1H21']);
	});

	it('the ID that a document gets from its content', async () => {
		await run(uploadToDuo(duo()), [{ files: RECEIPT }]);
		const connectionId = gateway.connectionId('rewe');
		const rewe = { operation: 'uploadRewe', connectionId, belegdatum: '2026-02-28' };
		await run(uploadToDuo(connectionId, rewe), [{ files: RECEIPT }], { executionId: '4712' });
		const bodies = (await gateway.requests()).map(({ body }) => body as IDataObject);
		expect(bodies.map(({ id, belegId }) => id ?? belegId)).toEqual([
			'169cf8cc-7c51-5571-9dd8-02d068547258',
			'8a8ce122-0aa8-5513-9d07-370e31b24dc2',
		]);
	});
});

describe('n8n’s processed data keeps', () => {
	it('the content of an advanced entry that was booked', async () => {
		await run(split(), [{ files: RECEIPT }], { workflowId: 'split' });
		expect(rows('split').node).toEqual([
			MARK,
			'written 7ddb95d4b511c7df4783d8d851d63b97adb3276dce7b565d6ef9c10aae12af20 1',
		]);
	});

	it('the same content, by whatever name the receipt is sent', async () => {
		const named = { ...split(), additionalFields: { dateiname: 'Bäcker.pdf' } };
		await run(named, [{ files: RECEIPT }], { workflowId: 'named' });
		expect(await gateway.list('entries')).toMatchObject([{ belegbilder: [{ dateiname: 'Bäcker.pdf' }] }]);
		expect(rows('named').node).toEqual([
			MARK,
			'written 7ddb95d4b511c7df4783d8d851d63b97adb3276dce7b565d6ef9c10aae12af20 1',
		]);
	});

	it('the content of an advanced entry of a moment, and on which day it was booked', async () => {
		const parameters = { ...split(), transaktionsdatum: '2026-03-02T23:30:00Z' };
		await run(parameters, [{ files: RECEIPT }], { workflowId: 'moment' });
		expect(rows('moment').node).toEqual([
			MARK,
			'written a2a485b08a2a9c612e3636fc5b215570736fa7cbdbb07ac38936e2e7ef961fa2 1',
			'at 1e68d8f3e3fecb983b1b660154d7dcd460fe4f77033ea2a133e6122ce37a6ab5 1',
		]);
	});

	it('the content of an advanced entry whose outcome is unknown', async () => {
		await gateway.fault({ operationId: 'createAdvancedCashBookEntry', kind: 'drop', point: 'after-handler' });
		await run(split(), [{ files: RECEIPT }], { workflowId: 'open' });
		expect(rows('open').node).toEqual([
			MARK,
			'written 7ddb95d4b511c7df4783d8d851d63b97adb3276dce7b565d6ef9c10aae12af20 1',
			'open 7ddb95d4b511c7df4783d8d851d63b97adb3276dce7b565d6ef9c10aae12af20 1',
		]);
	});

	it('the content of a document that was uploaded, for each module', async () => {
		for (const [module, operation] of [
			['duo', 'uploadDuo'],
			['rewe', 'uploadRewe'],
		] as const) {
			const connectionId = gateway.connectionId(module);
			const own = { operation, connectionId, belegdatum: '2026-02-28', options: { alreadyUploaded: true } };
			await run(uploadToDuo(connectionId, own), [{ files: RECEIPT }], { workflowId: module });
		}
		expect([...rows('duo').node, ...rows('rewe').node]).toEqual([
			MARK,
			'written document duo cc842d9e-7a63-4388-8355-94c114ced647 1ecd8b150bbb34683d1ab02538bec40e2950f54dbbd7cf3fc3533c49eb3c04fe',
			MARK,
			'written document rewe 0ff34e87-40ed-49e8-b834-2d2d50dd0e37 1ecd8b150bbb34683d1ab02538bec40e2950f54dbbd7cf3fc3533c49eb3c04fe',
		]);
	});

	it('for whom a ticket was bought', async () => {
		const parameters = {
			resource: 'ticket',
			operation: 'create',
			product_id: 'deutschlandticket-job',
			additionalFields: { postal_code: '90402' },
			onlyOnceFor: '00 A15',
		};
		await gateway.run(new AccountingGatewayMobility(), parameters, { items: [{}], workflowId: 'once' });
		expect(rows('once').node).toEqual([MARK, 'written ticket for a15']);
	});

	it('that an execution has started to write, and that its retry has', async () => {
		await gateway.fault({ operationId: 'createCashBookEntry', kind: 'status', status: 422, after: 1 });
		const failed = await run(simpleEntry(duo()), [{}, {}], { workflowId: 'tries' });
		expect(rows('tries').workflow).toEqual(['writes 1773133200000', 'writes by 4711/0']);
		await run(simpleEntry(duo()), [{}, {}], {
			workflowId: 'tries',
			retryOf: failed.run,
			executionId: '4712',
		});
		expect(rows('tries').workflow).toEqual([
			'writes 1773133200000',
			'writes by 4711/0',
			'writes 4711/1',
			'writes by 4712/1',
		]);
		const unsaved = structuredClone({ ...failed.run, data: { ...failed.run.data } });
		unsaved.data.executionData!.contextData = {};
		await run(simpleEntry(duo()), [{}, {}], {
			workflowId: 'retried',
			retryOf: unsaved,
			executionId: '4713',
		});
		expect(rows('retried').workflow).toEqual([
			'writes 1773133200000',
			'writes by 4713/0',
			'retried 1773133200000',
		]);
	});

	it('an event that has started a workflow', async () => {
		const { payments } = gateway.sandbox.services;
		const payment_id = payments.create({ status: 'authorizing' }).id;
		const trigger = new TriggerWorkflow(new AccountingGatewayBankingTrigger(), {
			credential: gateway.credential,
			workflowId: 'event',
		});
		const event = (data: IDataObject) => ({ event: 'payment_update', data, received_at: NOW });
		const status = 'authorizing';
		await trigger.run([[{ json: event({ payment_id, status }) }]]);
		trigger.options = { ...trigger.options, parameters: { options: { verify: false } } };
		await trigger.run([[{ json: event({ payment_id: 'pay-1', status: 'settled' }) }]]);
		const stored = rows('event').node.map((row) => row.replaceAll(payment_id, 'PAYMENT'));
		expect(stored).toEqual([
			MARK,
			'["Node","6-2RphZGe3r03s6wGP2RoJ9wP9tT-7mpgY4RLwYsEPo"]',
			'["Node","BNzYggkOzNIA8Rpvz1brt6qBPlY09dVceR1sEJILdu4"]',
		]);
	});

	it('a transaction that has started a workflow, and static data what the trigger has seen', async () => {
		const workflow = new PolledWorkflow(new AccountingGatewayTransactionTrigger(), {
			credential: gateway.credential,
			workflowId: 'transactions',
			parameters: { account_id: 'acc-giro', direction: 'incoming', minAmount: '5', text: 'RE' },
		});
		await workflow.activate();
		const { id } = gateway.sandbox.services.bank.transfer({
			bank_account: 'acc-giro',
			amount: 12,
			text: 'RE-1',
		});
		expect(await workflow.poll()).toHaveLength(1);
		expect(rows('transactions').node.map((row) => row.replaceAll(id, 'TRANSACTION'))).toEqual([
			MARK,
			'["Node","[\\"acc-giro\\",\\"TRANSACTION\\"]"]',
		]);
		const keyOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16);
		const [[place, memories]] = Object.entries(workflow.stored.global as IDataObject);
		const stored = JSON.parse(
			JSON.stringify({ [place]: memories })
				.replace(/"process":"[^"]*"/, '"process":"PROCESS"')
				.replaceAll(keyOf(id), 'TRANSACTION'),
		) as IDataObject;
		expect(stored).toEqual({
			'accountingGatewayTransactions ["node","Node"]': {
				'PWV_81Xl9F-8Rtol': {
					format: 1,
					filter: {
						direction: 'incoming',
						minAmount: 5,
						text: 'RE',
					},
					from: '2026-03-03',
					last: ['TRANSACTION'],
					leftOut: {},
					open: {
						'2026-03-09': '2026-03-18',
						'2026-03-10': '2026-03-10',
					},
					process: 'PROCESS',
					seen: {
						'6O9QdrAjEf5cZ3HN': '2026-03-07',
						'CXQtNCgd3-wOyY57': '2026-03-05',
						JpsIaf9SlQ9SoWBj: '2026-03-04',
						MGODMIeL3G8Ue5Gq: '2026-03-03',
						TRANSACTION: '2026-03-10',
						WXlC2IzXjeBCi_OF: '2026-03-09',
						iQpxm0cGtRUjpWmP: '2026-03-06',
						yfC7qrcMReJV_tEO: '2026-03-03',
					},
				},
			},
		});
	});
});

describe('The data of an execution keeps', () => {
	const flowOf = ({ run }: RunResult) => {
		const { contextData } = run.data.executionData!;
		return JSON.parse(
			JSON.stringify(contextData).replaceAll(gateway.credential.baseUrl, 'https://gateway.example.com'),
		) as IDataObject;
	};

	it('what was sent, for its retry', async () => {
		await gateway.fault({ operationId: 'createCashBookEntry', kind: 'status', status: 422, after: 1 });
		const options = { workflowId: 'journal', settings: { onError: 'stopWorkflow' as const } };
		const failed = await run(simpleEntry(duo()), [{ json: { a: 1 } }, { json: { a: 2 } }], options);
		expect(flowOf(failed)).toEqual({
			flow: {
				accountingGatewayWritten: {
					format: 3,
					execution: '4711',
					node: 'Node',
					nodes: {
						Node: {
							results: {
								'[0,0,false,null]': {
									as: {
										label: { en: 'belegnummer K-10', de: 'Nummer im Kassenbuch K-10' },
										sent: {
											belegnummer: 'K-10',
										},
									},
									destination:
										'https://gateway.example.com/v2/acct, connection cc842d9e-7a63-4388-8355-94c114ced647',
									fingerprint: 'vYBBdpB0fo7TkeyUqP6DqAS9NgORwJzQ9-Z0q1dDxlo',
									outcome: {
										kind: 'done',
										value: {
											acctAntwort: null,
											belegbilder: [],
											belegnummer: 'K-10',
											belegtext: 'Tageseinnahme',
											betrag: 10,
											bewegung: 'EINNAHME',
											kassenname: 'Hauptkasse',
											steuersatz: 19,
											svc: {
												neuesGuthaben: 999,
											},
											transaktionsdatum: '2026-03-02T09:30:00+01:00',
											waehrung: 'EUR',
										},
									},
									record: '["cc842d9e-7a63-4388-8355-94c114ced647","k-10"]',
								},
							},
						},
					},
					run: 0,
					tries: 1,
				},
			},
			'node:Node': {
				accountingGatewayCredits: {
					balance: 999,
					execution: '4711',
				},
			},
		});
	});

	it('what was sent by an advanced entry, whose outcome is unknown', async () => {
		await gateway.fault({ operationId: 'createAdvancedCashBookEntry', kind: 'drop', point: 'after-handler' });
		const failed = await run(split(), [{ files: RECEIPT }], { workflowId: 'journal of split' });
		expect(flowOf(failed)).toEqual({
			flow: {
				accountingGatewayWritten: {
					format: 3,
					execution: '4711',
					node: 'Node',
					nodes: {
						Node: {
							results: {
								'[0,0,false,null]': {
									as: {
										label: { en: 'entry of 22.6 (belegNummer Z-1)', de: expect.any(String) as string },
									},
									destination:
										'https://gateway.example.com/v2/acct, connection cc842d9e-7a63-4388-8355-94c114ced647',
									fingerprint: '4Tx7OV6JEA3rUsTy6NdgAW6-q8F6bFHQBBY2J76kgsQ',
									outcome: {
										failure: {
											description: { en: expect.any(String) as string, de: expect.any(String) as string },
											label: { en: 'entry of 22.6 (belegNummer Z-1)', de: expect.any(String) as string },
											remembered: true,
											message: { en: expect.any(String) as string, de: expect.any(String) as string },
											outcome: 'unknown',
											transient: true,
										},
										kind: 'failed',
									},
									record: '7ddb95d4b511c7df4783d8d851d63b97adb3276dce7b565d6ef9c10aae12af20 1',
								},
							},
						},
					},
					run: 0,
					tries: 1,
				},
			},
			'node:Node': {},
		});
	});
});

describe('The address that the gateway calls', () => {
	it('has a token signed with the API key, of which static data keeps a digest', async () => {
		const workflow = new TriggerWorkflow(new AccountingGatewayBankingTrigger(), {
			credential: gateway.credential,
			workflowId: 'w1',
		});
		await workflow.create();
		const token = tokenIn((await gateway.list<{ url: string }>('webhooks'))[0].url);
		const bytes = Buffer.from(token, 'base64url');
		expect(bytes.readUIntBE(0, 6)).toBe(Date.parse(NOW));
		const owner = JSON.stringify(['payment trigger', 'w1', 'node']);
		const signature = createHmac('sha256', gateway.credential.apiKey)
			.update(bytes.subarray(0, 22))
			.update(owner);
		expect(bytes.subarray(22).toString('hex')).toBe(signature.digest('hex'));
		expect(Object.values(workflow.staticData)).toEqual([
			{ token: createHash('sha256').update(token).digest('base64url'), issued: Date.parse(NOW) },
		]);
	});
});
