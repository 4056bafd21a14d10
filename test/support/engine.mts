/**
 * n8n's own packages, of which the nodes run on one copy: those of this repository, or of the n8n in the folder that
 * TESTED_N8N names (`npm run versions`).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { TESTED_N8N } = process.env;

/** As a community node of that n8n finds packages. */
export const requireOfN8n = createRequire(
	TESTED_N8N ? join(TESTED_N8N, 'node_modules/n8n/package.json') : import.meta.url,
);

const core = join(dirname(requireOfN8n.resolve('n8n-core')), '../package.json');
const { version } = JSON.parse(readFileSync(core, 'utf8')) as { version: string };

/** Whether the engine is this version of n8n-core or a newer one: an older one lacks what a test is about. */
export const engineIsFrom = (since: string): boolean =>
	since.localeCompare(version, 'en', { numeric: true }) <= 0;
