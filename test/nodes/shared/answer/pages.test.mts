import { describe, expect, it } from 'vitest';

import { furtherPages } from '../../../../nodes/shared/answer/pages.js';

const data = [{ id: 1 }, { id: 2 }];
const href = '/v2/list?page=2';

describe('a list', () => {
	it.each<unknown>([
		{ data, next: href },
		{ data, next_id: 17 },
		{ data, nextPageToken: 'abc' },
		{ data, NextToken: 'abc', IsTruncated: true },
		{ data, cursor: 'abc' },
		{ data, has_more: true },
		{ data, has_more: 1 },
		{ data, meta: { hasMore: 'true' } },
		{ data, meta: { next_cursor: 'abc' } },
		{ data, pageInfo: { hasNextPage: true, endCursor: 'abc' } },
		{ data, pagination: { page: 1, pages: 3 } },
		{ data, meta: { current_page: 1, last_page: 2, per_page: 2 } },
		{ data, meta: { total_pages: 2 } },
		{ data, page: { number: 0, size: 2, totalElements: 3 } },
		{ data, last: false },
		{ data, total: 3 },
		{ data, meta: { total_count: '30' } },
		{ data, recordsTotal: 30 },
		{ data, count: 3, previous: null },
		{
			data,
			links: [
				{ rel: 'self', href: '/' },
				{ rel: 'next', href },
			],
		},
		{ data, links: { self: '/', next: href } },
		{ data, _links: { next: { href } } },
		{ data, '@odata.nextLink': href },
		{ data, '@odata.count': 3 },
		{ data, seite: 1, seiten: 2 },
		{ data, gesamt: 3 },
		{ data, naechsteSeite: 2 },
		{ data: { items: data, x: 1 }, hasNextPage: true },
		{ data, pages: 2, page: { toString: 1, valueOf: 1 } },
		{ data, total: '1e400' },
	])('that goes on elsewhere: %j', (body) => {
		expect(furtherPages(body)?.en ?? 'no warning').toMatch(/^the gateway sent only one page of its list/);
	});

	it.each<unknown>([
		{ data },
		data,
		{ data: [], meta: { total_count: 0 } },
		{ data, meta: { next_id: null, next: '', has_more: false, total_count: 2 }, _links: { next: {} } },
		{ data, pageInfo: { hasNextPage: false, endCursor: 'abc' } },
		{ data, meta: { current_page: 1, last_page: 1, per_page: 50, total: 2 } },
		{ data, page: { number: 0, size: 20, totalElements: 2, totalPages: 1 }, last: true, first: true },
		{ data, links: [{ rel: 'self', href: '/' }], _links: { self: { href }, last: { href }, prev: null } },
		{ data, cursor: { next: null, previous: 'abc' }, startCursor: 'abc' },
		{
			data,
			totalAmount: 5000,
			totalSaldo: 12.5,
			sumDebitoren: 900,
			more_info: 'https://gateway.example/help',
		},
		{ data, connection: { next_refresh_possible_at: '2026-03-11T06:00:00Z' } },
		{ data, svc: { neuesGuthaben: 500, next: 'x', total: 9 } },
		{ data, included: [{ next: 'x', total: 9 }] },
		{ data, total: 80.5 },
		{ data: { next: 'month', total: 5 } },
		{ next: 'month' },
		{ data: [{ next_id: 5, has_more: true, rel: 'next' }] },
		{ data, total: { toString: 1, valueOf: 1 }, pages: 2, page: '9e999' },
		'text',
		null,
	])('that is complete, or none at all: %j', (body) => {
		expect(furtherPages(body)).toBeUndefined();
	});
});
