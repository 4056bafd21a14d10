import { expect, it } from 'vitest';

import { text } from '../../../../nodes/shared/parameters/kinds/text.js';
import { readTriggerParameters } from '../../../../nodes/shared/parameters/triggerParameters.js';

it('Of a trigger’s parameters, only those that are asked for are read and checked', async () => {
	const account = text({ displayName: 'Account', required: true });
	const other = text({ displayName: 'Other', required: true });
	const given: Record<string, unknown> = { account: ' giro ', other: '' };
	const read = await readTriggerParameters({ account, other }, ['account'], {
		zone: 'Europe/Berlin',
		raw: (name) => given[name],
	});
	expect(read).toEqual({ values: { account: 'giro' } });
});
