/** n8n's store of files: on disk, with the execution, or on the test's own S3 server. */
import { afterAll, beforeAll } from 'vitest';

import type { IRun } from 'n8n-workflow';

import { Container, core, logger } from './engine.mjs';
import { engineIsFrom, requireOfCore } from './n8nPackages.mjs';
import { startS3 } from './s3.mjs';
import { PATIENCE_MS } from '../scripts/base/waiting.mjs';

/** In older versions, n8n-core has its S3 code elsewhere. */
export const BINARY_MODES = (['filesystem', 'default', 's3'] as const).filter(
	(mode) => mode !== 's3' || engineIsFrom('2.40'),
);

const BUCKET = 'n8n-files';

/** Sets where n8n keeps the files in the tests of a file or `describe`. */
export function useBinaryMode(mode: (typeof BINARY_MODES)[number]): void {
	let s3: Awaited<ReturnType<typeof startS3>> | undefined;
	beforeAll(async () => {
		if (mode !== 's3') return await initBinaryData(mode);
		s3 = await startS3(BUCKET);
		await keepFilesInS3(s3.host);
	});
	afterAll(async () => {
		await initBinaryData();
		s3?.stop();
	});
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
async function keepFilesInS3(host: string): Promise<void> {
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
		bucket: { name: BUCKET, region: 'eu-central-1' },
		credentials: { accessKey: 'any', accessSecret: 'any', authAutoDetect: false },
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
