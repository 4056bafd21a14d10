/** The forms, as n8n gets them: what a new node opens on, what comes first, and which word stands for what. */
import omit from 'lodash/omit.js';
import uniq from 'lodash/uniq.js';
import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { clean, propertyOf } from '../../nodes/shared/parameters/parameter.js';
import type { Parameter, ParameterMap } from '../../nodes/shared/parameters/parameter.js';
import { labelOf } from '../../nodes/shared/parameters/labels.js';
import { parametersOf } from '../../nodes/shared/form/properties.js';
import { actionNodes } from '../../scripts/build/previews.mjs';
import { loadNode } from '../../host/workflows.mjs';

const nodes = await actionNodes();
const operations = nodes.flatMap(({ folder, resources }) =>
	resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => ({ folder, resource, operation })),
	),
);

/** Everything that a form holds, inside of collections and lines, too. */
function fieldsOf(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		const inner = (property.options ?? []) as Array<
			Partial<INodeProperties> & { values?: INodeProperties[] }
		>;
		const members = ['collection', 'fixedCollection'].includes(property.type)
			? inner.flatMap((option) => option.values ?? [option as INodeProperties])
			: [];
		return [property, ...fieldsOf(members)];
	});
}
const formOf = (resource: string, name: string) => {
	const { operation } = operations.find((one) => one.resource === resource && one.operation.value === name)!;
	return Object.entries(parametersOf(operation)).map(propertyOf);
};

it.each([
	['AccountingGatewayDelivery', 'cashBookEntry', 'create'],
	['AccountingGatewayData', 'trialBalance', 'getAll'],
	['AccountingGatewayMobility', 'ticket', 'create'],
	['AccountingGatewayBanking', 'balance', 'getAll'],
])('A new node of %s opens on %s: %s', async (folder, resource, operation) => {
	const { properties } = (await loadNode(folder)).description;
	const [resources] = properties.filter(({ name }) => name === 'resource');
	const [list] = properties.filter(
		({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.[0] === resource,
	);
	expect([resources.default, list.default]).toEqual([resource, operation]);
});

it.each(nodes.map(({ folder }) => folder))(
	'%s asks for a credential unless it sends nothing',
	async (folder) => {
		const { credentials = [] } = (await loadNode(folder)).description;
		const kinds = new Set(
			operations.filter((one) => one.folder === folder).map(({ operation }) => operation.kind),
		);
		expect(credentials.map(({ required }) => required)).toEqual(kinds.has('local') ? [] : [true]);
		expect([...kinds].filter((kind) => kind !== 'local')).toEqual(kinds.has('local') ? [] : [...kinds]);
	},
);

it('The first operation of each resource stays: it is the default, which n8n leaves out of saved workflows', () => {
	const first = nodes.flatMap(({ folder, resources }) =>
		resources.map(
			({ value, operations: [{ value: operation }] }) =>
				`${folder.replace('AccountingGateway', '')} ${value} ${operation}`,
		),
	);
	expect(first.sort()).toEqual([
		'Banking balance getAll',
		'Banking connection get',
		'Banking payment get',
		'Banking transaction get',
		'Banking webhook setUrl',
		'Data account getAll',
		'Data company getAll',
		'Data fiscalYear get',
		'Data journalBooking getAll',
		'Data openItem getAll',
		'Data paymentTerm getAll',
		'Data taxKey getAll',
		'Data trialBalance getAll',
		'Delivery cashBook getAll',
		'Delivery cashBookEntry create',
		'Delivery connection getAll',
		'Delivery document uploadDuo',
		'Delivery documentType getAllDuo',
		'Files cashBookList read',
		'Files cashRegisterExport read',
		'Files eInvoice read',
		'Mobility customer create',
		'Mobility product getAll',
		'Mobility ticket create',
	]);
});

describe.each(operations)('The form of $resource: $operation.value', ({ operation }) => {
	it('says "By ID" only for an ID: n8n labels a mode named `id` that way, whatever its display name', () => {
		const locators = fieldsOf(Object.entries(parametersOf(operation)).map(propertyOf)).filter(
			({ type }) => type === 'resourceLocator',
		);
		for (const { name, modes } of locators) {
			const [list, typed] = modes!;
			// `paymentTerm` holds the term's ID.
			const isId = /id$|^paymentTerm$/i.test(name);
			expect([list.name, typed.name], name).toEqual(['list', isId ? 'id' : 'value']);
			expect(typed.displayName).toMatch(isId ? /^By ID$/ : /^By (Name|Date|Number)$/);
			const others = name.startsWith('geschaeftsjahr') ? [['day', 'By Day']] : [];
			expect(modes!.slice(2).map((mode) => [mode.name, mode.displayName])).toEqual(others);
		}
	});
});

describe.each(nodes)('The lists of $folder', ({ folder, resources }) => {
	const locatorsOf = (parameters: ParameterMap): Parameter[] =>
		Object.values(parameters).flatMap((one) => [
			...(one.list ? [one] : []),
			...locatorsOf(one.members ?? {}),
		]);
	const locators = resources.flatMap(({ operations: all }) =>
		all.flatMap((one) => locatorsOf(parametersOf(one))),
	);

	it('are those that its locators name, and each name is that of one list', async () => {
		const { methods } = await loadNode(folder);
		const named = new Map(locators.map(({ list }) => [list!.name, list]));
		expect(Object.keys(methods?.listSearch ?? {}).sort()).toEqual([...named.keys()].sort());
		for (const { list, property } of locators) {
			expect(property.modes![0].typeOptions?.searchListMethod).toBe(list!.name);
			expect(list).toBe(named.get(list!.name));
		}
	});
});

describe('A notice in the form', () => {
	/** Whether the form shows it, as n8n decides that, with these values. */
	const isShown = (path: string, parameters: INodeParameters) => {
		const [resource, operation, name] = path.split('.');
		const [property] = formOf(resource, operation).filter((one) => one.name === name);
		return NodeHelpers.displayParameter({ onlyOnceFor: '', ...parameters }, property, null, null);
	};

	it.each([
		[{}, false],
		[{ dryRun: false }, false],
		[{ dryRun: '={{ $json.dry }}' }, false],
		[{ dryRun: true }, true],
	])('with the options %o: that Dry Run is on: %s', (options, expected) => {
		expect(isShown('cashBookEntry.create.dryRunIsOn', { options })).toBe(expected);
		// That each run buys, and that nothing is sent, can't both be so.
		expect(isShown('ticket.create.notice', { options })).toBe(!expected);
		expect(isShown('ticket.create.notice', { options, onlyOnceFor: '4711' })).toBe(false);
	});
});

it.each([
	['balance', 'getAll', 'account_id', 'no operation lists bank accounts'],
	['connection', 'get', 'id', 'no operation lists bank connections'],
	['payment', 'get', 'id', '"Get many balances"'],
	['transaction', 'get', 'id', '"Get many balances"'],
	['transaction', 'get', 'account_id', 'no operation lists bank accounts'],
])('The form of %s: %s says where %s comes from', (resource, name, field, source) => {
	const [{ hint }] = formOf(resource, name).filter((property) => property.name === field);
	expect(hint).toContain(source);
});

it('Companies can be listed for any connection, whatever its module', () => {
	const [connection] = formOf('company', 'getAll');
	expect(connection.modes?.[0].typeOptions?.searchListMethod).toBe('searchConnections');
});

/** A field of an operation's form, in a collection too: `additionalFields.filter`. */
const fieldOf = (path: string): INodeProperties => {
	const [resource, name, ...names] = path.split('.');
	const top = formOf(resource, name).filter((property) => property.name === names[0]);
	return fieldsOf(top).find((property) => property.name === names.at(-1))!;
};

it.each<[string, unknown]>([
	// Neither: an expense must not be booked as income because someone forgot to choose.
	['cashBookEntry.create.bewegung', ''],
	['cashBookEntry.create.waehrung', 'EUR'],
	['cashBookEntry.createAdvanced.waehrung', 'EUR'],
	['cashBookEntry.create.belegbilder', '*'],
	['document.uploadDuo.datei', '*'],
	['connection.getAll.module', 'duo'],
	['openItem.getAll.output', 'rows'],
	['openItem.getAll.additionalFields.filter', 'all'],
	['openItem.getAll.additionalFields.eb', 'reconcile'],
	['trialBalance.getAll.output', 'accounts'],
	['journalBooking.getAll.output', 'lines'],
	['balance.getAll.output', 'days'],
	['balance.getAll.additionalFields.include_transactions', true],
	['balance.getAll.additionalFields.from_date', '={{ $today.minus({ months: 1 }).toISODate() }}'],
	['balance.getAll.additionalFields.to_date', '={{ $today.toISODate() }}'],
	['payment.get.api', 'partner'],
	['webhook.setUrl.options.allowPrivateUrl', true],
])('The field %s is %o until it is changed', (path, initial) => {
	expect(fieldOf(path).default).toBe(initial);
});

it.each<[string, object]>([
	['cashBookEntry.create.bewegung', { AUSGABE: 'Expense (AUSGABE)', EINNAHME: 'Income (EINNAHME)' }],
	['openItem.getAll.additionalFields.filter', { all: 'All', creditors: 'Creditors', debitors: 'Debtors' }],
	['openItem.getAll.additionalFields.eb', { raw: 'Raw', reconcile: 'Reconcile' }],
	['payment.get.api', { openbanking: 'Open Banking', partner: 'Partner' }],
	[
		'connection.getAll.module',
		{ duo: 'Duo', rewe: 'Rewe (Rechnungswesen)', 'rewe-read': 'Rewe Read (Rechnungswesen)' },
	],
])('The choices of %s have the labels that mean them: %o', (path, labels) => {
	const choices = fieldOf(path).options as INodePropertyOptions[];
	const shown = choices.filter(({ value }) => value !== '').map(({ name, value }) => [value, name]);
	expect(Object.fromEntries(shown)).toEqual(labels);
});

it.each([
	['trialBalance.getAll.additionalFields.kontonummer', 'searchAccounts'],
	['account.getAll.geschaeftsjahrStartDatum', 'searchFiscalYearStarts'],
	// Of whichever company was chosen.
	['journalBooking.getAll.geschaeftsjahrStartDatum', 'searchCompanyFiscalYearStarts'],
])('The field %s is chosen from %s', (path, list) => {
	expect(fieldOf(path).modes![0].typeOptions?.searchListMethod).toBe(list);
});

/**
 * Rules of n8n's repository (eslint-plugin-community-nodes) and of its UX guidelines that the published packages don't check yet:
 * non-required-fields-in-collection as far as it helps a person, hint-max-length, the words of "No Negative Language", and a notice
 * for lists that load slowly.
 */
describe('n8n’s newer rules', () => {
	const FOLDERS = [
		...nodes.map(({ folder }) => folder),
		'AccountingGatewayBankingTrigger',
		'AccountingGatewayTransactionTrigger',
	];
	interface Shown {
		[key: string]: unknown;
		typeOptions?: { searchListMethod?: string; slowLoadNotice?: { message: string; timeout: number } };
	}
	/** Everything that shows something: properties, options, modes of a locator. */
	const shownIn = (part: unknown): Shown[] => {
		if (typeof part !== 'object' || part === null) return [];
		return [...(Array.isArray(part) ? [] : [part as Shown]), ...Object.values(part).flatMap(shownIn)];
	};
	const shown = async () => {
		const { AccountingGatewayApi } = await import('../../credentials/AccountingGatewayApi.credentials.js');
		const { properties } = new AccountingGatewayApi();
		const forms = await Promise.all(
			FOLDERS.map(async (folder) => (await loadNode(folder)).description.properties),
		);
		return shownIn([...forms, properties]);
	};

	it('a field outside of the collections is required, has a default, or says what empty means', () => {
		const silent = operations.flatMap(({ resource, operation }) =>
			Object.entries(parametersOf(operation))
				.map(propertyOf)
				.filter(
					({ type }) => !['collection', 'fixedCollection', 'hidden', 'notice', 'options'].includes(type),
				)
				.filter((field) => !field.required && ['', undefined].includes(clean(field.default) as string))
				.filter(({ description = '', hint = '' }) => !/empty|default/i.test(`${description} ${hint}`))
				.map(({ name }) => `${resource}.${operation.value}.${name}`),
		);
		expect(silent).toEqual([]);
	});

	it('a hint has at most 120 characters', async () => {
		const hints = (await shown()).flatMap(({ hint }) => (typeof hint === 'string' ? [hint] : []));
		expect(hints.length).toBeGreaterThan(10);
		expect(hints.filter(({ length }) => length > 120)).toEqual([]);
	});

	it('no text speaks of errors, problems, failures or mistakes', async () => {
		const keys = ['displayName', 'description', 'hint', 'placeholder', 'action'];
		const texts = (await shown()).flatMap((one) =>
			keys.map((key) => one[key]).filter((text) => typeof text === 'string'),
		);
		expect(texts.length).toBeGreaterThan(500);
		expect(texts.filter((text) => /\b(error|problem|failure|mistake)s?\b/i.test(text))).toEqual([]);
	});

	it('a list that loads slowly says what else one can do', async () => {
		const lists = (await shown()).filter(({ typeOptions }) => typeOptions?.searchListMethod);
		expect(lists.length).toBeGreaterThan(10);
		for (const { typeOptions } of lists) expect(typeOptions!.slowLoadNotice?.timeout).toBeLessThan(10_000);
	});
});

it('every field that an item fills in has a German name for a sentence; a setting is named as in the form', () => {
	const given = operations.flatMap(({ operation }) => {
		const own = omit(parametersOf(operation), 'options');
		return fieldsOf(Object.entries(own).map(propertyOf)).filter(({ type }) =>
			['dateTime', 'json', 'number', 'resourceLocator', 'string'].includes(type),
		);
	});
	const names = uniq(given.map(({ displayName }) => displayName));
	expect(names.length).toBeGreaterThan(40);
	const inEnglish = names.filter((name) => labelOf(name).de.startsWith('„'));
	// The headings name columns of a list.
	expect(inEnglish.filter((name) => !name.startsWith('Heading of '))).toEqual([
		'Limit',
		'Fields',
		'Combine By',
		'Only Once For',
	]);
});
