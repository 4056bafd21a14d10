/** What the form checks of a value in a locator while it is typed: never more than the code does, which checks it again. */
import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { companyId } from '../../../../../nodes/AccountingGatewayData/company/companyId.js';
import { connectionId } from '../../../../../nodes/shared/parameters/accounting.js';
import {
	geschaeftsjahrId,
	startOfDefaultCompany,
} from '../../../../../nodes/AccountingGatewayData/fiscalYear/parameters.js';
import { INVALID } from '../../../../../nodes/shared/parameters/place.js';
import { locator, nameIn } from '../../../../../nodes/shared/parameters/kinds/locator.js';
import { propertyOf } from '../../../../../nodes/shared/parameters/parameter.js';
import type { Lookup, Parameter } from '../../../../../nodes/shared/parameters/parameter.js';
import { text } from '../../../../../nodes/shared/parameters/kinds/text.js';
import { readParameter } from '../../../../support/fakes.mjs';

const PARAMETERS = {
	connectionId: connectionId('Duo'),
	companyId,
	geschaeftsjahrStartDatum: startOfDefaultCompany,
	geschaeftsjahrId,
} as Record<string, Parameter>;
type Name = 'connectionId' | 'companyId' | 'geschaeftsjahrStartDatum' | 'geschaeftsjahrId';

/** What n8n finds wrong with a value, in the form and before it starts a workflow. */
function issuesOf(name: Name, mode: string, value: unknown): string[] {
	const property: INodeProperties = propertyOf([name, PARAMETERS[name]]);
	const parameters = { [name]: { __rl: true, mode, value } } as INodeParameters;
	const node = { parameters, typeVersion: 1 } as INode;
	const issues = NodeHelpers.getParameterIssues(property, parameters, '', node, null);
	return issues.parameters?.[name] ?? [];
}

/** Whether the code takes the value, too. */
async function isTaken(name: Name, mode: string, given: unknown): Promise<boolean> {
	const { value } = await readParameter(PARAMETERS[name], { __rl: true, mode, value: given });
	return value !== INVALID;
}

const UUID = '123e4567-e89b-12d3-a456-426614174000';
const DATES = [
	...['2026-03-31', ' 2026-03-31 ', '31.03.2026', '1.7.2026', '05.03.2026 08:00:30'],
	...['2026-03-31T14:30:00.123Z', '2026-03-31 14:30', '2026-03-31t14:30:00z'],
];

describe('The form of a locator accepts what the code accepts:', () => {
	it.each<[Name, string, string[]]>([
		['connectionId', 'id', [UUID, UUID.toUpperCase(), ` ${UUID}\n`]],
		['companyId', 'id', ['1001-1', '29098-10001', ' 1001-1 ', '']],
		['geschaeftsjahrStartDatum', 'value', DATES],
		['geschaeftsjahrStartDatum', 'day', [...DATES, '', ' ']],
		['geschaeftsjahrId', 'id', ['20260101', 'a/b ä']],
		['geschaeftsjahrId', 'day', [...DATES, '']],
	])('%s in the mode "%s"', async (name, mode, values) => {
		for (const value of values) {
			expect([value, await isTaken(name, mode, value)]).toEqual([value, true]);
			expect([value, issuesOf(name, mode, value)]).toEqual([value, []]);
		}
	});
});

describe('The form of a locator refuses what is clearly wrong, in the same words as the code:', () => {
	const NO_DATE = 'Fiscal Year must be a date like 2026-03-31, 31.03.2026 or 2026-03-31T14:30:00+02:00';
	const NO_DATES = ['gestern', '2026', '2026-03', '03/31/2026', '31.03.26', '20260331'];

	it.each<[Name, string, string[], string]>([
		[
			'connectionId',
			'id',
			['Kanzlei', UUID.slice(1), `${UUID}0`, UUID.replace('e', 'g'), UUID.replaceAll('-', '')],
			`Connection must be a UUID like ${UUID}`,
		],
		[
			'companyId',
			'id',
			['29098', '29098/10001', 'Bäckerei', '29098-10001-1'],
			'Company must be <consultant number>-<client number>, e.g. 1001-1',
		],
		['geschaeftsjahrStartDatum', 'value', NO_DATES, NO_DATE],
		['geschaeftsjahrStartDatum', 'day', NO_DATES, NO_DATE],
		['geschaeftsjahrId', 'day', NO_DATES, NO_DATE],
	])('%s in the mode "%s"', async (name, mode, values, message) => {
		for (const value of values) {
			expect([value, issuesOf(name, mode, value)]).toEqual([value, [message]]);
			expect([value, await isTaken(name, mode, value)]).toEqual([value, false]);
		}
	});

	it.each<[Name, string]>([
		['connectionId', 'list'],
		['connectionId', 'id'],
		['geschaeftsjahrStartDatum', 'list'],
		['geschaeftsjahrStartDatum', 'value'],
		['geschaeftsjahrId', 'list'],
		['geschaeftsjahrId', 'id'],
	])('%s is required in the mode "%s", and the form says so once', (name, mode) => {
		expect(issuesOf(name, mode, '')).toEqual([expect.stringMatching(/^Parameter ".+" is required\.$/)]);
	});
});

it.each(['connectionId', 'companyId', 'geschaeftsjahrStartDatum'] as const)(
	'The form of a locator leaves %s to the code where it is an expression',
	(name) => {
		for (const { name: mode } of PARAMETERS[name].property.modes!) {
			expect(issuesOf(name, mode, '={{ $json.kanzlei }}')).toEqual([]);
		}
	},
);

describe('A locator in the form', () => {
	it('may have a hint', () => {
		expect(connectionId('Duo', { hint: 'The default company' }).property.hint).toBe('The default company');
		expect(connectionId('Duo').property.hint).toBeUndefined();
	});

	it('can be given by a day where it has one, and is then not required: an empty day is today', () => {
		const { property } = PARAMETERS.geschaeftsjahrStartDatum;
		expect(property).toMatchObject({
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			// Cleared when the connection changes.
			typeOptions: { loadOptionsDependsOn: ['connectionId.value'] },
			modes: [
				{ name: 'list', typeOptions: { searchListMethod: 'searchFiscalYearStarts', searchable: true } },
				{ displayName: 'By Date', name: 'value', hint: expect.stringMatching(/^The first day/) },
				{ displayName: 'By Day', name: 'day', hint: expect.stringMatching(/^Any day/) },
			],
		});
		expect(property.required).toBeUndefined();
	});

	it('may be optional, and free of any pattern, with or without a day', () => {
		const spec = { list: { name: 'searchAccounts', of: {}, request: () => ({}), value: [] } };
		const account = text({ displayName: 'Account' });
		const lookup = () => ({}) as Lookup<string | undefined>;
		const byDay = locator(account, { ...spec, ofDay: { hint: 'Any day', lookup } }).property;
		for (const { required, modes } of [locator(account, spec).property, byDay]) {
			expect([required, modes![0].validation, modes![1].validation]).toEqual([undefined, [], []]);
		}
	});
});

describe('The name of an entry of a list is', () => {
	it.each<[string, Parameters<typeof nameIn>[0], string | undefined]>([
		['one in a field of any list', { id: '7', name: 'Kasse', ort: 'Köln' }, 'Kasse'],
		['one in a field of this list', { id: '7', firma: 'Bäckerei' }, 'Bäckerei'],
		['one in a field of any list before one of its own', { firma: 'Bäckerei', titel: 'Café' }, 'Café'],
		[
			'made of its texts and its value where it has none',
			{ id: '7', ort: 'Köln', plz: 50667, hinweis: '' },
			'Köln (7)',
		],
		['made of no more than three texts', { a: 'A', b: 'B', c: 'C', d: 'D' }, 'A, B, C (7)'],
		['missing where it has nothing but its value', { id: '7', plz: 50667 }, undefined],
	])('%s', (_what, entry, name) => {
		expect(nameIn(entry, '7', ['firma'])).toBe(name);
	});
});
