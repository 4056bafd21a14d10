/** Amounts, fiscal years and balances as only odd gateways send them. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { exportSubscription } from '../../../nodes/AccountingGatewayData/exportSubscription.js';
import {
	findFiscalYear,
	fiscalYearsRequest,
	readYear,
} from '../../../nodes/AccountingGatewayData/fiscalYear/list.js';
import { signedAmount } from '../../../nodes/AccountingGatewayData/trialBalance/signed.js';
import { upToPeriod } from '../../../nodes/AccountingGatewayData/trialBalance/upToPeriod.js';

describe('an amount with its side', () => {
	it.each([['5,00 EUR'], ['x'], [''], [null], [undefined], [true], [{}]])(
		'is none if it is no number, like %o',
		(betrag) => {
			expect(signedAmount({ betrag, sollHabenKennzeichen: 'SOLL' })).toBeUndefined();
		},
	);
});

describe('a fiscal year', () => {
	const find = (entries: unknown[], date: string, field: 'id' | 'startDatum' = 'startDatum') =>
		findFiscalYear(entries, { date, isToday: false }, field);

	it.each([[''], [null], [undefined]])('may have no last day: %o', (endDatum) => {
		const years = [{ id: 'a', startDatum: '2026-01-01', endDatum }];
		expect(find(years, '2026-12-31')).toEqual({ value: '2026-01-01' });
	});

	it('may be one day long', () => {
		const years = [{ id: 'a', startDatum: '2026-12-31', endDatum: '2026-12-31' }];
		expect(find(years, '2026-12-31')).toEqual({ value: '2026-12-31' });
	});

	it('without a text or a number as its ID has none', () => {
		for (const id of ['', null, {}, true]) {
			expect(find([{ id, startDatum: '2026-01-01' }], '2026-05-01', 'id')).toEqual({
				problem: 'has no ID of the fiscal year from 2026-01-01',
			});
		}
	});

	it('has a first day that is a text', () => {
		expect(find([{ startDatum: ['2026-01-01'] }], '2026-05-01')).toHaveProperty('problem');
		expect(readYear({ startDatum: ['2026-01-01'] }, '', [])).toBeUndefined();
	});

	it.each([
		[12, ''],
		[13, ' and 1 earlier ones'],
	])('of %i is named with at most eleven others%s', (count, earlier) => {
		const years = Array.from({ length: count }, (_, i) => ({ startDatum: `${2000 + i}-01-01` }));
		const { rule } = find(years, '2031-01-01') as { rule: string };
		expect(rule).toMatch(new RegExp(`${2000 + count - 1}-12-31${earlier}$`));
	});

	it.each([
		[{ takesCompany: false }, 'takes no companyId'],
		[{ takesCompany: true }, 'Choose a company'],
		[{ takesCompany: true, companyId: '1-1' }, 'choose another one'],
	])('of %o is refused with advice about it', (company, advice) => {
		const { explain } = fiscalYearsRequest({ connectionId: 'c', ...company });
		expect(explain?.(403)?.advice).toContain(advice);
	});
});

it('a 403 without a text is about the subscription', () => {
	expect(exportSubscription('fixed')(403)?.message).toContain('no export subscription');
});

describe('balances that can not be told', () => {
	const account = (kontonummer?: string): IDataObject => ({ kontonummer, saldo: 'x' });
	const problemOf = (...accounts: IDataObject[]) => {
		try {
			return upToPeriod(accounts, 3) && undefined;
		} catch (error) {
			return error as Error & { problem?: string; advice?: string };
		}
	};

	it.each<[IDataObject[], string]>([
		[[account('1000')], 'at the end of period 3 of account 1000'],
		[[account('1000'), account('1200')], 'at the end of period 3 of accounts 1000, 1200'],
		[[account('1000'), account()], 'of accounts 1000, no. 2'],
	])('are named by their accounts: %j', (accounts, text) => {
		const problem = problemOf(...accounts);
		expect(JSON.stringify({ ...problem, message: problem?.message })).toContain(text);
		expect(JSON.stringify(problem)).toMatch(/are movements or balances follows .* add up to it, or/);
	});
});
