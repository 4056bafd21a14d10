/**
 * n8n's own packages, in a single copy for all nodes: this repository's, or those of the n8n in the folder named by
 * TESTED_N8N (`npm run versions`).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { TESTED_N8N } = process.env;

/** Resolves packages like a community node of that n8n. */
export const requireOfN8n = createRequire(
	TESTED_N8N ? join(TESTED_N8N, 'node_modules/n8n/package.json') : import.meta.url,
);

/** Resolves packages like n8n-core itself. */
export const requireOfCore = createRequire(requireOfN8n.resolve('n8n-core'));

const core = join(dirname(requireOfN8n.resolve('n8n-core')), '../package.json');
const { version } = JSON.parse(readFileSync(core, 'utf8')) as { version: string };

/** Whether the engine is this version of n8n-core or newer; older ones lack what a test checks. */
export const engineIsFrom = (since: string): boolean =>
	since.localeCompare(version, 'en', { numeric: true }) <= 0;
