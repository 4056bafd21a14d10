/** A request that never left, told by its real socket: nothing can have been booked, so it may be sent again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, it, onTestFinished, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { runNode } from '../../../../host/harness.mjs';
import { engineIsFrom } from '../../../../host/n8nPackages.mjs';
import { certificateFor } from '../../../support/certificate.mjs';
import { listening } from '../../../support/listening.mjs';
import { endTimeouts } from '../../../support/pauses.mjs';
import { openSecureLine } from '../../../support/tls.mjs';
import { simpleEntry } from '../../../../host/workflows.mjs';

const book = async (baseUrl: string, timeout = 30) => {
	const { errors } = await runNode({
		node: new AccountingGatewayDelivery(),
		parameters: simpleEntry('5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11', { options: { timeout } }),
		items: [{}],
		credential: { apiKey: 'key', baseUrl },
		settings: { onError: 'continueErrorOutput' },
	});
	return errors[0] as { error: string; details: { outcome: string } };
};

/** A server of plain TCP that does this with the first bytes of a TLS handshake. */
const answering = async (respond: (socket: Socket) => void) =>
	await listening(
		createServer((socket) => {
			socket.on('error', () => {});
			socket.once('data', () => respond(socket));
			onTestFinished(() => void socket.destroy());
		}),
	);

/** An older n8n keeps the socket to itself: there, what became of the entry is unknown. */
const itKnows = it.runIf(engineIsFrom('2.35'));

itKnows.each<[string, (socket: Socket) => void, string, seconds?: number]>([
	['answers without encryption', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), '(TLS)'],
	['closes the connection', (socket) => socket.destroy(), 'no connection'],
	['resets the connection', (socket) => socket.resetAndDestroy(), 'no connection'],
	['says nothing', () => {}, 'no connection', 2],
])(
	'an entry is not sent to a server that, at a TLS handshake, %s',
	async (_what, respond, message, seconds) => {
		const { error, details } = await book(`https://${await answering(respond)}`, seconds);
		expect(details.outcome).toBe('notSent');
		expect(error).toContain(message);
		expect(error).not.toContain('unknown');
	},
);

itKnows('an entry is not sent to a server that has no version of TLS in common', async () => {
	const { key, cert } = certificateFor('127.0.0.1');
	const server = createTlsServer({ key, cert, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' });
	server.on('tlsClientError', () => {});
	const { error, details } = await book(`https://${await listening(server)}`);
	expect(details.outcome).toBe('notSent');
	expect(error).toContain('(TLS)');
});

itKnows('an entry is not sent when no connection comes about in time', async () => {
	// A stopped process whose queue of connections is full: the system answers no further one.
	const script = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })`;
	const full = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
	onTestFinished(() => void full.kill('SIGKILL'));
	const [text] = (await once(full.stdout, 'data')) as [Buffer];
	const port = Number(text);
	full.kill('SIGSTOP');
	const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
	onTestFinished(() => fillers.forEach((socket) => void socket.destroy()));
	await expect.poll(() => fillers.filter(({ connecting }) => !connecting).length).toBeGreaterThan(1);
	const { error, details } = await book(`http://127.0.0.1:${port}`, 2);
	expect(
		fillers.filter(({ connecting }) => connecting),
		'connections that wait',
	).not.toEqual([]);
	expect(details.outcome).toBe('notSent');
	expect(error).toContain('no connection came about');
});

it('what became of an entry is unknown when its secure connection breaks, or time is up, after it was sent', async () => {
	vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
	onTestFinished(() => void vi.unstubAllEnvs());
	let arrived = 0;
	const silent = await answering(() => arrived++);
	const target = await answering((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
	const line = await openSecureLine(Number(target.split(':')[1]), { breaks: true });
	onTestFinished(() => line.close());
	endTimeouts(() => arrived > 0);
	for (const url of [line.url, `http://${silent}`]) {
		const { error, details } = await book(url);
		expect(details.outcome).toBe('unknown');
		expect(error).toContain('Whether it was carried out is unknown');
	}
});
