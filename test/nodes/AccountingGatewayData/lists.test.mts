/** The lists to choose from, opened as the editor opens them, with the form as it is at that moment. */
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { searchList } from '../../../host/harness.mjs';
import { locator, useDataNode } from '../../support/dataNode.mjs';

const { gateway, node, answers } = useDataNode();

const BAKERY = '29098-10001';
const CAFE = '29098-10002';

const chosen = (value: string) => locator(value, 'list');
const form = (fields: INodeParameters = {}): INodeParameters => ({
	connectionId: chosen(gateway.connectionId('rewe-read')),
	...fields,
});
const search = async (method: string, parameters?: INodeParameters, filter?: string) =>
	(await searchList({ node, credential: gateway.credential, method, parameters, filter })).results;
const sent = async () => (await gateway.requests()).at(-1)!.query;
/** The demo account's connection that is the café's own. */
const cafeConnection = () =>
	gateway.sandbox.store.accounts[0].connections.find((one) => one.defaultCompanyId === CAFE)!.id;

describe('The connections to choose from', () => {
	it('are those of the module that the operation reads', async () => {
		expect(await search('searchReweReadConnections')).toHaveLength(4);
		expect(await search('searchReweConnections')).toHaveLength(2);
		const methods = node.description.properties
			.filter(({ name }) => name === 'connectionId')
			.map(({ displayOptions, modes }) => [
				displayOptions?.show?.resource?.[0],
				modes?.[0].typeOptions?.searchListMethod,
			]);
		expect(Object.fromEntries(methods)).toMatchObject({
			taxKey: 'searchReweConnections',
			trialBalance: 'searchReweReadConnections',
			openItem: 'searchReweReadConnections',
		});
	});
});

describe('The connections of all modules to choose from', () => {
	it('are in one list', async () => {
		const { connections } = gateway.sandbox.store.accounts[0];
		expect(new Set(await search('searchConnections'))).toEqual(
			new Set(connections.map(({ id, name }) => ({ name, value: id }))),
		);
		expect(await search('searchConnections', {}, 'rewe-read')).toHaveLength(4);
	});
});

describe('The companies to choose from', () => {
	it('are those of the connection, by number and name, if it has one', async () => {
		expect(await search('searchCompanies', form())).toEqual([
			{ name: `${BAKERY} Bäckerei Sonnenschein GmbH`, value: BAKERY },
			{ name: `${CAFE} Café Morgenrot e. K.`, value: CAFE },
		]);
		await answers({ data: [{ id: '1001-1' }] });
		expect(await search('searchCompanies', form())).toEqual([{ name: '1001-1', value: '1001-1' }]);
	});
});

describe('The fiscal years to choose from', () => {
	it('have the newest first, by ID and by first day', async () => {
		expect(await search('searchFiscalYearIds', form())).toEqual([
			{ name: '2026 (1 Jan to 31 Dec)', value: '20260101' },
			{ name: '2025 (1 Jan to 31 Dec)', value: '20250101' },
		]);
		expect(await search('searchFiscalYearStarts', form())).toEqual([
			{ name: '2026 (1 Jan to 31 Dec)', value: '2026-01-01' },
			{ name: '2025 (1 Jan to 31 Dec)', value: '2025-01-01' },
		]);
	});

	it('are those of the chosen connection and company', async () => {
		const connectionId = chosen(cafeConnection());
		const companyId = chosen(BAKERY);
		const years = await search('searchCompanyFiscalYearStarts', { connectionId, companyId });
		expect(years).toHaveLength(2);
		expect(await sent()).toMatchObject({ connectionId: cafeConnection(), companyId: BAKERY });
	});

	it.each([
		['searchFiscalYearStarts', 'takes no companyId'],
		['searchCompanyFiscalYearStarts', 'in the field "Company" (companyId)'],
	])('as %s explain a 403 by the export subscription', async (method, description) => {
		await expect(search(method, { connectionId: chosen(cafeConnection()) })).rejects.toMatchObject({
			message: expect.stringContaining('probably has no export subscription'),
			description: expect.stringContaining(description),
			httpCode: '403',
		});
	});

	it.each(['searchFiscalYearStarts', 'searchFiscalYearIds'])(
		'as %s are those of the default company, whatever another operation left in the form',
		async (method) => {
			await search(method, form({ companyId: chosen(CAFE) }));
			expect(await sent()).not.toHaveProperty('companyId');
		},
	);

	it('read by the days that they have: short ones, and those that begin in summer', async () => {
		const data = ['2023-07-01', '2024-07-01', '2025-07-01', '2026-01-01'].map((startDatum) => ({
			id: startDatum.replaceAll('-', ''),
			startDatum,
		}));
		await answers({ data: [...data, { id: '1' }] });
		expect(await search('searchFiscalYearIds', form())).toEqual([
			{ name: '1', value: '1' },
			{ name: '2026 (1 Jan to 31 Dec)', value: '20260101' },
			{ name: '2025 (1 Jul to 31 Dec)', value: '20250701' },
			{ name: '2024/25 (1 Jul 2024 to 30 Jun 2025)', value: '20240701' },
			{ name: '2023/24 (1 Jul 2023 to 30 Jun 2024)', value: '20230701' },
		]);
	});
});

describe('The accounts to choose from', () => {
	const accounts = async (year: string) =>
		await search('searchAccounts', form({ geschaeftsjahrStartDatum: chosen(year) }));

	it('are shown as accountants name them, in order of their numbers', async () => {
		const all = await accounts('2026-01-01');
		expect(all).toEqual(
			expect.arrayContaining([
				{ name: '1000 Kasse', value: '1000' },
				{ name: '10001 Hotel am Markt GmbH', value: '10001' },
			]),
		);
		const numbers = all.map(({ value }) => Number(value));
		expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
	});

	it('are read for a fiscal year that an expression gives with a time', async () => {
		expect(await accounts('2026-01-01T00:00:00.000+01:00')).not.toEqual([]);
		expect(await sent()).toMatchObject({ geschaeftsjahrStartDatum: '2026-01-01' });
	});

	it('are those of the year that last month is in, where that is the time of the trial balance', async () => {
		vi.useFakeTimers({ now: new Date('2026-01-02T09:00:00Z'), toFake: ['Date'] });
		const all = search('searchAccounts', form({ resource: 'trialBalance', asOf: 'lastMonth' }));
		expect(await all.finally(() => vi.useRealTimers())).not.toEqual([]);
		expect(await sent()).toMatchObject({ geschaeftsjahrStartDatum: '2025-01-01' });
	});
});
