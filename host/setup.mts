// n8n-core reads these when it is loaded, so they come before everything else.
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { requireOfCore, requireOfN8n } from './n8nPackages.mjs';
import { useSeed } from '../scripts/base/extent.mjs';
import './patientRegex.mjs';

process.env.N8N_USER_FOLDER ??= mkdtempSync(
	path.join(process.env.TEST_N8N_FOLDER ?? tmpdir(), 'gateway-test-'),
);
process.env.N8N_ENCRYPTION_KEY ??= 'only-for-tests';
process.env.N8N_DEFAULT_BINARY_DATA_MODE ??= 'filesystem';
process.env.N8N_LOG_LEVEL ??= 'silent';
// n8n-core needs it first; older versions have it through this package alone.
createRequire(requireOfCore.resolve('@n8n/di'))('reflect-metadata');
useSeed();

// n8n's default engine for expressions. It is a native module that needs Node.js 24, see docs/dev/testing.md; without it
// n8n-core evaluates them in this process.
if (process.env.N8N_EXPRESSION_ENGINE === 'vm') {
	const { Expression } = requireOfN8n('n8n-workflow') as typeof import('n8n-workflow');
	await Expression.initExpressionEngine({
		engine: 'vm',
		poolSize: 1,
		maxCodeCacheSize: 1024,
		// A limit of real time: on a busy machine, little gets done in the default, 5 seconds.
		bridgeTimeout: 60_000,
		bridgeMemoryLimit: 128,
	});
}
