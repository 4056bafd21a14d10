/** A folder for a test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Gives each test of a file or `describe` a temporary folder of its own. @returns paths in it, without arguments its own */
export function useFolder(name: string): (...path: string[]) => string {
	let folder: string;
	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), `${name}-`));
	});
	afterEach(async () => await rm(folder, { recursive: true, force: true }));
	return (...path) => join(folder, ...path);
}
