import { describe, expect, it } from 'vitest';

import { furtherPages } from '../../../../nodes/shared/gateway/pages.js';

const data = [{ id: 1 }, { id: 2 }];

describe('a list', () => {
	it.each([
		{ data, next: 'https://gateway.example/v2/list?page=2' },
		{ data, next_id: 17 },
		{ data, meta: { next_id: '17' } },
		{ data, meta: { nextCursor: 'abc' } },
		{ data, pagination: { has_more: true } },
		{ data, page: { totalElements: 3 } },
		{ data, meta: { total_count: '30' } },
		{ data, _links: { next: { href: '/v2/list?page=2' } } },
		{ data: { items: data, x: 1 }, hasNextPage: true },
	])('that goes on elsewhere: %j', (body) => {
		expect(furtherPages(body)).toMatch(/^the gateway sent only one page of its list/);
	});

	it.each([
		{ data },
		data,
		{ data: [], meta: { total_count: 0 } },
		{ data, meta: { next_id: null, next: '', has_more: false, total_count: 2 }, _links: { next: {} } },
		{ data, svc: { neuesGuthaben: 500, next: 'x' } },
		{ data: { next: 'month', total: 5 } },
		{ next: 'month' },
		{ data: [{ next_id: 5, has_more: true }] },
		'text',
		null,
	])('that is complete, or none at all: %j', (body) => {
		expect(furtherPages(body)).toBeUndefined();
	});
});
