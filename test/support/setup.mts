// n8n-core reads these when it is loaded, so they come before everything else.
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useSeed } from './seed.mjs';

process.env.N8N_USER_FOLDER ??= mkdtempSync(path.join(tmpdir(), 'gateway-test-'));
process.env.N8N_ENCRYPTION_KEY ??= 'only-for-tests';
process.env.N8N_DEFAULT_BINARY_DATA_MODE ??= 'filesystem';
process.env.N8N_LOG_LEVEL ??= 'silent';
await import('reflect-metadata');
useSeed();

// n8n's default engine for expressions. It is a native module that needs Node.js 24, see docs/proof.md; without it
// n8n-core evaluates them in this process.
if (process.env.N8N_EXPRESSION_ENGINE === 'vm') {
	const { Expression } = createRequire(import.meta.url)('n8n-workflow') as typeof import('n8n-workflow');
	await Expression.initExpressionEngine({
		engine: 'vm',
		poolSize: 1,
		maxCodeCacheSize: 1024,
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
	});
}
