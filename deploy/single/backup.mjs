// Backups of n8n's SQLite database and of the executions' files, in the service "backup" of compose.yaml:
//
//   backup.mjs                  makes a backup now, and one each day at BACKUP_AT (UTC)
//   backup.mjs once             makes a backup now
//   backup.mjs check            fails unless the newest backup is younger than 26 hours
//   backup.mjs restore <file>   puts a backup in place of the database; stop n8n first. What was there before is kept beside it.
//
// DATABASE is n8n's database, BACKUP_FOLDER the folder of the backups, N8N_URL where n8n answers if it runs. After each new backup,
// those older than BACKUP_KEEP_DAYS are deleted. A backup is the whole database: only its owner may read it. All backups share one
// copy of the files, which never change: it goes BACKUP_KEEP_DAYS after the last backup that found the file in n8n.
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

process.umask(0o077);
const {
	DATABASE = '',
	BACKUP_FOLDER = '/backups',
	BACKUP_AT = '01:30',
	BACKUP_KEEP_DAYS = '14',
	N8N_URL,
} = process.env;
const HOUR_MS = 3_600_000;

/** @param {string} text */
const say = (text) => console.log(`${new Date().toISOString().slice(0, 19)}Z ${text}`);
const backups = () => readdirSync(BACKUP_FOLDER).filter((name) => /^n8n-.*\.sqlite$/.test(name));
/** @param {string} name below the folder of the backups */
const ageMs = (name) => Date.now() - statSync(join(BACKUP_FOLDER, name)).mtimeMs;

/**
 * Fails unless the file is a whole database of n8n.
 *
 * @param {string} file
 */
function verify(file) {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const [result] = database.prepare('PRAGMA quick_check').all();
		if (result.quick_check !== 'ok') throw new Error(`damaged: ${result.quick_check}`);
		database.prepare('SELECT id FROM workflow_entity LIMIT 1').all();
	} finally {
		database.close();
	}
}

/** Where n8n keeps files, by its age. */
const FILES = ['binaryData', 'storage'];
const filesOfN8n = dirname(DATABASE);
const filesOfBackups = join(BACKUP_FOLDER, 'files');

/**
 * Paths of all files below a folder, from there.
 *
 * @param {string} folder
 */
const filesIn = (folder) =>
	FILES.filter((name) => existsSync(join(folder, name))).flatMap((name) =>
		readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)),
	);

/**
 * Copies the files that are missing there. A file that n8n deletes meanwhile is none that a backup needs.
 *
 * @param {string} from
 * @param {string} to
 */
function copyFiles(from, to) {
	for (const file of filesIn(from)) {
		const target = join(to, file);
		if (existsSync(target)) continue;
		mkdirSync(dirname(target), { recursive: true });
		try {
			copyFileSync(join(from, file), `${target}.part`);
			renameSync(`${target}.part`, target);
		} catch (error) {
			if (existsSync(join(from, file))) throw error;
		}
	}
}

/** The file gets its final name only when complete, so an interrupted backup is never mistaken for a good one. */
function once() {
	const file = join(
		BACKUP_FOLDER,
		`n8n-${new Date().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '_')}.sqlite`,
	);
	for (const name of readdirSync(BACKUP_FOLDER))
		if (name.endsWith('.part')) rmSync(join(BACKUP_FOLDER, name));
	try {
		// Opening a file that doesn't exist would make an empty database of it.
		if (!existsSync(DATABASE)) throw new Error(`there is no ${DATABASE}`);
		const database = new DatabaseSync(DATABASE, { timeout: 60_000 });
		try {
			// A copy of one moment, while n8n goes on.
			database.prepare('VACUUM INTO ?').run(`${file}.part`);
		} finally {
			database.close();
		}
		verify(`${file}.part`);
		copyFiles(filesOfN8n, filesOfBackups);
		const now = new Date();
		for (const name of filesIn(filesOfBackups))
			if (existsSync(join(filesOfN8n, name))) utimesSync(join(filesOfBackups, name), now, now);
		renameSync(`${file}.part`, file);
	} catch (error) {
		rmSync(`${file}.part`, { force: true });
		say(
			`THE BACKUP FAILED (${error instanceof Error ? error.message : String(error)}); the earlier ones are kept`,
		);
		return false;
	}
	say(`backed up: ${file}, ${statSync(file).size} bytes`);
	for (const name of [...backups(), ...filesIn(filesOfBackups).map((name) => join('files', name))])
		if (ageMs(name) > Number(BACKUP_KEEP_DAYS) * 24 * HOUR_MS) rmSync(join(BACKUP_FOLDER, name));
	return true;
}

async function daily() {
	// The first process of a container ignores signals that it has no handler for.
	for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
	const [hours, minutes] = BACKUP_AT.split(':').map(Number);
	for (;;) {
		once();
		const now = new Date();
		const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hours, minutes);
		await sleep(next > now.getTime() ? next - now.getTime() : next + 24 * HOUR_MS - now.getTime());
	}
}

/** @param {string} [name] of a backup */
async function restore(name = '') {
	const backup = join(BACKUP_FOLDER, basename(name));
	const runs = await globalThis.fetch(`${N8N_URL}/healthz`).then(
		() => true,
		() => false,
	);
	const before = `${DATABASE}.before-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`;
	try {
		if (runs) throw new Error('n8n is still running');
		verify(backup);
		copyFileSync(backup, `${DATABASE}.new`);
		verify(`${DATABASE}.new`);
		copyFiles(filesOfBackups, filesOfN8n);
	} catch (error) {
		rmSync(`${DATABASE}.new`, { force: true });
		say(`NOTHING WAS RESTORED: ${error instanceof Error ? error.message : String(error)}`);
		return false;
	}
	// The write-ahead log belongs to the database that was there.
	for (const end of ['', '-wal', '-shm'])
		if (existsSync(DATABASE + end)) renameSync(DATABASE + end, before + end);
	renameSync(`${DATABASE}.new`, DATABASE);
	say(`restored: ${basename(backup)}; what was there before is ${before}`);
	return true;
}

const [command = 'daily', file] = process.argv.slice(2);
if (command === 'daily') await daily();
else if (command === 'once') process.exitCode = once() ? 0 : 1;
else if (command === 'check') process.exitCode = backups().some((name) => ageMs(name) < 26 * HOUR_MS) ? 0 : 1;
else if (command === 'restore') process.exitCode = (await restore(file)) ? 0 : 1;
else {
	console.error('Usage: backup.mjs [once | check | restore <file>]');
	process.exitCode = 2;
}
