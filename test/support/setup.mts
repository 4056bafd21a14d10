// n8n-core reads these when it is loaded, so they come before everything else.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

process.env.N8N_USER_FOLDER ??= mkdtempSync(path.join(tmpdir(), 'gateway-test-'));
process.env.N8N_ENCRYPTION_KEY ??= 'only-for-tests';
process.env.N8N_DEFAULT_BINARY_DATA_MODE ??= 'filesystem';
process.env.N8N_LOG_LEVEL ??= 'silent';
await import('reflect-metadata');
