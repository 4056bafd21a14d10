/** n8n's own AI agent uses a node as its tool on a real n8n; only the model is played by this test. */
import { readFileSync } from 'node:fs';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import type { FaultInput } from '../../../sandbox/admin/faults.mjs';
import { PACKAGE } from '../../../host/package.mjs';
import { Rig } from '../../support/rig.mjs';
import { ScriptedModel } from '../../support/scriptedModel.mjs';
import { connectionOf, nodeOf, simpleEntry } from '../../../host/workflows.mjs';

let rig: Rig;
let model: ScriptedModel;
beforeAll(async () => {
	rig = await Rig.join();
	model = await ScriptedModel.start(rig.client);
});

beforeEach(() => {
	rig.sandbox.store.reset();
	model.heard = [];
});

afterAll(async () => {
	await model?.stop();
	await rig?.stop();
});

/** Has the agent call a node of ours as its tool. @returns how the execution ended */
async function run(
	node: 'Banking' | 'Delivery',
	parameters: INodeParameters,
	said: IDataObject[],
	settings: Partial<INode> = {},
): Promise<string> {
	model.calls = said;
	const workflowId = await rig.client.importWorkflow({
		name: 'Agent',
		nodes: [
			nodeOf('Manual', 'n8n-nodes-base.manualTrigger'),
			...model.agentNodes(),
			nodeOf('Tool', `${PACKAGE}.accountingGateway${node}Tool`, parameters, {
				credentials: rig.credentials,
				...settings,
			}),
		],
		connections: model.connections('Manual'),
		settings: { executionOrder: 'v1' },
	});
	return (await rig.client.run(workflowId)).status;
}

/** Books what the model says. @param own fields that differ */
const book = async (said: IDataObject[], own: INodeParameters = {}, settings: Partial<INode> = {}) =>
	await run(
		'Delivery',
		simpleEntry(connectionOf(rig.sandbox, 'duo'), {
			belegnummer: '={{ "K-" + $now.toMillis() }}',
			betrag: "={{ $fromAI('betrag', 'Amount in euros', 'string') }}",
			...own,
		}),
		said,
		settings,
	);

const amounts = () =>
	(rig.sandbox.store.list('entries') as Array<{ fields: { betrag: number } }>).map(
		({ fields }) => fields.betrag,
	);

it('an agent’s tool does not book again what has an unknown outcome, when n8n or the model tries again', async () => {
	const lost: FaultInput = { operationId: 'createCashBookEntry', kind: 'drop', point: 'after-handler' };
	rig.sandbox.faults.add(lost);
	const said = [{ betrag: '10' }, { betrag: '10' }, { betrag: '20' }];
	expect(await book(said, {}, { retryOnFail: true, waitBetweenTries: 10 })).toBe('success');
	expect(amounts()).toEqual([10, 20]);
	for (const told of model.heard.slice(0, 2)) {
		expect(told).toMatch(/broke before an answer came.*belegnummer K-.*is unknown: look it up before/);
	}
	expect(model.heard[2]).toContain('Hauptkasse');
});

/** The text to copy for a field, from docs/agents.md. */
const textFor = (field: string) => {
	const page = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8');
	return `=${new RegExp(`\\{\\{ \\$fromAI\\('${field}'.*? \\}\\}`).exec(page)![0]}`;
};

it('an agent’s model makes the usual mistakes, and books only what can mean one thing', async () => {
	const right = { bewegung: 'AUSGABE', betrag: '10', steuersatz: '19', gegenkonto: '4930' };
	const said = [
		{ ...right, betrag: '1.234' },
		{ ...right, betrag: '-12.50' },
		{ ...right, bewegung: 'debit' },
		{ ...right, steuersatz: '0.19' },
		{ ...right, gegenkonto: '999999999' },
		{ ...right, bewegung: 'income', betrag: '1.234,50' },
		{ ...right, bewegung: 'Expense', betrag: '12,50' },
	];
	const fields = Object.fromEntries(Object.keys(right).map((field) => [field, textFor(field)]));
	const { gegenkonto, ...own } = fields;
	expect(await book(said, { ...own, additionalFields: { gegenkonto } })).toBe('success');
	expect(model.heard[0]).toContain('is ambiguous: thousands or a fraction?');
	expect(model.heard[1]).toContain('is negative: give it without a sign');
	expect(model.heard[2]).toContain('must be AUSGABE or EINNAHME');
	expect(model.heard[3]).toContain('(steuersatz)');
	expect(model.heard[4]).toContain('gegenkonto');
	expect(entries().map(({ betrag, bewegung }) => [betrag, bewegung])).toEqual([
		[1234.5, 'EINNAHME'],
		[12.5, 'AUSGABE'],
	]);
	expect(model.offered.description).toBe('Create cash book entry in Accounting Gateway Delivery');
	expect(model.offered.parameters.properties.betrag.description).toMatch(/^Gross amount without sign/);
});

const entries = () =>
	(rig.sandbox.store.list('entries') as Array<{ fields: IDataObject }>).map(({ fields }) => fields);

it('an agent’s model decides what to read, and hears what it needs: the ID and the selected fields', async () => {
	const parameters = {
		resource: 'balance',
		operation: 'getAll',
		account_id: 'acc-giro',
		output: 'transactions',
		toolOutput: 'selected',
		toolFields: ['amount', 'purp'],
		additionalFields: { from_date: "={{ $fromAI('day', 'First day', 'string') }}" },
	};
	const said = [{ day: '2026-01-01' }];
	expect(await run('Banking', parameters, said)).toBe('success');
	expect(model.heard[0]).toMatch(/id[^,]+,[^,]*amount[^,]+,[^,]*purp/);
	expect(model.heard[0]).not.toContain('payee');
});
