/** A temporary folder for everything that the tests of one run create, removed when the run ends. */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Variables for the temporary folder in Node.js and other programs, by platform. */
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'];

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
	return () => {
		if (existsSync(folder)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	};
}
