/** The time that a request has, through n8n. The deadline by itself: deadline.test.mts. */
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type Server } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { searchList } from '../../../../host/harness.mjs';
import { testCredential } from '../../../support/testCredential.mjs';
import { listening } from '../../../support/listening.mjs';
import { endTimeouts, lengthenTimeouts, shortenTimeouts, skipPauses } from '../../../support/pauses.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';
import { waitFor } from '../../../../scripts/base/waiting.mjs';
import { uploadToDuo } from '../../../../host/workflows.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const connections = (timeout?: number): INodeParameters => ({
	resource: 'connection',
	operation: 'getAll',
	module: 'duo',
	...(timeout && { options: { timeout } }),
});

/** Starts a gateway that is none. @returns a credential for it */
const serve = async (server: Server) => ({
	...gateway.credential,
	baseUrl: `http://${await listening(server)}`,
});

/** An answer that never ends, and never stops coming: no time without a byte is long. */
function drip(_request: IncomingMessage, response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	const timer = setInterval(() => response.write(' '), 20);
	response.on('close', () => clearInterval(timer));
}

describe('an answer that drips', () => {
	it('ends when its time is up, and so does the connection', async () => {
		let [begun, closed] = [0, 0];
		const credential = await serve(
			createServer((request, response) => {
				response.on('close', () => closed++);
				drip(request, response);
				begun++;
			}),
		);
		const timeouts = endTimeouts(() => begun > 0);
		const { error } = await gateway.run(node, connections(1), { credential });
		expect(error?.message).toBe("The gateway didn't answer in time");
		expect(timeouts()).toEqual([1000]);
		await expect.poll(() => closed).toBe(1);
	});

	it('ends a second after it was asked for, where the node is given a second', async () => {
		const credential = await serve(createServer(drip));
		const started = performance.now();
		const { error } = await gateway.run(node, connections(1), { credential });
		expect(error).toBeDefined();
		expect(performance.now() - started).toBeGreaterThanOrEqual(1000);
	});

	it('ends in the same way when even its headers never end', async () => {
		let written = 0;
		const credential = await serve(
			createSocketServer((socket) => {
				socket.write('HTTP/1.1 200 OK\r\n');
				const timer = setInterval(() => {
					socket.write('x-header: x\r\n');
					written++;
				}, 20);
				socket.on('error', () => {}).on('close', () => clearInterval(timer));
			}),
		);
		const timeouts = endTimeouts(() => written > 1);
		const { error } = await gateway.run(node, connections(1), { credential });
		expect(error?.message).toBe("The gateway didn't answer in time");
		expect(timeouts()).toEqual([1000]);
	});

	it('ends when the execution is canceled, without waiting for its time', async () => {
		let begun = 0;
		const credential = await serve(
			createServer((request, response) => {
				drip(request, response);
				begun++;
			}),
		);
		// Its time would be longer than that of this test.
		lengthenTimeouts();
		const cancel = waitFor(() => begun > 0);
		const { run } = await gateway.run(node, connections(), { credential, cancel });
		expect(run.status).toBe('canceled');
	});

	it('keeps a person who opens a list or tests the credential waiting no longer than 15 seconds', async () => {
		const credential = await serve(createServer(drip));
		const timeouts = shortenTimeouts();
		// A try that begins when the time is up already gets nowhere either.
		skipPauses();
		const listed = searchList({ node, credential, method: 'searchDuoConnections' }).then(
			() => '',
			(error: Error) => error.message,
		);
		const results = await Promise.all([listed, testCredential(credential)]);
		expect(results[0]).toBe("The gateway didn't answer in time");
		expect(results[1]).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/^The gateway didn't answer in time/),
		});
		expect(timeouts()).toEqual([15_000, 15_000]);
	});
});

describe('a request that does not finish in time', () => {
	const openFiles = () =>
		readdirSync('/proc/self/fd').filter((fd) => {
			try {
				return readlinkSync(`/proc/self/fd/${fd}`).includes('binary_data');
			} catch {
				return false;
			}
		}).length;

	it.runIf(existsSync('/proc/self/fd'))('leaves no file open', async () => {
		let hasBegun = false;
		const credential = await serve(
			createSocketServer((socket) => {
				socket
					.on('error', () => {})
					.once('data', () => {
						hasBegun = true;
						socket.pause();
					});
			}),
		);
		const timeouts = endTimeouts(() => hasBegun);
		const parameters = uploadToDuo(gateway.connectionId('duo'), { options: { timeout: 1 } });
		const content = Buffer.alloc(20_000_000, 'x');
		const items = [{ files: { data: { content, fileName: 'Beleg.pdf' } } }];
		const before = openFiles();
		const { error } = await gateway.run(node, parameters, { credential, items });
		expect(error?.message).toBe("The file wasn't sent completely, so nothing was uploaded or booked");
		expect(timeouts()).toEqual([1000]);
		await expect.poll(openFiles).toBe(before);
	});
});

describe('retries', () => {
	it('count toward the time limit', async () => {
		const pauses = skipPauses();
		await gateway.fault({ kind: 'status', status: 503, times: null });
		const { error } = await gateway.run(node, connections(2));
		expect(error?.message).toContain('HTTP 503');
		// The next one would be 2 seconds long.
		expect(pauses()).toEqual([0.5, 1]);
		expect(await gateway.requests()).toHaveLength(3);
	});

	it('are not made beyond it, and the error says what the gateway asks for', async () => {
		const pauses = skipPauses();
		await gateway.fault({ kind: 'status', status: 429, headers: { 'retry-after': '5' }, times: null });
		const { error } = await gateway.run(node, connections(4));
		expect(error?.description).toContain('It asks you to wait 5 seconds.');
		expect(pauses()).toEqual([]);
	});
});
