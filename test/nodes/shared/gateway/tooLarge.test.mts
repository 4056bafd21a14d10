/** A gateway, or a proxy in front of it, that refuses a large file before it has read it: nothing can have been booked. */
import { createServer, type Socket } from 'node:net';
import { beforeAll, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { initBinaryData } from '../../../../host/fileStore.mjs';
import { runNode } from '../../../../host/harness.mjs';
import { uploadToDuo } from '../../../../host/workflows.mjs';
import { listening } from '../../../support/listening.mjs';

beforeAll(async () => await initBinaryData());

/** Uploads a file to a server that gets a connection as soon as the request begins. */
async function upload(bytes: number, respond: (socket: Socket, begin: Buffer) => void) {
	const server = createServer((socket) => {
		socket.on('error', () => {});
		socket.once('data', (begin: Buffer) => {
			socket.pause();
			respond(socket, begin);
		});
	});
	const { errors } = await runNode({
		node: new AccountingGatewayDelivery(),
		parameters: uploadToDuo('5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11'),
		items: [{ files: { data: { content: Buffer.alloc(bytes, 'x'), fileName: 'a.pdf' } } }],
		credential: { apiKey: 'key', baseUrl: `http://${await listening(server)}` },
		settings: { onError: 'continueErrorOutput' },
	});
	return errors[0];
}

const LARGE = 30 * 2 ** 20;
const TOO_LARGE = `HTTP/1.1 413 Content Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;

it.each<[string, (socket: Socket) => void]>([
	['answers and goes on reading', (socket) => socket.resume().end(TOO_LARGE)],
	['answers and stops reading', (socket) => socket.write(TOO_LARGE)],
	['answers and closes the connection', (socket) => socket.write(TOO_LARGE, () => socket.destroy())],
	['answers and resets the connection', (socket) => socket.write(TOO_LARGE, () => socket.resetAndDestroy())],
	['resets the connection without an answer', (socket) => socket.resetAndDestroy()],
])(
	'a gateway that, at a large file, %s has refused it: the outcome is never "unknown"',
	async (_way, respond) => {
		const { error, details } = await upload(LARGE, respond);
		expect((details as { outcome: string }).outcome).toMatch(/^(refused|notSent)$/);
		expect(error).toMatch(/too large|wasn't sent completely/);
	},
);

it('a connection that breaks after the whole request was handed over leaves the outcome unknown', async () => {
	const { details } = await upload(100, (socket, begin) => {
		let received = String(begin);
		const resetAtEnd = () => received.endsWith('}') && socket.resetAndDestroy();
		socket.on('data', (more: Buffer) => {
			received += String(more);
			resetAtEnd();
		});
		resetAtEnd();
		socket.resume();
	});
	expect(details).toMatchObject({ outcome: 'unknown' });
});
