import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { networkError } from '../../../../../nodes/shared/gateway/failures/networkError.js';
import { certificateFor } from '../../../../support/certificate.mjs';
import { listening } from '../../../../support/listening.mjs';
import { useFolder } from '../../../../support/useFolder.mjs';

describe('a certificate', () => {
	const folder = useFolder('certificate');
	const DAY = 24 * 60 * 60 * 1000;

	/** The code that Node.js gives for a server whose certificate it trusts as far as its signature goes. */
	async function codeFor(subject: string, from: number, to: number): Promise<string> {
		const certificate = certificateFor(subject, new Date(from), new Date(to));
		const server = createServer(certificate);
		const [, port] = (await listening(server)).split(':');
		const file = folder('ca.pem');
		await writeFile(file, certificate.cert);
		// Node.js reads which authorities it trusts when it starts.
		const script = `require('https').get('https://localhost:${port}').on('error', (error) => console.log(error.code))`;
		const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
		const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
		return stdout.trim();
	}

	it.each<[string, string, number, number, string]>([
		['has expired', 'localhost', -2 * DAY, -DAY, "isn't valid now"],
		["isn't valid yet", 'localhost', DAY, 2 * DAY, "isn't valid now"],
		['is for another host', 'gateway.example.com', -DAY, DAY, 'another host name'],
	])('that %s is explained as such', async (_what, subject, from, to, message) => {
		const code = await codeFor(subject, Date.now() + from, Date.now() + to);
		const failure = networkError(code, true, 'handedOver');
		expect(failure).toMatchObject({ outcome: 'notSent', transient: false });
		expect(failure.message.en).toContain(message);
		expect(failure.description.en).not.toContain('NODE_EXTRA_CA_CERTS');
	});
});
