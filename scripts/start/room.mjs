// Checks for disk space before anything begins: npm and n8n notice late, or never. Plain JavaScript: it
// runs before anything is installed.
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../shared/processes.mjs';

/** @param {number} megabytes */
const inWords = (megabytes) => (megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`);

/**
 * Throws unless the folder, which is created if it is missing, is writable and has this much room.
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
			`${folder} can’t be written to (${code ?? message}): ${what}. Check who owns it, and whether the disk is full or read-only.`,
		);
	}
	const free = await freeMegabytes(folder);
	if (free >= megabytes) return;
	throw new UserError(
		`The disk of ${folder} is full: ${inWords(free)} are free, ${inWords(megabytes)} are needed, because ${what}. Make room, then run the same command again.`,
	);
}

/** Throws unless npm can write its cache and log. */
export async function checkHome() {
	await checkRoom(homedir(), 10, 'npm keeps its cache in the home folder (HOME names another one)');
}

/** With less, databases fail in unexpected ways, or hang. */
const LEAST_MEGABYTES = 20;
const LOOK_EVERY_MS = 1_000;

/**
 * Keeps checking whether there is room left: another program may fill the disk at any moment.
 *
 * @param {string[]} folders
 * @param {number} megabytes
 * @returns {AbortSignal} aborted by a `UserError` when a disk is full
 */
export function whenFull(folders, megabytes = LEAST_MEGABYTES) {
	const controller = new AbortController();
	const look = async () => {
		for (const folder of folders) {
			// A folder that is gone, or not created yet, isn't a reason to end.
			const free = await freeMegabytes(folder).catch(() => Infinity);
			if (free >= megabytes) continue;
			clearInterval(timer);
			const message = `The disk of ${folder} has become full: ${inWords(free)} are left. Everything was stopped. Make room, then run the same command again.`;
			controller.abort(new UserError(message));
			return;
		}
	};
	const timer = setInterval(() => void look(), LOOK_EVERY_MS);
	timer.unref();
	return controller.signal;
}

/** @param {string} folder */
async function freeMegabytes(folder) {
	const { bavail, bsize } = await statfs(folder);
	return Math.floor((bavail * bsize) / 1e6);
}
