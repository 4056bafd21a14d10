/** What the form checks of a value in a locator while it is typed: never more than the code does, which checks it again. */
import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { companyId, connectionId } from '../../../../nodes/shared/parameters/accounting.js';
import {
	geschaeftsjahrId,
	geschaeftsjahrStartDatum,
} from '../../../../nodes/AccountingGatewayData/fiscalYear/parameters.js';
import { InputItem, INVALID, Place } from '../../../../nodes/shared/parameters/inputItem.js';
import { propertyOf } from '../../../../nodes/shared/parameters/parameter.js';
import type { Parameter } from '../../../../nodes/shared/parameters/parameter.js';

const PARAMETERS = {
	connectionId: connectionId('Duo'),
	companyId,
	geschaeftsjahrStartDatum: geschaeftsjahrStartDatum({ takesCompany: false }),
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
async function isTaken(name: Name, mode: string, value: unknown): Promise<boolean> {
	const item = new InputItem({ getTimezone: () => 'Europe/Berlin' } as never, 0);
	const read = await PARAMETERS[name].read({ __rl: true, mode, value }, new Place(item, name, name));
	return read !== INVALID;
}

const UUID = '123e4567-e89b-12d3-a456-426614174000';
const DATES = [
	'2026-03-31',
	' 2026-03-31 ',
	'31.03.2026',
	'1.7.2026',
	'1.7.2026 14:05',
	'05.03.2026 08:00:30',
	'2026-03-31T14:30:00+02:00',
	'2026-03-31T14:30:00.123Z',
	'2026-03-31 14:30',
	'2026-03-31t14:30:00z',
];

describe('the form accepts what the code accepts', () => {
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

describe('the form refuses what is clearly wrong, in the same words as the code', () => {
	const NO_DATE = 'Fiscal Year must be a date like 2026-03-31, 31.03.2026 or 2026-03-31T14:30:00+02:00';
	const NO_DATES = ['gestern', '2026', '2026-03', '03/31/2026', '31.03.26', '20260331'];

	it.each<[Name, string, string[], string]>([
		[
			'connectionId',
			'id',
			['Kanzlei', UUID.slice(1), `${UUID}0`, `${UUID} ${UUID}`],
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
	'%s as an expression is checked when it has a value',
	(name) => {
		for (const { name: mode } of PARAMETERS[name].property.modes!) {
			expect(issuesOf(name, mode, '={{ $json.kanzlei }}')).toEqual([]);
		}
	},
);
