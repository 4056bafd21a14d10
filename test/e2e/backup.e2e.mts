/** deploy/backup.sh on a real PostgreSQL: what it backs up comes back, and what fails is never taken for a backup. */
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { type Postgres, startPostgres } from '../support/services.mjs';
import { useFolder } from '../support/useFolder.mjs';

const DAY_MS = 24 * 60 * 60 * 1000;

const folder = useFolder('backups');
let postgres: Postgres;
let env: Record<string, string>;

beforeAll(async () => (postgres = await startPostgres()));
afterAll(async () => await postgres?.stop());
beforeEach(async () => {
	await writeFile(folder('password'), 'any');
	env = {
		PGHOST: '127.0.0.1',
		PGPORT: String(postgres.port),
		PGUSER: 'n8n',
		PGDATABASE: 'n8n',
		PGPASSWORD_FILE: folder('password'),
		BACKUP_FOLDER: folder(),
	};
});

const backup = async (...args: string[]) =>
	await execa('sh', ['deploy/backup.sh', ...args], { env, reject: false, all: true });
const files = async () => (await readdir(folder())).filter((name) => name !== 'password');

it('a backup brings back what was there at the time, and removes what came later', async () => {
	await postgres.query("CREATE TABLE entry AS SELECT 'K-11'::text AS belegnummer");
	expect((await backup('once')).all).toMatch(/backed up: .*\.dump, \d+ bytes/);
	const [file] = await files();
	expect((await stat(folder(file))).mode & 0o777).toBe(0o600);
	await postgres.query("INSERT INTO entry VALUES ('K-12')");
	expect((await backup('restore', file)).all).toContain(`restored: ${file}`);
	expect(await postgres.query('SELECT belegnummer FROM entry')).toBe(' K-11\n');
});

it('a backup brings back an older version over a newer one, whose tables refer to each other', async () => {
	await postgres.query('CREATE TABLE workflow AS SELECT 1 AS id');
	await postgres.query('ALTER TABLE workflow ADD PRIMARY KEY (id)');
	await backup('once');
	const [file] = await files();
	await postgres.query('CREATE TABLE added (workflow integer REFERENCES workflow (id))');
	await postgres.query('INSERT INTO added VALUES (1)');
	const { all, exitCode } = await backup('restore', file);
	expect([exitCode, all]).toEqual([0, expect.stringMatching(/ n8n_before_\d+_\d+/)]);
	expect(await postgres.query("SELECT to_regclass('added') IS NULL, (SELECT id FROM workflow)")).toBe(
		' t        |  1\n',
	);
});

it('the files that n8n forgets go after a month, and no others', async () => {
	await postgres.query(
		'CREATE TABLE binary_data ("fileId" text, "sourceType" text, "sourceId" text, "createdAt" timestamptz)',
	);
	const rows = [
		['forgotten', 'temp', 31],
		['young', 'temp', 29],
		['of an execution', '17', 31],
	].map(([file, source, days]) => `('${file}', 'execution', '${source}', now() - interval '${days} days')`);
	await postgres.query(`INSERT INTO binary_data VALUES ${rows.join()}`);
	expect((await backup('once')).exitCode).toBe(0);
	expect(await postgres.query('SELECT "fileId" FROM binary_data ORDER BY 1')).toBe(
		' of an execution\n young\n',
	);
	await postgres.query('DROP TABLE binary_data');
});

it('a restore changes nothing while something uses the database', async () => {
	await backup('once');
	const [file] = await files();
	const using = postgres.query('SELECT pg_sleep(300)').catch(() => 'ended');
	const sleeping = "FROM pg_stat_activity WHERE query LIKE '%pg_sleep(300)'";
	await expect.poll(async () => await postgres.query(`SELECT count(*) ${sleeping}`)).toBe('     1\n');
	expect((await backup('restore', file)).exitCode).toBe(1);
	await postgres.query(`SELECT pg_terminate_backend(pid) ${sleeping}`);
	await using;
});

it('a restore brings back a file from elsewhere, on its input', async () => {
	await postgres.query('CREATE TABLE elsewhere AS SELECT 1 AS one');
	await backup('once');
	const [file] = await files();
	await postgres.query('DROP TABLE elsewhere');
	const content = await readFile(folder(file));
	await rm(folder(file));
	await execa('sh', ['deploy/backup.sh', 'restore'], { env, input: content });
	expect(await postgres.query('SELECT one FROM elsewhere')).toBe('   1\n');
});

it('a restore changes nothing when a backup can’t be read', async () => {
	await postgres.query('CREATE TABLE IF NOT EXISTS kept AS SELECT 1 AS one');
	await backup('once');
	const [file] = await files();
	const content = await readFile(folder(file));
	await writeFile(folder(file), content.subarray(0, content.length - 200));
	expect((await backup('restore', file)).exitCode).not.toBe(0);
	expect(await postgres.query('SELECT one FROM kept')).toBe('   1\n');
});

it('a backup that fails leaves nothing that looks like one, keeps the earlier ones, and says so', async () => {
	await writeFile(folder('n8n-2026-01-01_013000.dump'), '');
	env.PGPORT = '9';
	const { exitCode, all } = await backup('once');
	expect(exitCode).toBe(1);
	expect(all).toContain('THE BACKUP FAILED');
	expect(await files()).toEqual(['n8n-2026-01-01_013000.dump']);
});

it('the service for backups deletes old ones only once a new one is there, and tells when the newest is too old', async () => {
	const dated = async (days: number) => {
		const file = folder(`n8n-${days}.dump`);
		await writeFile(file, '');
		const time = new Date(Date.now() - days * DAY_MS);
		await utimes(file, time, time);
	};
	await dated(2);
	await dated(30);
	expect((await backup('check')).exitCode).toBe(1);
	await backup('once');
	expect((await backup('check')).exitCode).toBe(0);
	const left = await files();
	expect(left).toHaveLength(2);
	expect(left).toContain('n8n-2.dump');
});

it('the service for backups runs at once and then waits for its time, and ends when it is asked to', async () => {
	const service = execa('sh', ['deploy/backup.sh'], { env: { ...env, BACKUP_AT: '08:09' }, reject: false });
	await expect.poll(async () => (await files()).filter((name) => name.endsWith('.dump'))).toHaveLength(1);
	service.kill('SIGTERM');
	expect(await service).toMatchObject({ exitCode: 0, stderr: '' });
});
