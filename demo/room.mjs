// Checks the disk space before anything begins, because npm and n8n report a full disk late, or never. Plain JavaScript: it
// runs before anything is installed.
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, UserError } from '../scripts/base/processes.mjs';

/** @param {number} megabytes */
const inWords = (megabytes) => (megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`);

/**
 * Creates the folder if it is missing. Throws unless it is writable and has this much free space.
 *
 * @param {string} folder
 * @param {number} megabytes
 * @param {string} what the reason for the message, e.g. "n8n keeps its data there"
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

/**
 * The folder for n8n's data, from the options of `npm start`. npm runs scripts in the repository; INIT_CWD is the user's folder.
 *
 * @param {string[]} args
 */
export function userFolderIn(args) {
	const option = /** @type {const} */ ({ type: 'string', default: join(ROOT, '.n8n') });
	const { values } = parseArgs({ args, options: { 'user-folder': option }, strict: false });
	return resolve(process.env.INIT_CWD ?? '.', String(values['user-folder']));
}

/**
 * Throws unless n8n can keep its data in the folder.
 *
 * @param {string} userFolder
 */
export async function checkUserFolder(userFolder) {
	await checkRoom(userFolder, 200, 'n8n keeps its data there (--user-folder chooses another one)');
}

/** Throws unless npm can write its cache and log. */
export async function checkHome() {
	await checkRoom(homedir(), 10, 'npm keeps its cache in the home folder (HOME names another one)');
}

/** With less free space, databases fail in unexpected ways, or hang. */
const LEAST_MEGABYTES = 20;
const LOOK_EVERY_MS = 1_000;

/**
 * Checks the free space repeatedly, because another program may fill the disk at any moment.
 *
 * @param {string[]} folders
 * @param {number} megabytes
 * @returns {AbortSignal} aborted by a `UserError` when a disk is full
 */
export function whenFull(folders, megabytes = LEAST_MEGABYTES) {
	const controller = new AbortController();
	const look = async () => {
		for (const folder of folders) {
			// A missing folder isn't a reason to stop: it may have been deleted, or not be created yet.
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
