import omit from 'lodash/omit.js';
import { Workflow } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodeTypes } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { AccountingGatewayTransactionTrigger } from '../../../../nodes/AccountingGatewayTransactionTrigger/AccountingGatewayTransactionTrigger.node.js';
import { resources as banking } from '../../../../nodes/AccountingGatewayBanking/resources.js';
import { resources as data } from '../../../../nodes/AccountingGatewayData/resources.js';
import { resources as delivery } from '../../../../nodes/AccountingGatewayDelivery/resources.js';
import { resources as files } from '../../../../nodes/AccountingGatewayFiles/resources.js';
import { resources as mobility } from '../../../../nodes/AccountingGatewayMobility/resources.js';
import { defineLocal, defineRead } from '../../../../nodes/shared/operation.js';
import type { Resource } from '../../../../nodes/shared/operation.js';
import { parametersOf, propertiesOf, subtitleOf } from '../../../../nodes/shared/form/properties.js';
import { ANYTHING } from '../../../../nodes/shared/answer/verify.js';
import { text } from '../../../../nodes/shared/parameters/kinds/text.js';
import { partial } from '../../../../host/partial.mjs';

const operation = (value: string, name: string) =>
	defineRead({
		value,
		name,
		action: `${name} thing`,
		description: `What ${name} does`,
		endpoint: 'GET /v2/mobility/products',
		parameters: { kassenname: text({ displayName: 'Cash Book' }) },
		request: () => ({}),
		expects: ANYTHING,
	});
const RESOURCES: Resource[] = [
	{ value: 'entry', name: 'Entry', operations: [operation('create', 'Create'), operation('get', 'Get')] },
	{ value: 'book', name: 'Book', operations: [operation('getAll', 'Get Many')] },
];

describe('The form of a node', () => {
	it('has the list of resources, one of operations for each, and the parameters of each operation', () => {
		const ofTool = { '@tool': [true] };
		const fields = {
			kassenname: {},
			simple: {},
			toolOutput: ofTool,
			toolFields: { ...ofTool, toolOutput: ['selected'] },
			limit: ofTool,
			options: {},
		};
		const fieldsOf = (resource: string, value: string) =>
			Object.entries(value === 'getAll' ? fields : omit(fields, 'limit')).map(([name, show]) => [
				name,
				{ ...show, resource: [resource], operation: [value] },
			]);
		const shown = propertiesOf(RESOURCES).map(({ name, displayOptions }) => [name, displayOptions?.show]);
		expect(shown).toEqual([
			['resource', undefined],
			['operation', { resource: ['entry'] }],
			['operation', { resource: ['book'] }],
			...fieldsOf('entry', 'create'),
			...fieldsOf('entry', 'get'),
			...fieldsOf('book', 'getAll'),
		]);
	});

	it('has names that fit the label of a field: 30 letters of n8n’s narrowest form', () => {
		const operations = [...banking, ...data, ...delivery, ...mobility].flatMap((one) => one.operations);
		const namesIn = (properties: INodeProperties[]): string[] =>
			properties.flatMap(({ displayName, type, options = [] }) => [
				...(type === 'notice' ? [] : [displayName]),
				...options.flatMap((option) =>
					'values' in option ? namesIn(option.values) : 'displayName' in option ? namesIn([option]) : [],
				),
			]);
		const names = operations.flatMap((one) =>
			namesIn(Object.values(parametersOf(one)).map(({ property }) => property as INodeProperties)),
		);
		expect(names).toContain('Transaction No.');
		// Of a name that is longer with its German term, the English one is what has to fit.
		const shortest = names.map((name) => name.replace(/ \([^)]*\)$/, ''));
		expect(shortest.filter((name) => name.length > 30)).toEqual([]);
	});

	it('takes no expression for resource and operation, on which all else depends', () => {
		const [resource, list] = propertiesOf(RESOURCES);
		expect([resource, list]).toMatchObject([{ noDataExpression: true }, { noDataExpression: true }]);
		expect(list.options).toMatchObject([
			{ name: 'Create', value: 'create', action: 'Create thing', description: 'What Create does' },
			{ name: 'Get', value: 'get' },
		]);
	});
});

it('An operation that asks nobody has the language as its only option', () => {
	const local = defineLocal({
		value: 'read',
		name: 'Read',
		action: 'Read thing',
		description: 'What reading does',
		parameters: { kassenname: text({ displayName: 'Cash Book' }) },
		example: {},
		make: () => [],
	});
	expect(Object.keys(parametersOf(local))).toEqual([
		'kassenname',
		'simple',
		'toolOutput',
		'toolFields',
		'options',
	]);
	expect(Object.keys(parametersOf(local).options.members!)).toEqual(['language']);
});

const OPENS_ON = { resource: 'cashBookEntry', operation: 'create' };

describe('The subtitle on the canvas is', () => {
	const chosen = (value: string, cachedResultName?: string) => ({
		__rl: true,
		mode: 'list',
		value,
		cachedResultName,
	});
	const shownOf = (resources: Resource[], parameters: object) =>
		evaluated(propertiesOf(resources), subtitleOf(resources), parameters);
	const evaluated = (properties: INodeProperties[], subtitle: string, parameters: object) => {
		const type = { description: { name: 'node', properties } };
		const node = {
			id: '1',
			name: 'Node',
			type: 'node',
			typeVersion: 1,
			position: [0, 0] as [number, number],
			parameters: parameters as INodeParameters,
		};
		const nodeTypes = partial<INodeTypes>({ getByNameAndVersion: () => type });
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		return workflow.expression.getSimpleParameterValue(workflow.getNode('Node')!, subtitle, 'internal', {});
	};

	it.each([
		['Create · Hauptkasse', { kassenname: chosen('Hauptkasse', 'Hauptkasse') }],
		['Create · Cash Book Entry', { kassenname: chosen('={{ $json.kasse }}') }],
		['Create · Cash Book Entry', {}],
		['Create Advanced', { operation: 'createAdvanced' }],
		['Cash Books', { resource: 'cashBook', operation: 'getAll', kassenname: undefined }],
		['__CUSTOM_API_CALL__', { operation: '__CUSTOM_API_CALL__' }],
		[
			'Upload to Duo · Rechnungseingang',
			{ resource: 'document', operation: 'uploadDuo', belegtyp: chosen('Rechnungseingang') },
		],
	])('%s', (subtitle, parameters) => {
		expect(shownOf(delivery, { ...OPENS_ON, ...parameters })).toBe(subtitle);
	});

	it.each([
		['Data', 'Trial Balance', data, { resource: 'trialBalance', operation: 'getAll' }],
		['Data', 'Open Items', data, { resource: 'openItem', operation: 'getAll' }],
		['Data', 'Find for Payment', data, { resource: 'openItem', operation: 'findForPayment' }],
		['Data', 'Companies', data, { resource: 'company', operation: 'getAll' }],
		[
			'Mobility',
			'Create · Deutschland-Ticket',
			mobility,
			{ resource: 'ticket', operation: 'create', product_id: chosen('d', 'Deutschland-Ticket') },
		],
		['Files', 'Read · Cash Register Export', files, { resource: 'cashRegisterExport', operation: 'read' }],
		['Banking', 'Balances', banking, { resource: 'balance', operation: 'getAll' }],
		['Banking', 'Set URL', banking, { resource: 'webhook', operation: 'setUrl' }],
	])('in the node %s: %s', (_node, subtitle, resources, parameters) => {
		expect(shownOf(resources, parameters)).toBe(subtitle);
	});

	it.each([
		['incoming', new AccountingGatewayTransactionTrigger(), {}],
		[
			'all · acc-giro',
			new AccountingGatewayTransactionTrigger(),
			{ account_id: 'acc-giro', direction: 'all' },
		],
		['incoming', new AccountingGatewayTransactionTrigger(), { account_id: '={{ $vars.account }}' }],
		['Every Status', new AccountingGatewayBankingTrigger(), {}],
	])('never empty, for a trigger: %s', (subtitle, { description }, parameters) => {
		const { properties, subtitle: expression = '' } = description;
		expect(evaluated(properties, expression, parameters)).toBe(subtitle);
	});
});
