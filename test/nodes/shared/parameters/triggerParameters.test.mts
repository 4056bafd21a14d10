import { describe, expect, it } from 'vitest';

import { text } from '../../../../nodes/shared/parameters/text.js';
import { readTriggerParameters } from '../../../../nodes/shared/parameters/triggerParameters.js';

const PARAMETERS = {
	account: text({ displayName: 'Account', description: 'x', required: true }),
	other: text({ displayName: 'Other', description: 'x', required: true }),
};
const read = async (values: Record<string, unknown>) =>
	await readTriggerParameters(PARAMETERS, ['account'], (name) => values[name]);

describe('a trigger’s parameters', () => {
	it('are those that are asked for, checked', async () => {
		expect(await read({ account: ' giro ', other: 'x' })).toEqual({ values: { account: 'giro' } });
	});

	it('that are wrong are a problem, which names the field', async () => {
		expect(await read({ account: '' })).toEqual({ problem: 'Account (account) is required' });
	});

	it('whose expression fails are a problem', async () => {
		const failing = () => {
			throw new Error('No data');
		};
		expect(await readTriggerParameters(PARAMETERS, ['account'], failing)).toEqual({ problem: 'No data' });
	});
});
