/** Vitest's global setup for the test files that share one n8n, whose connections off this machine are recorded. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { startN8n } from '../../host/n8n.mjs';
import { loading, PATIENT_REGEX, RECORDER } from '../../host/intoN8n.mjs';
import { createUserFolder } from './preparedN8n.mjs';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const { template, tarball } = project.getProvidedContext();
	const userFolder = await createUserFolder(template, tarball);
	const connectionsFile = join(userFolder, 'connections.txt');
	await writeFile(connectionsFile, '');
	// One test has a proxy in front of it.
	const env = { N8N_PROXY_HOPS: '1', CONNECTIONS_FILE: connectionsFile, ...loading(RECORDER, PATIENT_REGEX) };
	const n8n = await startN8n({ userFolder, env });
	project.provide('sharedN8n', n8n.url);
	project.provide('sharedLog', n8n.logFile);
	project.provide('connectionsFile', connectionsFile);
	return async () => await n8n.stop();
}
