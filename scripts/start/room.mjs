// Whether there is room to write, asked before anything begins: npm and n8n notice late, or never. Plain JavaScript: it
// runs before anything is installed.
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../shared/processes.mjs';

/** @param {number} megabytes */
const inWords = (megabytes) => (megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`);

/**
 * Throws unless the folder, which is made if it is missing, can be written and has so much room.
 *
 * @param {string} folder
 * @param {number} megabytes
 * @param {string} what goes there, e.g. "n8n keeps its data there"
 */
export async function checkRoom(folder, megabytes, what) {
	try {
		await mkdir(folder, { recursive: true });
		await rm(await mkdtemp(join(folder, '.room-')), { recursive: true });
	} catch (error) {
		const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
		throw new UserError(
			`${folder} can’t be written (${code ?? message}): ${what}. Check who owns it, and whether the disk is full or read-only.`,
		);
	}
	const { bavail, bsize } = await statfs(folder);
	const free = Math.floor((bavail * bsize) / 1e6);
	if (free >= megabytes) return;
	throw new UserError(
		`The disk of ${folder} is full: ${inWords(free)} are free, ${inWords(megabytes)} are needed, because ${what}. Make room, then run the same command again.`,
	);
}

/** Throws unless npm can write its cache and log. */
export async function checkHome() {
	await checkRoom(homedir(), 10, 'npm keeps its cache in the home folder (HOME names another one)');
}
