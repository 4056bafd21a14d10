import { describe, expect, it } from 'vitest';

import { httpOptions } from '../../../../nodes/shared/gateway/httpOptions.js';
import type { GatewayRequest } from '../../../../nodes/shared/gateway/request.js';

const options = async (own: Partial<GatewayRequest>) =>
	(
		await httpOptions(
			{ endpoint: 'GET /v2/acct-duo/kassenbuecher', path: {}, query: {}, ...own } as GatewayRequest,
			'https://gateway.example.com/base',
			'zahlwerk',
		)
	).options;

it('a read goes to the address of base URL, provider and path, with the query that has a value', async () => {
	const query = { connectionId: 'ä b', page: 0, all: false, quelle: undefined };
	expect(await options({ query })).toEqual({
		method: 'GET',
		url: 'https://gateway.example.com/base/v2/zahlwerk-duo/kassenbuecher?connectionId=%C3%A4+b&page=0&all=false',
		headers: { accept: 'application/json' },
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	});
});

describe('a write', () => {
	it('announces the length of its JSON in bytes', async () => {
		const endpoint = 'POST /v2/acct-duo/kassenbuch-einfach';
		expect(await options({ endpoint, body: { belegtext: 'Büro' } })).toMatchObject({
			method: 'POST',
			body: '{"belegtext":"Büro"}',
			headers: {
				accept: 'application/json',
				'content-type': 'application/json',
				'content-length': '21',
			},
		});
	});

	it('fills the placeholders of its path', async () => {
		const endpoint = 'POST /v2/mobility/tickets/{id}/activate';
		expect((await options({ endpoint, path: { id: 'a/b' } })).url).toBe(
			'https://gateway.example.com/base/v2/mobility/tickets/a%2Fb/activate',
		);
	});
});
