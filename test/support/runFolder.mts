/** A temporary folder for everything that the tests of one run create, removed when the run ends. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Variables for the temporary folder in Node.js and other programs, by platform. */
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'];

/** Files in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Bytes: n8n's files in a run of all tests are a tenth of that. */
const ENOUGH = 2e9;

/** Whether n8n's files have room in memory. There are thousands: on a disk, removing them takes ten seconds. */
function fitsInMemory(): boolean {
	if (process.platform !== 'linux' || !existsSync(MEMORY)) return false;
	const { bavail, bsize } = statfsSync(MEMORY);
	return bavail * bsize > ENOUGH;
}

/**
 * Vitest's global setup: test files, and the programs they start, read the result of `tmpdir()` from the environment.
 * @returns the teardown
 */
export default function setup(): (() => void) | undefined {
	// Each project of a run calls this; all share the first one's folder.
	if (process.env.TEST_RUN_FOLDER) return;
	const folder = mkdtempSync(join(tmpdir(), 'gateway-tests-'));
	// PostgreSQL runs as its own user.
	chmodSync(folder, 0o711);
	process.env.TEST_RUN_FOLDER = folder;
	for (const name of VARIABLES) process.env[name] = folder;
	const inMemory = fitsInMemory() ? mkdtempSync(join(MEMORY, 'gateway-tests-')) : undefined;
	process.env.TEST_N8N_FOLDER = inMemory ?? folder;
	return () => {
		for (const one of [folder, inMemory]) {
			if (one && existsSync(one)) rmSync(one, { recursive: true, force: true, maxRetries: 5 });
		}
	};
}
