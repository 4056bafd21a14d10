/** Ports that several programs want at the same moment, such as those of two `npm start`. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import range from 'lodash/range.js';
import shuffle from 'lodash/shuffle.js';
import { afterEach, expect, it } from 'vitest';

import { startWatchedSandbox } from '../../../demo/watchedSandbox.mjs';
import { freePort } from '../../../scripts/base/ports.mjs';
import { ROOT } from '../../../scripts/base/processes.mjs';
import { PATIENCE_MS } from '../../../scripts/base/waiting.mjs';
import { useFolder } from '../../support/useFolder.mjs';

const folder = useFolder('ports');
const ends: Array<() => unknown> = [];
afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

const TIMEOUT = { timeout: PATIENCE_MS };

/**
 * Below the ports that systems use for outgoing connections and for any free port, and below those of n8n (host/n8n.mts) and of services
 * (support/ownPorts.mts): tests beside these ones take those.
 */
const OWN_PORTS = range(8_000, 10_000);
const ownPort = async () => await freePort(shuffle(OWN_PORTS));

/** What `npm start` does in its own process, as soon as its input has a line. */
const LISTENER = `
	import { once } from 'node:events';
	import { startImap, startMail } from './demo/mailbox.mjs';
	import { startSandbox } from './sandbox/server.mjs';
	import { onFreePort } from './scripts/base/ports.mjs';
	const wishes = JSON.parse(process.argv[1]);
	console.log('loaded');
	await once(process.stdin, 'data');
	const [sandbox, imap] = await Promise.all([
		onFreePort([wishes.sandbox], async (port) => await startSandbox({ port })),
		startImap(wishes.imap),
	]);
	const mail = await startMail({ smtpPort: wishes.smtp, imap });
	console.log(JSON.stringify({
		sandbox: Number(new URL(sandbox.url).port),
		imap: imap.port,
		smtp: mail.credentials.smtp.data.port,
	}));
`;

it('programs that want the same ports at the same moment get one each', TIMEOUT, async () => {
	const wishes = { sandbox: await ownPort(), imap: await ownPort(), smtp: await ownPort() };
	const programs = Array.from({ length: 3 }, () => {
		const args = ['--import', 'tsx', '--input-type=module', '--eval', LISTENER, JSON.stringify(wishes)];
		const program = execa(process.execPath, args, { cwd: ROOT, reject: false, all: true });
		ends.push(async () => {
			program.kill('SIGKILL');
			await program;
		});
		return { program, lines: createInterface(program.all) };
	});
	const nextLines = async () =>
		await Promise.all(programs.map(async ({ lines }) => (await once(lines, 'line'))[0] as string));
	expect(await nextLines()).toEqual(programs.map(() => 'loaded'));

	const results = nextLines();
	for (const { program } of programs) program.stdin.write('\n');
	const ports = (await results).map((line) => JSON.parse(line) as typeof wishes);
	for (const [name, wish] of Object.entries(wishes)) {
		const taken = ports.map((of) => of[name as keyof typeof wishes]);
		expect(new Set(taken).size, name).toBe(programs.length);
		expect(taken, name).toContain(wish);
	}
});

it(
	'the sandbox of npm run dev takes another port if its own is lost before it listens',
	TIMEOUT,
	async () => {
		// On a busy machine, the sandbox may be quicker than who takes its port.
		for (let tries = 1; ; tries++) {
			const port = await ownPort();
			const other = createServer();
			const stop = new AbortController();
			ends.push(() => other.close());
			// The port is chosen within milliseconds, and it takes the sandbox half a second to start.
			const lost = sleep(100).then(async () => await once(other.listen(port, '127.0.0.1'), 'listening'));
			const wasLost = lost.then(
				() => true,
				() => false,
			);

			let printed = '';
			const show = (text: string) => void (printed += text);
			const state = folder(`state-${tries}.json`);
			const { url, ended } = await startWatchedSandbox(port, state, show, stop.signal);
			ends.push(async () => {
				stop.abort();
				await ended.catch(() => {});
			});
			if (!(await wasLost) && tries < 5) continue;
			expect(url).not.toContain(`:${port}`);
			await expect.poll(() => printed).toContain(`is at ${url} `);
			return;
		}
	},
);
