/** Vitest's global setup for the test files that share one n8n. */
import type { TestProject } from 'vitest/node';

import { startN8n } from '../../host/n8n.mjs';
import { createUserFolder } from './preparedN8n.mjs';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const { template, tarball } = project.getProvidedContext();
	const n8n = await startN8n({ userFolder: await createUserFolder(template, tarball) });
	project.provide('sharedN8n', n8n.url);
	return async () => await n8n.stop();
}
