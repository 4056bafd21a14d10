/** n8n's store of files: on disk, with the execution, or on the test's own S3 server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

import type { IRun } from 'n8n-workflow';

import { Container, core, logger } from './engine.mjs';
import { engineIsFrom, requireOfCore } from './n8nPackages.mjs';
import { PATIENCE_MS } from './waiting.mjs';

/** The used parts of a package without types. */
type S3rver = new (options: object) => { run(): Promise<{ port: number }>; close(): Promise<void> };

/** In older versions, n8n-core has its S3 code elsewhere. */
export const BINARY_MODES = (['filesystem', 'default', 's3'] as const).filter(
	(mode) => mode !== 's3' || engineIsFrom('2.40'),
);

/** n8n's settings for an S3 server. */
interface Bucket {
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
	const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3rver;
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

type FileStore = Pick<
	InstanceType<typeof core.BinaryDataService>,
	'init' | 'setManager' | 'store' | 'rename' | 'deleteManyByBinaryDataId' | 'getAsStream'
> & { mode: string };
/** n8n's binary store. */
// The container's type requires a public constructor; the container calls this class's private one.
export const fileStore = () => Container.get<FileStore>(core.BinaryDataService as never);

/** Starts n8n's binary store; n8n keeps files on disk by default. */
export async function initBinaryData(mode: 'filesystem' | 'default' = 'filesystem'): Promise<void> {
	const store = fileStore();
	await store.init();
	store.mode = mode === 'filesystem' ? 'filesystem-v2' : 'default';
}

/** Makes n8n's binary store keep files in S3. Only n8n's start requires a license, not its engine. */
async function keepFilesInS3({ host, name, accessKey, accessSecret }: Bucket): Promise<void> {
	type Objects = { init(): Promise<void> };
	const { S3ByteStore } = requireOfCore('@n8n/blob-storage') as {
		S3ByteStore: new (objects: Objects) => ConstructorParameters<typeof core.BinaryDataBlobManager>[0];
	};
	const { ObjectStoreService } = requireOfCore('@n8n/blob-storage/object-store') as {
		ObjectStoreService: new (log: object, config: object) => Objects;
	};
	const objects = new ObjectStoreService(logger, {
		host,
		protocol: 'http',
		forcePathStyle: true,
		bucket: { name, region: 'eu-central-1' },
		credentials: { accessKey, accessSecret, authAutoDetect: false },
		maxAttempts: 3,
		startupTimeoutMs: PATIENCE_MS,
	});
	await objects.init();
	const store = fileStore();
	await store.init();
	store.setManager(
		's3',
		new core.BinaryDataBlobManager(new S3ByteStore(objects), Container.get(core.ErrorReporter)),
	);
	store.mode = 's3';
}

/**
 * What n8n does when it stores an execution started by a webhook or form: it adds the execution's ID to the IDs of
 * its files, everywhere in its data.
 */
export async function renameFiles({ data }: IRun): Promise<void> {
	const store = fileStore();
	const seen = new Set<object>();
	const renamed = new Map<string, string>();
	const visit = async (value: unknown): Promise<void> => {
		if (typeof value !== 'object' || value === null || seen.has(value)) return;
		seen.add(value);
		const file = value as { mimeType?: string; id?: string };
		if (file.mimeType && file.id) {
			const [mode, from] = file.id.split(':');
			const to = renamed.get(from) ?? from.replace(/\/executions\/[^/]+\//, '/executions/stored/');
			if (!renamed.has(from)) await store.rename(from, to).catch(leftBehind);
			renamed.set(from, to);
			file.id = `${mode}:${to}`;
		}
		for (const member of Object.values(value)) await visit(member);
	};
	await visit([data.resultData.runData, data.executionData]);
}

/** An older engine then removes a folder that exists only for files of n8n's own webhooks. */
function leftBehind(error: NodeJS.ErrnoException): void {
	if (engineIsFrom('2.23') || error.code !== 'ENOENT' || !error.message.endsWith("/temp'")) throw error;
}

/** Removes the files of an input item, as n8n does after a while, or anyone who cleans up its store. */
export async function removeFiles({ data }: IRun, item: number): Promise<void> {
	const [{ data: input }] = data.executionData!.nodeExecutionStack;
	const files = Object.values(input.main[0]![item].binary!);
	await fileStore().deleteManyByBinaryDataId(files.map(({ id }) => id!));
}
