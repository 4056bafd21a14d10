/** The fiscal year that a day lies in: found in the list of fiscal years, in n8n's engine, over New Year. */
import map from 'lodash/map.js';
import uniq from 'lodash/uniq.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { findFiscalYear, readYear } from '../../../nodes/AccountingGatewayData/fiscalYear/list.js';
import { locator, useDataNode } from '../../support/dataNode.mjs';
import { searchList, type RunOptions, type TestItem } from '../../../host/harness.mjs';
import { jsonAs } from '../../../host/partial.mjs';
import { waitFor } from '../../../scripts/base/waiting.mjs';
import { ruleThat } from '../../support/fakes.mjs';

const { gateway, node, answers, run: read } = useDataNode();

const BAKERY = '29098-10001';
const CAFE = '29098-10002';
const LIST = '/v2/acct-rewe-read/geschaeftsjahre';

describe('The fiscal year that a day falls in', () => {
	const year = (startDatum: string, id: unknown = startDatum.replaceAll('-', '')) => ({ id, startDatum });
	const find = (starts: string[], date: string) =>
		findFiscalYear({ data: starts.map((start) => year(start)) }, { date, isToday: false }, 'startDatum');

	const CALENDAR = ['2025-01-01', '2026-01-01'];
	const FROM_JULY = ['2025-07-01', '2024-07-01'];
	const SHORT = ['2024-01-01', '2025-01-01', '2025-04-01', '2026-04-01'];
	const GAP = ['2020-01-01', '2026-01-01'];
	const LEAP = ['2023-03-01', '2024-02-29'];

	it.each([
		['first day', CALENDAR, '2026-01-01', '2026-01-01'],
		['last day', CALENDAR, '2025-12-31', '2025-01-01'],
		['last day of the last year', CALENDAR, '2026-12-31', '2026-01-01'],
		['New Year in a year from July', FROM_JULY, '2026-01-01', '2025-07-01'],
		['last day of a short year', SHORT, '2025-03-31', '2025-01-01'],
		['last day before a gap', GAP, '2020-12-31', '2020-01-01'],
		['29 February at the end', LEAP, '2024-02-28', '2023-03-01'],
		['29 February at the beginning', LEAP, '2024-02-29', '2024-02-29'],
		['last day of a year from 29 February', LEAP, '2025-02-28', '2024-02-29'],
		['29 February as the last day', ['2023-03-01'], '2024-02-29', '2023-03-01'],
	])('is found by its %s', (_, starts, date, start) => {
		expect(find(starts, date)).toEqual({ value: start });
	});

	it.each([
		['before all', CALENDAR, '2024-12-31', '2025-01-01 to 2025-12-31, 2026-01-01 to 2026-12-31'],
		['after all', CALENDAR, '2027-01-01', '2025-01-01 to 2025-12-31, 2026-01-01 to 2026-12-31'],
		['in a gap', GAP, '2021-01-01', '2020-01-01 to 2020-12-31, 2026-01-01 to 2026-12-31'],
		['after 29 February', LEAP, '2025-03-01', '2023-03-01 to 2024-02-28, 2024-02-29 to 2025-02-28'],
	])('is none %s, and the existing years are listed', (_, starts, date, years) => {
		expect(find(starts, date)).toEqual(ruleThat(`is in no fiscal year; the fiscal years are ${years}`));
	});

	describe('a list that carries the last day of a year (endDatum)', () => {
		const ended = (startDatum: string, endDatum: unknown) => ({ ...year(startDatum), endDatum });
		const among = (data: object[], date: string) =>
			findFiscalYear({ data }, { date, isToday: false }, 'startDatum');
		const SHORT_LAST = [ended('2025-01-01', '2025-12-31'), ended('2026-01-01', '2026-06-30')];

		it('has no year for the day after a short last one, and says so', () => {
			expect(among(SHORT_LAST, '2026-06-30')).toEqual({ value: '2026-01-01' });
			expect(among(SHORT_LAST, '2026-07-01')).toEqual(
				ruleThat(
					'is in no fiscal year; the fiscal years are 2025-01-01 to 2025-12-31, 2026-01-01 to 2026-06-30',
				),
			);
		});

		it('may have a gap behind a year, and years without it', () => {
			const years = [ended('2024-01-01', '2024-03-31'), ended('2025-01-01', null), year('2026-01-01')];
			expect(among(years, '2024-04-01')).toHaveProperty('rule');
			expect(among(years, '2025-12-31')).toEqual({ value: '2025-01-01' });
			expect(among(years, '2026-12-31')).toEqual({ value: '2026-01-01' });
		});

		it('ends a year where the next one begins, whatever it says', () => {
			const years = [ended('2025-01-01', '2026-12-31'), year('2026-01-01')];
			expect(among(years, '2026-01-01')).toEqual({ value: '2026-01-01' });
		});

		it.each(['31.12.2026', '2026-02-30', 7, {}])('counts as if it did not if that is no day: %j', (end) => {
			expect(among([ended('2026-01-01', end)], '2026-12-31')).toEqual({ value: '2026-01-01' });
		});

		it('shows it in the list of the form', () => {
			const entries = jsonAs<IDataObject[]>(SHORT_LAST);
			expect(readYear(entries[1], '2026-01-01', entries)).toBe('2026 (1 Jan to 30 Jun)');
		});
	});

	it('is told apart from the latest of many years', () => {
		const starts = Array.from({ length: 30 }, (_, i) => `${1990 + i}-01-01`);
		const { rule } = find(starts, '2026-05-01') as { rule: { en: string } };
		expect(rule.en).toContain('the fiscal years are 2008-01-01 to 2008-12-31, ');
		expect(rule.en).toMatch(/2019-01-01 to 2019-12-31 and 18 earlier ones$/);
	});

	it('is none of a company without any', () => {
		expect(find([], '2026-01-01')).toEqual(ruleThat('is in no fiscal year; the company has none'));
	});

	const DAY = { date: '2026-05-01', isToday: false };

	it.each([
		[[year('2026-01-01')]],
		[{ geschaeftsjahre: [year('2026-01-01')], svc: { neuesGuthaben: 5 } }],
		[{ data: [year('2026-01-01T00:00:00')] }],
		[{ data: [year('2026-01-01', 20260101)] }],
	])('is found in %j', (body) => {
		expect(findFiscalYear(body, DAY, 'startDatum')).toEqual({ value: '2026-01-01' });
		expect(findFiscalYear(body, DAY, 'id')).toMatchObject({ value: expect.stringContaining('20260101') });
	});

	it.each([
		[{ message: 'OK' }, 'holds no list of fiscal years'],
		[[year('2026-01-01'), { id: '20270101' }], 'has a fiscal year without a first day (startDatum)'],
		[[year('2026-01-01'), null], 'has a fiscal year without a first day (startDatum)'],
		[[year('01.01.2026')], 'has a fiscal year without a first day (startDatum)'],
		// Of which day this is the beginning depends on the zone.
		[[year('2025-12-31T23:00:00Z')], 'has a fiscal year without a first day (startDatum)'],
	])('is not guessed when the list is %j', (body, problem) => {
		expect(findFiscalYear(body, DAY, 'startDatum')).toMatchObject({ problem: { en: problem } });
	});

	it('has one ID', () => {
		expect(findFiscalYear([year('2026-01-01', null)], DAY, 'id')).toEqual({
			problem: {
				en: 'has no ID of the fiscal year from 2026-01-01',
				de: 'hat keine ID des Geschäftsjahres ab 01.01.2026',
			},
		});
		expect(findFiscalYear([year('2026-01-01', 'a'), year('2026-01-01', 'b')], DAY, 'id')).toEqual(
			ruleThat('is in several fiscal years that begin on 2026-01-01: choose one by its ID'),
		);
	});
});

const byDay = (value: unknown = '') => locator(value, 'day');
const items = (count: number): TestItem[] => Array.from({ length: count }, (_, i) => ({ json: { i } }));
/** The demo account's connection that is the café's own; the café has no export subscription. */
const cafeConnection = () =>
	gateway.sandbox.store.accounts[0].connections.find((one) => one.defaultCompanyId === CAFE)!.id;

/** Runs a report of the fiscal year that a day lies in. */
const run = async (
	resource: string,
	day: unknown,
	changes: INodeParameters = {},
	options?: Partial<RunOptions>,
) =>
	await read(
		resource,
		resource === 'fiscalYear'
			? { operation: 'get', geschaeftsjahrId: byDay(day), ...changes }
			: { geschaeftsjahrStartDatum: byDay(day), ...changes },
		options,
	);
/** What was asked: the fiscal years, and first days of the reports. */
const asked = async () =>
	(await gateway.requests()).map(({ path, query }) =>
		path === LIST ? 'list' : ((query as IDataObject).geschaeftsjahrStartDatum ?? path.split('/').at(-1)),
	);

/** Stops the clock; the gateway's has the same time. */
function setClock(time: string) {
	vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) });
	gateway.sandbox.store.setNow(new Date(time));
}
beforeEach(() => {
	setClock('2026-11-20T09:00:00Z');
});
afterEach(() => {
	vi.useRealTimers();
});

describe.each(['trialBalance', 'fiscalYear'])('A read of %s by a day', (resource) => {
	const of = (year: string) => (resource === 'fiscalYear' ? `${year}0101` : `${year}-01-01`);

	it.each([
		['2026-12-31T22:59:59Z', 'Europe/Berlin', '2026'],
		['2026-12-31T23:00:00Z', 'Europe/Berlin', '2027'],
		['2027-01-01T05:00:00Z', 'America/New_York', '2027'],
	])('at %s in %s uses the fiscal year %s if no day is given', async (time, timezone, year) => {
		setClock(time);
		// The books know the new year from the beginning, wherever the workflow is.
		gateway.sandbox.store.setNow(new Date('2027-01-02T12:00:00Z'));
		const { error, json } = await run(resource, '', {}, { workflowSettings: { timezone } });
		expect(error).toBeUndefined();
		expect(json).not.toEqual([]);
		expect(await asked()).toEqual(['list', of(year)]);
	});

	it.each([
		['2025-12-31', '2025'],
		[' 1.1.2026 ', '2026'],
		['={{ $today.minus({ years: 1 }) }}', '2025'],
		['={{ new Date("2025-12-31T23:00:00Z") }}', '2026'],
		['={{ null }}', '2026'],
	])('with the day %s uses the fiscal year %s', async (day, year) => {
		expect((await run(resource, day)).error).toBeUndefined();
		expect(await asked()).toEqual(['list', of(year)]);
	});

	it('asks for the fiscal years once, however many items there are', async () => {
		const { error, main } = await run(
			resource,
			'={{ $json.i % 2 ? "2025-05-01" : "2026-05-01" }}',
			{ options: { quelle: '=Lauf {{ $json.i }}' } },
			{ items: items(20) },
		);
		expect(error).toBeUndefined();
		const requests = await asked();
		expect(requests.filter((one) => one === 'list')).toHaveLength(1);
		expect(requests).toHaveLength(21);
		const paired = map(main[0], 'pairedItem.item') as number[];
		expect(uniq(paired)).toEqual(items(20).map((_, i) => i));
	});

	it('reports a day outside all fiscal years, lists those that exist, and continues with the other items', async () => {
		const day = '={{ $json.i === 1 ? "2031-01-01" : "2026-05-01" }}';
		const settings = { onError: 'continueErrorOutput' as const };
		const { errors, main } = await run(resource, day, {}, { items: items(3), settings });
		expect(errors).toMatchObject([
			{
				i: 1,
				error: expect.stringContaining(
					'"2031-01-01" is in no fiscal year; the fiscal years are 2025-01-01 to 2025-12-31, 2026-01-01 to 2026-12-31',
				),
				details: {
					outcome: 'invalid',
					issues: [expect.objectContaining({ value: { en: '2031-01-01', de: '2031-01-01' } })],
				},
			},
		]);
		expect(main[1][0].pairedItem).toEqual({ item: 1 });
		expect(uniq(map(main[0], 'pairedItem.item'))).toEqual([0, 2]);
	});

	it('says that today falls in no fiscal year', async () => {
		setClock('2032-01-01T12:00:00Z');
		gateway.sandbox.store.setNow(new Date('2026-11-20T09:00:00Z'));
		expect((await run(resource, '')).error?.message).toContain('"2032-01-01" (today) is in no fiscal year');
	});
});

describe('The list of fiscal years that a day is looked up in', () => {
	it('is none where the answer says failure', async () => {
		await answers({ success: false, message: 'Mandant gesperrt', data: [] });
		const { error } = await run('journalBooking', '2026-05-01');
		expect(error?.message).toMatch(/it says “Mandant gesperrt”$/);
	});

	it('belongs to the company, if one can be chosen', async () => {
		const companyId = locator('={{ $json.i ? null : "29098-10001" }}');
		const { error } = await run('journalBooking', '2026-05-01', { companyId }, { items: items(3) });
		expect(error).toBeUndefined();
		const requests = (await gateway.requests()).filter(({ path }) => path === LIST);
		expect(requests.map(({ query }) => (query as IDataObject).companyId).sort()).toEqual([BAKERY, undefined]);
	});

	it('belongs to the connection', async () => {
		const [known, other] = [gateway.connectionId('rewe-read'), cafeConnection()];
		const connectionId = locator(`={{ $json.i ? "${other}" : "${known}" }}`);
		const settings = { onError: 'continueErrorOutput' as const };
		const { errors, json } = await run('trialBalance', '', { connectionId }, { items: items(2), settings });
		expect(json).not.toEqual([]);
		expect(errors).toMatchObject([{ i: 1, details: { outcome: 'refused', httpCode: 403 } }]);
		expect((await asked()).filter((one) => one === 'list')).toHaveLength(2);
	});

	it.each([
		['trialBalance', 'takes no companyId'],
		['journalBooking', 'in the field "Company" (companyId)'],
	])('refused for lack of an export subscription reads like a refusal of %s', async (resource, advice) => {
		const connectionId = locator(cafeConnection());
		const { error } = await run(resource, '', { connectionId });
		expect(error?.message).toContain(
			'The default company of this connection probably has no export subscription (HTTP 403)',
		);
		expect(error?.description).toContain(advice);
		expect(await asked()).toEqual(['list']);
	});

	it('refused because of its key says so once for all items', async () => {
		await gateway.fault({ kind: 'status', status: 401, body: {}, times: 9 });
		const { error } = await run('trialBalance', '', {}, { items: items(3) });
		expect(error?.message).toContain('The gateway rejected the API key (HTTP 401)');
		const settings = { onError: 'continueErrorOutput' as const };
		const { errors } = await run('trialBalance', '', {}, { items: items(3), settings });
		expect(errors.map(({ details }) => details)).toMatchObject(
			items(3).map(() => ({ outcome: 'refused', httpCode: 401 })),
		);
		expect(await asked()).toEqual(['list', 'list']);
	});

	it('is no longer awaited when the execution is canceled, and no report is read', async () => {
		await gateway.fault({ kind: 'hang' });
		const cancel = waitFor(async () => (await asked()).length > 0);
		const { run: execution } = await run('trialBalance', '', {}, { items: items(2), cancel });
		expect(execution.status).toBe('canceled');
		expect(await asked()).toEqual(['list']);
	});

	it('costs credits, which are counted', async () => {
		const { hints } = await run('trialBalance', '');
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/\. Credit balance: \d+ after this run \(\d+ after its first call\)$/),
		);
	});
});

describe('The list of accounts to choose from', () => {
	const search = async (day: unknown, credentialId?: string) => {
		const { credential } = gateway;
		const parameters = {
			connectionId: locator(gateway.connectionId('rewe-read')),
			geschaeftsjahrStartDatum: byDay(day),
		};
		const list = { node, credential, credentialId, method: 'searchAccounts', parameters };
		return (await searchList(list)).results;
	};

	it('belongs to the fiscal year that the day falls in', async () => {
		expect(await search('')).toContainEqual({ name: '1000 Kasse', value: '1000' });
		expect(await search('31.12.2025')).not.toEqual([]);
		expect(await asked()).toEqual(['list', '2026-01-01', 'list', '2025-01-01']);
	});

	it('says what is wrong with the day', async () => {
		await expect(search('2031-01-01')).rejects.toThrow('Fiscal Year "2031-01-01" is in no fiscal year');
		await expect(search(' gestern ')).rejects.toThrow('Fiscal Year "gestern" must be a date');
	});

	it('asks for the fiscal years again after an answer that is of no use', async () => {
		await answers({ message: 'OK' });
		await expect(search('', 'again')).rejects.toThrow('it holds no list of fiscal years');
		expect(await search('', 'again')).not.toEqual([]);
	});
});
