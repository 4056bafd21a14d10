import { describe, expect, it } from 'vitest';

import { companyId, connectionId } from '../../../../nodes/shared/parameters/accounting.js';
import { INVALID } from '../../../../nodes/shared/parameters/inputItem.js';
import { readParameter } from '../../../support/readParameter.mjs';

describe('connectionId', () => {
	it.each([
		['Duo', 'searchDuoConnections'],
		['Rewe', 'searchReweConnections'],
		['ReweRead', 'searchReweReadConnections'],
		['', 'searchConnections'],
	] as const)("of the module '%s' is chosen from %s", (module, list) => {
		const [fromList] = connectionId(module).property.modes!;
		expect(fromList.typeOptions).toEqual({ searchListMethod: list, searchable: true });
	});

	it('is required and may have a hint', async () => {
		expect((await readParameter(connectionId('Duo'), undefined)).rules).toEqual(['is required']);
		expect(connectionId('Duo').property).toMatchObject({ required: true });
		expect(connectionId('Duo').property.hint).toBeUndefined();
		expect(connectionId('Duo', { hint: 'The default company' }).property.hint).toBe('The default company');
	});
});

describe('companyId', () => {
	it('is chosen from the companies of the connection, and cleared when that changes', () => {
		const { modes, typeOptions } = companyId.property;
		expect(modes![0].typeOptions?.searchListMethod).toBe('searchCompanies');
		expect(typeOptions).toEqual({ loadOptionsDependsOn: ['connectionId.value'] });
	});

	it('has two numbers, and may be left out', async () => {
		expect(await readParameter(companyId, '1001-1')).toMatchObject({ value: '1001-1', rules: [] });
		expect(await readParameter(companyId, '')).toMatchObject({ value: undefined, rules: [] });
		for (const given of ['1001', 'x1001-1', '1001-1x', '1001-']) {
			expect(await readParameter(companyId, given)).toMatchObject({ value: INVALID });
		}
	});
});
