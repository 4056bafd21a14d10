import { describe, expect, it } from 'vitest';
import type { INodeProperties } from 'n8n-workflow';

import { formOfRecords, optionsOf } from '../../../../nodes/shared/form/options.js';
import { defineRead } from '../../../../nodes/shared/operation.js';
import { ANYTHING } from '../../../../nodes/shared/answer/verify.js';
import { text } from '../../../../nodes/shared/parameters/kinds/text.js';
import { readParameter } from '../../../support/fakes.mjs';

const { toolFields, toolOutput } = formOfRecords(
	defineRead({
		value: 'get',
		name: 'Get',
		action: 'Get',
		description: '',
		endpoint: 'GET /v2/mobility/products',
		parameters: {},
		request: () => ({}),
		expects: ANYTHING,
		columns: ['id', 'amount', 'day'],
	}),
);
const SELECTED = { parameters: { toolOutput: 'selected' } };
type Operation = Parameters<typeof optionsOf>[0];
const WRITE: Operation = { kind: 'write', value: 'create', endpoint: 'POST /v2/mobility/tickets' };
const READ: Operation = { kind: 'read', value: 'get', endpoint: 'GET /v2/banking/balances' };
const ACCOUNTING: Operation = { ...READ, endpoint: 'GET /v2/acct-rewe-read/susa' };
const optionsIn = (operation: Operation) =>
	optionsOf(operation).options!.property.options as INodeProperties[];
const namesIn = (operation: Operation) => optionsIn(operation).map(({ name }) => name);

describe('The options of an operation, in the order of their labels,', () => {
	it.each<[string, Operation, string[]]>([
		['a write', WRITE, ['dryRun', 'timeout']],
		['a read', READ, ['timeout']],
		['a read of the accounting areas', ACCOUNTING, ['includeCredits', 'minimumCredits', 'quelle', 'timeout']],
		[
			'the companies, of an accounting area, too',
			{ ...READ, endpoint: 'GET /v2/acct/companies' },
			['includeCredits', 'minimumCredits', 'quelle', 'timeout'],
		],
		[
			'a write to them',
			{ ...WRITE, endpoint: 'POST /v2/acct-duo/beleg-bereitstellen' },
			['dryRun', 'includeCredits', 'minimumCredits', 'quelle', 'timeout'],
		],
		[
			'a list of choices of theirs, whose answer the contract leaves open',
			{ ...READ, endpoint: 'GET /v2/acct-duo/connections' },
			['quelle', 'timeout'],
		],
		['a list', { ...READ, value: 'getAll' }, ['limit', 'timeout']],
	])('are those of %s', (_what, operation, names) => {
		expect(namesIn(operation)).toEqual(names);
	});

	it('begin with Dry Run, and include those that only it has', () => {
		const options = { zone: text({ displayName: 'Area' }) };
		expect(namesIn({ ...WRITE, options })).toEqual(['dryRun', 'zone', 'timeout']);
	});

	it('have safe defaults and bounds in the form', () => {
		const shown = optionsIn(ACCOUNTING).map(({ name, default: initial, typeOptions }) => [
			name,
			initial,
			typeOptions,
		]);
		expect(shown).toEqual([
			['includeCredits', true, undefined],
			['minimumCredits', 0, undefined],
			['quelle', '={{ $workflow.name }}', undefined],
			['timeout', 300, { minValue: 1, maxValue: 2_147_483 }],
		]);
		expect(optionsIn(WRITE)[0]).toMatchObject({ name: 'dryRun', default: true });
	});
});

it('A workflow without a name is no source (quelle)', async () => {
	const read = await readParameter(optionsOf(ACCOUNTING).options!, {}, { workflowName: '' });
	expect((read.value as { quelle?: string }).quelle).toBeUndefined();
});

describe('What an AI agent gets of a record', () => {
	const AS_TOOL = { '@tool': [true] };

	it('is simplified until someone chooses otherwise', async () => {
		expect(toolOutput.property).toMatchObject({
			type: 'options',
			options: [{ value: 'raw' }, { value: 'selected' }, { value: 'simplified' }],
			default: 'simplified',
			displayOptions: { show: AS_TOOL },
		});
		expect(await readParameter(toolOutput, 'raw')).toMatchObject({ value: 'raw', rules: [] });
		expect((await readParameter(toolOutput, 'all')).rules).toEqual(['must be raw, selected or simplified']);
	});

	it('is a list of fields where it selects them', () => {
		expect(toolFields.property).toMatchObject({
			type: 'multiOptions',
			options: [{ value: 'amount' }, { value: 'day' }, { value: 'id' }],
			default: [],
			displayOptions: { show: { ...AS_TOOL, toolOutput: ['selected'] } },
		});
	});

	it('has the fields that are named one by one or with commas', async () => {
		const { value, rules } = await readParameter(toolFields, [' betrag ', 'datum,text,', ''], SELECTED);
		expect([value, rules]).toEqual([['betrag', 'datum', 'text'], []]);
	});

	it.each<[unknown]>([[[]], [''], [[' ', ',']]])('needs a field, which %o is not', async (given) => {
		expect((await readParameter(toolFields, given, SELECTED)).rules).toEqual([
			'must name at least one field',
		]);
	});

	it.each([undefined, null])('is no question for other nodes, which have %o there', async (given) => {
		expect(await readParameter(toolOutput, given)).toMatchObject({ value: undefined, rules: [] });
		expect(await readParameter(toolFields, given)).toMatchObject({ value: undefined, rules: [] });
	});
});
