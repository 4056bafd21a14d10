/**
 * A proxy between n8n and the gateway that can't connect. n8n passes its answer on as if the gateway had given it, without
 * the connection that would show where it came from, so the outcome is unknown, though nothing was sent.
 */
import { createServer } from 'node:http';
import { expect, it, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { simpleEntry } from '../../../../host/workflows.mjs';
import { listening } from '../../../support/listening.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();

it.each([502, 503, 504])('a booking whose proxy answers with %i is of unknown outcome', async (status) => {
	const proxy = createServer();
	proxy.on('connect', (_, client) =>
		client.end(`HTTP/1.1 ${status} No gateway\r\ncontent-length: 0\r\n\r\n`),
	);
	const address = `http://${await listening(proxy)}`;
	for (const name of ['HTTPS_PROXY', 'https_proxy']) vi.stubEnv(name, address);
	for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '');
	const { errors } = await gateway.run(
		new AccountingGatewayDelivery(),
		simpleEntry(gateway.connectionId('duo')),
		{
			items: [{}],
			credential: { ...gateway.credential, baseUrl: 'https://gateway.example.com' },
			settings: { onError: 'continueErrorOutput' },
		},
	);
	expect(errors).toMatchObject([{ details: { outcome: 'unknown', httpCode: status } }]);
});
