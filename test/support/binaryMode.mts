/** Where n8n keeps the files of a test's items: on disk, with the execution, or on the test's own S3 server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

import { engineIsFrom } from './engine.mjs';
import { initBinaryData, keepFilesInS3 } from './harness.mjs';

/** The used parts of a package without types. */
type S3rver = new (options: object) => { run(): Promise<{ port: number }>; close(): Promise<void> };
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3rver;

/** In older versions, n8n-core has its S3 code elsewhere. */
export const BINARY_MODES = (['filesystem', 'default', 's3'] as const).filter(
	(mode) => mode !== 's3' || engineIsFrom('2.40'),
);

/** n8n's settings for an S3 server. */
export interface Bucket {
	/** With the port. */
	host: string;
	name: string;
	accessKey: string;
	accessSecret: string;
}

interface S3 {
	bucket: Bucket;
	stop(): Promise<void>;
}

/** Sets where n8n keeps the files in the tests of a file or `describe`. */
export function useBinaryMode(mode: (typeof BINARY_MODES)[number]): void {
	let s3: S3 | undefined;
	beforeAll(async () => {
		if (mode !== 's3') return await initBinaryData(mode);
		s3 = await startS3();
		await keepFilesInS3(s3.bucket);
	});
	afterAll(async () => {
		await initBinaryData();
		await s3?.stop();
	});
}

/** Starts an S3 server on a free port, with its objects in a temporary folder. */
async function startS3(): Promise<S3> {
	const name = 'n8n-files';
	const directory = await mkdtemp(join(tmpdir(), 's3-'));
	const server = new S3rver({
		address: '127.0.0.1',
		port: 0,
		directory,
		silent: true,
		// It reads the path "/bucket/" differently from how the client signs it.
		allowMismatchedSignatures: true,
		configureBuckets: [{ name }],
	});
	const { port } = await server.run();
	return {
		bucket: { host: `127.0.0.1:${port}`, name, accessKey: 'S3RVER', accessSecret: 'S3RVER' },
		async stop() {
			await server.close();
			await rm(directory, { recursive: true, force: true });
		},
	};
}
