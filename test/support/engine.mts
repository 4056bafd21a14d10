/**
 * n8n's own packages, of which the nodes run on one copy: those of this repository, or of the n8n in the folder that
 * TESTED_N8N names (`npm run versions`).
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { TESTED_N8N } = process.env;

/** As a community node of that n8n finds packages. */
export const requireOfN8n = createRequire(
	TESTED_N8N ? join(TESTED_N8N, 'node_modules/n8n/package.json') : import.meta.url,
);
