import { describe, expect, it } from 'vitest';

import { companyId, connectionId } from '../../../../nodes/shared/parameters/accounting.js';
import { readParameter } from '../../../support/fakes.mjs';

describe('A connection', () => {
	it('of any module asks for those of all of them', () => {
		expect(connectionId('').list!.request({})).toMatchObject({
			Duo: { endpoint: 'GET /v2/acct-duo/connections' },
			Rewe: { endpoint: 'GET /v2/acct-rewe/connections' },
			'Rewe Read': { endpoint: 'GET /v2/acct-rewe-read/connections' },
		});
	});

	it('is required and may have a hint', async () => {
		expect((await readParameter(connectionId('Duo'), undefined)).rules).toEqual(['is required']);
		expect(connectionId('Duo').property).toMatchObject({ required: true });
		expect(connectionId('Duo').property.hint).toBeUndefined();
		expect(connectionId('Duo', { hint: 'The default company' }).property.hint).toBe('The default company');
	});
});

it('A company without a name reads as its number', () => {
	expect(companyId.list!.reads!({ id: '1001-1' }, '1001-1', [])).toBe('1001-1');
});
