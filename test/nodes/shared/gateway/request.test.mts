import { describe, expect, it } from 'vitest';

import { type GatewayRequest, withSource } from '../../../../nodes/shared/gateway/request.js';
import { partial } from '../../../../tools/partial.mjs';

describe('the name of the calling source', () => {
	const asked = (endpoint: GatewayRequest['endpoint']) =>
		partial<GatewayRequest>({ endpoint, path: {}, query: { connectionId: 'c' } });

	it.each(['GET /v2/acct/companies', 'POST /v2/acct-duo/kassenbuch-einfach'] as const)(
		'goes with %s, beside the rest of the query',
		(endpoint) => {
			const request = asked(endpoint);
			expect(withSource(request, 'Workflow')).toEqual({
				endpoint,
				path: {},
				query: { connectionId: 'c', quelle: 'Workflow' },
			});
			// The request itself stays as it is.
			expect(request.query).toEqual({ connectionId: 'c' });
		},
	);

	it('does not go to other areas', () => {
		const request = asked('PUT /v2/banking/webhook-url');
		expect(withSource(request, 'Workflow')).toBe(request);
	});
});
