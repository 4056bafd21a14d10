/**
 * The previews of the nodes' outputs that the editor shows before a run: each operation has one, it is up to date, and
 * what the operation outputs in n8n's engine against the sandbox is in it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { omit, without } from 'lodash';
import { describe, expect, it } from 'vitest';

import { parametersOf } from '../../nodes/shared/form/properties.js';
import { propertyOf } from '../../nodes/shared/parameters/parameter.js';
import { actionNodes, previewFile, previewOf, type Preview } from '../../scripts/build/previews.mjs';
import { loadNode } from '../../host/workflows.mjs';
import { useGateway } from '../support/useSandbox.mjs';
import { searchList } from '../../host/harness.mjs';
import { exampleParameters } from '../conformance/examples.mjs';
import { actions } from '../conformance/operations.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a user types into fields that have no list. */
const TYPED: INodeParameters = {
	kontenrahmen: 'SKR03',
	account_id: 'acc-giro',
	amount: '-119,00',
	additionalFields: { postal_code: '90402' },
	belegdatum: '2026-03-02T00:00:00',
	belegnummer: 'K-1',
	belegtext: 'Büromaterial',
	belegzeilen: {
		belegzeile: [{ betrag: '12,50', belegtext: 'Kuchen', kostenstelle1: 'LADEN', prozent: '7' }],
	},
	betrag: '12,50',
	bewegung: 'EINNAHME',
	day: '2026-03-02',
	kassenbestandVorher: '100',
	name: 'Bäckerei Sonnenschein GmbH',
	steuersatz: '19',
	transaktionsdatum: '2026-03-02T10:15:00',
	seller: 'Mühle Hagedorn',
	url: 'https://n8n.example.com/webhook/payments',
};

/** What isn't flat: the lines of an entry, which were asked for as such, an invoice's amounts by tax rate, what a person should know. */
const NESTED: Record<string, string[]> = {
	'cashBookEntry.createAdvanced': ['belegzeilen'],
	'journalBooking.suggestAccount': ['finding'],
	'openItem.findForPayment': ['finding', 'items'],
	'eInvoice.read': ['problem', 'taxes', 'warnings'],
	'cashBookList.read': ['problem', 'proof', 'proved', 'summary', 'warnings'],
	'cashRegisterExport.read': ['belegzeilen', 'problem', 'warnings'],
};

/** The file of an upload, and one that can be read. */
const FILE = { content: Buffer.from('%PDF-1.7'), fileName: 'Beleg.pdf', mimeType: 'application/pdf' };
const E_INVOICE = {
	content: await readFile(`${ROOT}/test/nodes/AccountingGatewayFiles/eInvoice/samples/objectStreams.pdf`),
	fileName: 'RE-4711.pdf',
	mimeType: 'application/pdf',
};

const gateway = useGateway();

/** What names a record that has to be there: made or looked up in the sandbox first. */
const LOOKED_UP: Record<string, () => Promise<INodeParameters>> = {
	// What another run has sent would come out without an answer.
	'ticket.create': async () =>
		await Promise.resolve({ onlyOnceFor: '', additionalFields: { postal_code: '90402' } }),
	'customer.create': async () => await Promise.resolve({ onlyOnceFor: '' }),
	'connection.get': async () => await Promise.resolve({ id: 'conn-sparkasse' }),
	'payment.get': async () => await Promise.resolve({ id: 'pay-1' }),
	'ticket.activate': async () => {
		const node = await loadNode('AccountingGatewayMobility');
		const { json } = await gateway.run(node, {
			resource: 'ticket',
			operation: 'create',
			product_id: 'deutschlandticket-job',
			additionalFields: { postal_code: '90402' },
		});
		const [{ id, coupon_id }] = json as Array<Record<string, string>>;
		return { ticket_id: id, coupon_id };
	},
	'transaction.get': async () => {
		const { json } = await gateway.run(await loadNode('AccountingGatewayBanking'), {
			resource: 'balance',
			operation: 'getAll',
			account_id: 'acc-giro',
			output: 'transactions',
		});
		return { id: json[0].id as string };
	},
};
const nodes = await actionNodes();
const operations = nodes.flatMap(({ folder, resources }) =>
	resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => ({ folder, resource, operation, title: `${folder}: ${operation.action}` })),
	),
);

describe('Previews of the output', () => {
	it('exist for every operation, and for nothing else', async () => {
		const there = await Promise.all(
			nodes.map(async ({ folder }) => await filesIn(`nodes/${folder}/__schema__`)),
		);
		const wanted = operations.map(({ folder, resource, operation }) =>
			previewFile(folder, resource, operation.value),
		);
		expect(there.flat().sort()).toEqual(wanted.sort());
	});

	it.each(operations)('of $title are up to date', async ({ folder, resource, operation }) => {
		const file = await readFile(`${ROOT}/${previewFile(folder, resource, operation.value)}`, 'utf8');
		expect(JSON.parse(file)).toEqual(previewOf(operation));
	});

	it.each(operations)(
		'of $title have ten fields at most, besides the checksum of a file, the place in it, and sentences for a person',
		({ resource, operation }) => {
			const { properties = {} } = previewOf(operation);
			const names = Object.keys(properties);
			expect(names.length).toBeGreaterThan(0);
			expect(
				without(names, 'sha256', 'row', 'summary', 'finding', 'problem', 'warnings').length,
			).toBeLessThanOrEqual(10);
			const nested = names.filter((name) => ['array', 'object'].includes(properties[name].type));
			expect(nested.sort()).toEqual(NESTED[`${resource}.${operation.value}`] ?? []);
		},
	);

	it.each(operations)(
		'of $title hold what the operation outputs',
		async ({ folder, resource, operation }) => {
			const node = await loadNode(folder);
			const parameters = {
				...(await fillIn(node, Object.entries(parametersOf(operation)).map(propertyOf), {
					resource,
					operation: operation.value,
				})),
				...(await LOOKED_UP[`${resource}.${operation.value}`]?.()),
			};
			const files = { data: resource === 'eInvoice' ? E_INVOICE : FILE };
			const { json, error } = await gateway.run(node, parameters, { items: [{ files }] });
			expect(error).toBeUndefined();
			expect(json.length).toBeGreaterThan(0);
			const check = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
				strict(previewOf(operation)),
			);
			for (const record of json) {
				// A warning that nobody is named is no field of the record.
				check('onlyOnceFor' in parameters ? omit(record, 'warnings') : record);
				expect(check.errors ?? []).toEqual([]);
			}
		},
	);
});

async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(`${ROOT}/${folder}`, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(ROOT.length).replace(/^\//, ''));
}

/** Fills in a form as a user does: takes the first entry of each list, types the rest. */
async function fillIn(
	node: INodeType,
	fields: INodeProperties[],
	operation: INodeParameters,
): Promise<INodeParameters> {
	const parameters = { ...operation };
	const { credential } = gateway;
	const action = actions.find(
		({ chosen, ...one }) =>
			one.node.description.name === node.description.name &&
			chosen.resource === operation.resource &&
			chosen.operation === operation.operation,
	);
	const examples = action ? exampleParameters(action) : {};
	for (const { name, type, modes, default: initial, required } of fields) {
		const method = modes?.find((mode) => mode.name === 'list')?.typeOptions?.searchListMethod;
		if (type === 'resourceLocator' && method) {
			const { results } = await searchList({ node, credential, method, parameters });
			// The sandbox has a connection for trying the 403, and says so in its name.
			const { value } = results.find((entry) => !entry.name.includes('no export subscription'))!;
			parameters[name] = { __rl: true, mode: 'list', value };
		} else {
			parameters[name] = TYPED[name] ?? (required && initial === '' ? examples[name] : initial);
		}
	}
	return parameters;
}

/** The preview as a schema that refuses what isn't in it. Anything may be null; an object without properties is open. */
function strict({ type, properties = {}, items }: Preview): object {
	// The contract doesn't say what it is beyond null.
	if (type === 'null') return {};
	const entries = Object.entries(properties).map(([name, entry]) => [name, strict(entry)]);
	return {
		type: [type, 'null'],
		...(entries.length > 0 && {
			properties: Object.fromEntries(entries) as object,
			additionalProperties: false,
		}),
		...(items && { items: strict(items) }),
	};
}
