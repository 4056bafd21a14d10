/** What takes an n8n of its own, each night: another port than the one that was wished, and n8n's command line. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, inject, it } from 'vitest';

import { startMail } from '../../demo/mailbox.mjs';
import { startN8n } from '../../host/n8n.mjs';
import { importExamples, storeCredentials } from '../../demo/demo.mjs';
import { NIGHTLY } from '../../scripts/base/extent.mjs';
import { createUserFolder } from '../support/preparedN8n.mjs';
import { LEAN, Rig } from '../support/rig.mjs';

it.runIf(NIGHTLY)('n8n starts at another port if somebody takes its own before it listens', async () => {
	// Whoever took it answers like an n8n.
	const other = createServer((_request, answer) => answer.end('{}'));
	await once(other.listen(0, '127.0.0.1'), 'listening');
	const { port } = other.address() as AddressInfo;
	await once(other.close(), 'close');
	const n8n = await startN8n({
		userFolder: await createUserFolder(inject('template'), inject('tarball')),
		port,
		env: LEAN,
		onSpawn: () => void (other.listening || other.listen(port, '127.0.0.1')),
	});
	other.close();
	const log = await readFile(n8n.logFile, 'utf8');
	await n8n.stop();
	expect(log).toContain(`port ${port} is already in use`);
	expect(log).toContain(`ready on 127.0.0.1, port ${new URL(n8n.url).port}\n`);
	expect(n8n.url).not.toContain(`:${port}`);
});

// n8n 2.41 has no data tables there, which most examples write to.
it.runIf(NIGHTLY)('an example runs from n8n’s command line as well', async () => {
	const rig = await Rig.start({ env: { N8N_RUNNERS_MODE: 'internal' } });
	const mail = await startMail();
	const credentials = await storeCredentials(rig.client, rig.sandbox, mail);
	const [example] = await importExamples(rig.client, credentials, ({ name }) => name === 'trial-balance');
	await rig.n8n.cli('execute', `--id=${example.workflowId}`);
	expect(rig.sandbox.log.entries.some(({ path }) => path.endsWith('/susa'))).toBe(true);
	await rig.stop();
	await mail.stop();
});
