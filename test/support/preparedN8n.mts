/** Vitest's global setup of the end-to-end tests: packs the package and sets up n8n's database, once for all files. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { OWNER, signIn } from '../../host/client.mjs';
import { N8N_FOLDER, startN8n, TESTED_IMAGE } from '../../host/n8n.mjs';
import { installPackage, packPackage } from '../../host/package.mjs';
import { ROOT } from '../../scripts/base/processes.mjs';

export default async function setup({ provide }: TestProject): Promise<void> {
	provide('tarball', await packOnce());
	provide('template', await createTemplate());
}

/** Each project of a run calls this; all share the first one's result. */
async function packOnce(): Promise<string> {
	const folder = join(tmpdir(), 'package');
	const [packed] = await readdir(folder).catch(() => []);
	return packed ? join(folder, packed) : await packPackage(folder);
}

/**
 * The user folder of an n8n after its first start, kept for the next run. The first start migrates the database,
 * which takes longer than everything else.
 */
async function createTemplate(): Promise<string> {
	const lock = TESTED_IMAGE ?? (await readFile(join(N8N_FOLDER, 'pnpm-lock.yaml')));
	const version = createHash('sha256').update(lock).digest('hex').slice(0, 16);
	const template = join(ROOT, 'tmp', `n8n-user-folder-${version}`);
	if (existsSync(template)) return template;
	await mkdir(join(ROOT, 'tmp'), { recursive: true });
	const userFolder = await mkdtemp(join(ROOT, 'tmp/n8n-user-folder-new-'));
	const n8n = await startN8n({ userFolder });
	try {
		await signIn(n8n.url);
	} finally {
		await n8n.stop();
	}
	await rm(n8n.logFile);
	// In one step, so that an interrupted run never leaves an incomplete one.
	await rename(userFolder, template);
	return template;
}

/** A user folder for a separate n8n, with the package installed, as if n8n had been started before. */
export async function createUserFolder(template: string, tarball: string): Promise<string> {
	const userFolder = await mkdtemp(join(tmpdir(), 'n8n-'));
	await cp(template, userFolder, { recursive: true });
	// Where `npm start` looks for it.
	await writeFile(join(userFolder, 'owner-password'), OWNER.password);
	await installPackage(tarball, userFolder);
	return userFolder;
}
