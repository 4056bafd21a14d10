import { describe, expect, it } from 'vitest';

import { companyId, connectionId } from '../../../../nodes/shared/parameters/accounting.js';
import { readParameter } from '../../../support/fakes.mjs';

describe('A connection', () => {
	it.each([
		['Duo', 'GET /v2/acct-duo/connections'],
		['Rewe', 'GET /v2/acct-rewe/connections'],
		['ReweRead', 'GET /v2/acct-rewe-read/connections'],
	] as const)("of the module '%s' asks with %s", (module, endpoint) => {
		expect(connectionId(module).list!.request({})).toMatchObject({ endpoint });
	});

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

describe('A company', () => {
	it('asks with the connection, and reads as its number and name', () => {
		const list = companyId.list!;
		expect(list.request({ connectionId: 'c' })).toMatchObject({
			endpoint: 'GET /v2/acct/companies',
			query: { connectionId: 'c' },
		});
		expect(list.reads!({ id: '1001-1', name: 'Bäckerei' }, '1001-1', [])).toBe('1001-1 Bäckerei');
		expect(list.reads!({ id: '1001-1' }, '1001-1', [])).toBe('1001-1');
	});
});
