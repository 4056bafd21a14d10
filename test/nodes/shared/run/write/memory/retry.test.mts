/** What another try of an execution finds in the journal: by n8n's "Retry", "Retry On Fail", or an agent that calls its tool again. */
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRun,
} from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayMobility } from '../../../../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import type { FaultInput } from '../../../../../../sandbox/admin/faults.mjs';
import { startSandbox } from '../../../../../../sandbox/server.mjs';
import { logger } from '../../../../../../host/engine.mjs';
import { BINARY_MODES, removeFiles, renameFiles, useBinaryMode } from '../../../../../../host/fileStore.mjs';
import { type RunOptions, type TestFile, type TestItem, toolOf } from '../../../../../../host/harness.mjs';
import { engineIsFrom } from '../../../../../../host/n8nPackages.mjs';
import { simpleEntry, uploadToDuo } from '../../../../../../host/workflows.mjs';
import { useGateway } from '../../../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const data: TestFile = {
	content: Buffer.from('%PDF-1.4'),
	fileName: 'Beleg.pdf',
	mimeType: 'application/pdf',
};

const items = (count: number, files?: TestItem['files']): TestItem[] =>
	Array.from({ length: count }, (_, i) => ({ json: { i }, files }));
const entry = (own?: INodeParameters) => simpleEntry(gateway.connectionId('duo'), own);
/** Each upload of the same file is a document of its own. */
const document = () => uploadToDuo(gateway.connectionId('duo'), { options: { idFromContent: false } });

const run = async (parameters: INodeParameters, options: Partial<RunOptions> = {}) =>
	await gateway.run(node, parameters, { items: items(2), ...options });
const booked = async () =>
	(await gateway.list('entries')).map(({ fields }) => (fields as IDataObject).belegnummer);
const on = (item: number, fault: object): FaultInput => ({ after: item, ...fault }) as FaultInput;
const refusal = (item: number) => on(item, { kind: 'status', status: 422 });
/** Changes the node before a retry. */
const changeNode = ({ data }: IRun, change: Partial<INode>) =>
	Object.assign(data.executionData!.nodeExecutionStack[0].node, change);
const lost = (item: number) => on(item, { kind: 'drop', point: 'after-handler' });

describe.each(BINARY_MODES)(
	'Retry of an execution with files from a webhook, whose IDs n8n changes when it stores it (binary mode "%s"),',
	(mode) => {
		useBinaryMode(mode);

		it('continues after what was uploaded', async () => {
			await gateway.fault(refusal(1));
			const first = await run(document(), { items: items(2, { data }) });
			// Documents are in flight at once: whichever comes second is refused.
			expect(first.error?.description).toMatch(/Carried out: item [12]\. Refused: item [12]\./);
			await renameFiles(first.run);
			const { error, json } = await run(document(), { retryOf: first.run });
			expect(error).toBeUndefined();
			expect(json).toHaveLength(2);
			expect(await gateway.list('documents')).toHaveLength(2);
		});

		// An older n8n removes the files of the whole execution, whichever is named.
		it.skipIf(mode === 'default' || !engineIsFrom('2.40'))(
			'sends nothing when a file is gone meanwhile, and says so',
			async () => {
				await gateway.fault(refusal(1));
				const parameters = entry({ belegbilder: 'data' });
				const first = await run(parameters, { items: items(2, { data }) });
				await renameFiles(first.run);
				await removeFiles(first.run, 1);
				const { error } = await run(parameters, { retryOf: first.run });
				expect(error?.message).toContain("matches a file that can't be read from n8n's binary store");
				expect(error?.message).toContain('[item 2, “K-11”]');
				expect(await booked()).toEqual(['K-10']);
			},
		);
	},
);

describe('Retry', () => {
	it('without a credential says that items may have been sent, also where the workflow goes on', async () => {
		await gateway.fault(refusal(1));
		const { run: failed } = await run(entry());
		changeNode(failed, { onError: 'continueErrorOutput', credentials: undefined });
		const { errors } = await run(entry(), { retryOf: failed, credential: undefined });
		expect(errors).toMatchObject(Array(2).fill({ details: { outcome: 'unknown' } }));
	});

	it('of a read without a credential says of nothing that it may have been sent', async () => {
		const cashBooks = {
			resource: 'cashBook',
			operation: 'getAll',
			connectionId: gateway.connectionId('duo'),
		};
		const { errors } = await run(cashBooks, {
			mode: 'retry',
			credential: undefined,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(errors).toMatchObject(Array(2).fill({ details: { outcome: 'notSent' } }));
	});

	it.each<[string, (item: INodeExecutionData) => void]>([
		['an item that', ({ json }) => (json.id = 'another')],
		['an item whose file', ({ binary }) => (binary!.data.fileSize = '1 B')],
	])('sends nothing for %s has changed since something was sent for it', async (_, change) => {
		await gateway.fault(refusal(1));
		const { run: failed } = await run(entry(), { items: items(2, { data }) });
		const [{ data: input }] = failed.data.executionData!.nodeExecutionStack;
		change(input.main[0]![0]);
		const { error } = await run(entry(), { retryOf: failed });
		expect(error?.message).toContain('has changed since');
		expect(error?.description).toContain('Unknown: item 1. Not sent: item 2.');
		expect(await booked()).toEqual(['K-10']);
	});

	it('sends nothing if the execution began with a version of the package that noted it otherwise', async () => {
		await gateway.fault(refusal(1));
		const { run: failed } = await run(entry());
		Object.assign(failed.data.executionData!.contextData.flow.accountingGatewayWritten as object, {
			format: 2,
		});
		const { error } = await run(entry(), { retryOf: failed });
		expect(error?.message).toContain('it began with another version of the package');
		expect(await booked()).toEqual(['K-10']);
	});

	it.each([
		['sends no', '10'],
		['doesn’t say that nothing was sent for a wrong', 'zwei'],
	])('%s record of several items if one of them was sent as another record meanwhile', async (_, betrag) => {
		await gateway.fault(refusal(1));
		const { run: failed } = await run(document(), { items: items(2, { data }) });
		const combined = entry({
			operation: 'createAdvanced',
			bewegung: '',
			betrag: '',
			combineBy: 'A',
			belegzeilenFrom: 'fields',
			belegzeilen: { belegzeile: [{ betrag, prozent: '19' }] },
		});
		changeNode(failed, { parameters: combined, onError: 'continueErrorOutput' });
		const { errors } = await run(combined, { retryOf: failed });
		expect(errors).toMatchObject([
			{ error: expect.stringContaining('has changed since') as string, details: { outcome: 'unknown' } },
		]);
		expect(await booked()).toEqual([]);
	});

	it('sends nothing to another gateway, and does not claim that the record is there', async () => {
		await gateway.fault(refusal(1));
		const first = await run(entry());
		const other = await startSandbox();
		const credential = { apiKey: other.apiKey, baseUrl: other.url, accountingProvider: 'acct' };
		const { error } = await run(entry(), { retryOf: first.run, credential });
		const arrived = other.log.entries.length;
		await other.close();
		expect(error?.message).toContain('sent this item to another gateway or connection');
		expect(error?.description).toContain(`It went to ${gateway.sandbox.url}/v2/acct`);
		expect(error?.description).toContain('Unknown: item 1. Not sent: item 2.');
		expect(arrived).toBe(0);
	});

	it('sends nothing to another connection, and does not claim that the record is there', async () => {
		await gateway.fault(refusal(1));
		const [one, another] = [gateway.connectionId('duo'), '123e4567-e89b-42d3-a456-426614174000'];
		const parameters = entry({
			connectionId: `={{ $workflow.name === 'Corrected' ? '${another}' : '${one}' }}`,
		});
		const first = await run(parameters);
		const before = (await gateway.requests()).length;
		const { error } = await run(parameters, { retryOf: first.run, workflowName: 'Corrected' });
		expect(error?.description).toContain(`connection ${one}`);
		expect(error?.description).toContain('Unknown: item 1. Not sent: item 2.');
		expect(await gateway.requests()).toHaveLength(before);
	});

	it('sends no item by another operation, to which the node was switched, after it was sent', async () => {
		await gateway.fault(refusal(1));
		const { run: failed } = await run(entry());
		const belegzeilen = { belegzeile: [{ betrag: '10', prozent: '19' }] };
		const advanced = entry({ operation: 'createAdvanced', belegzeilenFrom: 'fields', belegzeilen });
		changeNode(failed, { onError: 'continueErrorOutput', parameters: advanced });
		const { errors, json } = await run(advanced, { retryOf: failed });
		expect(errors).toMatchObject([{ error: expect.stringContaining('has changed since') as string }]);
		// What was refused before.
		expect(json).toHaveLength(1);
		expect(await gateway.list('entries')).toHaveLength(2);
	});

	it('sends a record that is another one now where the first one was there already', async () => {
		await run(entry(), { items: items(1) });
		await gateway.fault(refusal(1));
		const belegnummer = `={{ $workflow.name === 'Corrected' ? '2026-' : '' }}K-1{{ $json.i }}`;
		const other = entry({ belegnummer, options: { alreadyBooked: true } });
		const first = await run(other);
		expect((await run(other, { retryOf: first.run, workflowName: 'Corrected' })).error).toBeUndefined();
		expect(await booked()).toEqual(['K-10', '2026-K-10', '2026-K-11']);
	});

	it('shows no dry run of an item that was sent', async () => {
		await gateway.fault(refusal(1));
		const { run: failed } = await run(entry());
		changeNode(failed, { onError: 'continueErrorOutput', parameters: entry({ options: { dryRun: true } }) });
		const { errors, json } = await run(entry(), { retryOf: failed });
		expect(errors).toMatchObject([{ details: { outcome: 'unknown' } }]);
		expect(json).toMatchObject([{ dryRun: true, body: { belegnummer: 'K-11' } }]);
	});

	it('uploads no file again that is named in another way', async () => {
		await gateway.fault(refusal(1));
		const { run: failed } = await run(document(), { items: items(2, { data }) });
		const before = await gateway.requests();
		const parameters = { ...document(), datei: '={{ $binary.data }}' };
		changeNode(failed, { onError: 'continueErrorOutput', parameters });
		const { errors } = await run(document(), { retryOf: failed });
		expect(errors).toMatchObject([{ error: expect.stringContaining('has changed since') as string }]);
		expect(await gateway.requests()).toHaveLength(before.length + 1);
	});

	it('says that something was sent where the node was changed and breaks a rule now', async () => {
		await gateway.fault(refusal(1));
		const changed = entry({ waehrung: `={{ $workflow.name === 'Corrected' ? 'EURO' : 'EUR' }}` });
		const first = await run(changed);
		const retry = { retryOf: first.run, workflowName: 'Corrected' };
		const { error } = await run(changed, retry);
		expect(error?.message).toContain('Nothing more was sent: Currency');
		expect(error?.description).toContain('a new run may send it again');
		changeNode(first.run, { onError: 'continueErrorOutput' });
		const { errors } = await run(changed, retry);
		const issues = [{ field: 'waehrung', value: { de: 'EURO' } }];
		expect(errors).toMatchObject([
			{ details: { outcome: 'unknown', issues } },
			{ details: { outcome: 'invalid', issues } },
		]);
	});

	it('treats a connection in capital letters as the same one', async () => {
		await gateway.fault(refusal(1));
		const id = gateway.connectionId('duo');
		const parameters = entry({
			connectionId: `={{ $workflow.name === 'Corrected' ? '${id.toUpperCase()}' : '${id}' }}`,
		});
		const first = await run(parameters);
		const { error } = await run(parameters, { retryOf: first.run, workflowName: 'Corrected' });
		expect(error).toBeUndefined();
		expect(await booked()).toEqual(['K-10', 'K-11']);
	});
});

describe('Retry of an unknown outcome', () => {
	it('says that nothing was sent this time, what it leaves out, and how to go on', async () => {
		await gateway.fault(lost(1));
		const first = await run(entry(), { items: items(4) });
		const wayOn =
			'Items 3–4 were not sent, and "Retry" won\'t send them: it sends nothing and ends here again. ' +
			'To continue: look up item 2 (belegnummer K-11); then run the workflow anew with the option ' +
			'"Already Booked Counts as Done": what is there is recognized by its number or ID, and what is missing is sent.';
		expect(first.error?.message).toMatch(/^The connection to the gateway broke .* unknown whether the entry/);
		expect(first.error?.description).toContain(wayOn);
		const { error } = await run(entry(), { retryOf: first.run });
		expect(error?.message).toBe(
			'Nothing was sent this time: its outcome is unknown since an earlier attempt ' +
				'(The connection to the gateway broke before an answer came) [item 2, “K-11”]',
		);
		expect(error?.description).toContain(wayOn);
		expect(await gateway.requests()).toHaveLength(2);
		// The way on that it names.
		const anew = entry({ options: { alreadyBooked: true } });
		expect((await run(anew, { items: items(4) })).error).toBeUndefined();
		expect(await booked()).toEqual(['K-10', 'K-11', 'K-12', 'K-13']);
	});

	it('asks for only what is missing where a new run recognizes nothing', async () => {
		await gateway.fault(lost(0));
		const { error } = await run(document(), { items: items(1, { data }) });
		expect(error?.description).toContain(
			'"Retry" sends nothing and ends here again. To continue: look up item 1',
		);
		expect(error?.description).toContain('run the workflow anew with only what is missing');
	});
});

describe('Retry On Fail books nothing again', () => {
	it('when the balance is too large for a number', async () => {
		await gateway.fault({ kind: 'alter', numbers: { 'svc.neuesGuthaben': '1e999' }, times: null });
		const { error, json } = await run(entry(), { settings: RETRY_ON_FAIL });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(await booked()).toEqual(['K-10', 'K-11']);
		expect(await gateway.requests()).toHaveLength(2);
	});

	it('when the hints of the run can’t be made, which the log says', async () => {
		const logged = vi.spyOn(logger, 'error');
		const failing = Object.create(node, {
			execute: {
				async value(this: IExecuteFunctions) {
					this.addExecutionHints = () => {
						throw new Error('no hints today');
					};
					return await node.execute.call(this);
				},
			},
		}) as INodeType;
		const { error, json } = await gateway.run(failing, entry(), { items: items(2), settings: RETRY_ON_FAIL });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(await gateway.requests()).toHaveLength(2);
		expect(logged.mock.calls.map(([text]) => text)).toContain(
			'The hints of a run of workflow "Test workflow" could not be created: no hints today',
		);
	});

	it('when the accounting system has 70,000 messages', async () => {
		const meldungen = Array.from({ length: 70_000 }, (_, i) => ({
			nachricht: `Hinweis ${i}`,
			typ: 'HINWEIS',
		}));
		await gateway.fault({ kind: 'alter', set: { acctAntwort: { status: 'ERFOLGREICH', meldungen } } });
		const { error, hints } = await run(entry(), { settings: RETRY_ON_FAIL });
		expect(error).toBeUndefined();
		expect(hints[0].message).toContain('Item 1: the accounting system answered ERFOLGREICH: Hinweis 0');
		expect(await booked()).toEqual(['K-10', 'K-11']);
	});
});

it('Retry On Fail names the number that was sent, and not the one that it would have sent', async () => {
	await gateway.fault(lost(0));
	const parameters = entry({ belegnummer: '={{ "K-1" + Math.random().toString(36).slice(2) }}' });
	const settings = { ...RETRY_ON_FAIL, onError: 'continueErrorOutput' } as const;
	const { errors } = await run(parameters, { items: items(1), settings });
	const [belegnummer] = (await booked()) as string[];
	const label = `belegnummer ${belegnummer}`;
	expect(errors).toMatchObject([{ details: { outcome: 'unknown', sent: { belegnummer }, label } }]);
});

it('A sub-workflow says whose Retry sends nothing twice', async () => {
	await gateway.fault(refusal(1));
	const { error } = await run(entry(), { mode: 'integrated' });
	expect(error?.description).toMatch(/own execution sends nothing twice.*called it is a new run/);
});

it('A tool is told to correct an invalid call, and not what other calls have sent', async () => {
	const parameters = entry({ belegnummer: "={{ $fromAI('nr') }}" });
	const call = toolOf({ node, parameters, credential: gateway.credential, mode: 'retry' });
	await call({ nr: 'K-10' });
	await expect(call({ nr: 'K 1' })).rejects.toThrow(/^Nothing was sent: .* Correct the data/);
});

describe('an answer that does not name the record', () => {
	const mobility = new AccountingGatewayMobility();
	const ticket = { resource: 'ticket', operation: 'create', product_id: 'tagesticket-plus' };
	const customer = { resource: 'customer', operation: 'create', name: 'Bäckerei Sonnenschein GmbH' };

	it.each<[string, INodeType, () => INodeParameters, object, string]>([
		['a document', node, document, { remove: ['id', 'dateiname'] }, 'has neither an ID nor a file name'],
		['a customer', mobility, () => customer, { remove: ['id'] }, 'has no customer ID'],
		['a ticket', mobility, () => ticket, { remove: ['id', 'coupon_id'] }, 'has no ticket ID'],
	])('leaves %s unconfirmed', async (_what, type, parameters, change, said) => {
		await gateway.fault({ kind: 'alter', ...change } as FaultInput);
		const options: Partial<RunOptions> = {
			items: items(1, { data }),
			settings: { onError: 'continueErrorOutput', ...RETRY_ON_FAIL },
		};
		const { json, errors } = await gateway.run(type, parameters(), options);
		expect(json).toEqual([]);
		expect(errors).toMatchObject([{ details: { outcome: 'unknown' } }]);
		expect(errors[0].error).toContain(said);
		const writes = (await gateway.requests()).map(({ operationId }) => operationId);
		expect(writes).toEqual([...new Set(writes)]);
	});
});
