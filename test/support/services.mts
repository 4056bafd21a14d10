/** A test's own PostgreSQL and Redis, on free ports, with their data in a temporary folder. */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { waitFor } from '../../scripts/base/waiting.mjs';
import { freePort } from '../../scripts/base/ports.mjs';
import { OWN_PORTS } from './ownPorts.mjs';

/** Debian's folder for PostgreSQL's programs, by version; elsewhere, they are on the PATH. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const READY_WITHIN_MS = 60_000;

export interface Service {
	/** On 127.0.0.1. */
	port: number;
	stop(): Promise<void>;
	/** Kills it, and restarts it with its data after this many milliseconds. */
	interrupt(ms: number): Promise<void>;
}

export interface Postgres extends Service {
	/** Runs a query. Returns the rows as plain text. */
	query(sql: string): Promise<string>;
}

export interface Redis extends Service {
	/** Runs a command, e.g. `query('llen', 'list')`. Returns the answer as plain text. */
	query(...command: string[]): Promise<string>;
}

/** Starts PostgreSQL with a user and a database `n8n`. Any password works. */
export async function startPostgres(): Promise<Postgres> {
	const path = [...(await debianFolders()), process.env.PATH].join(delimiter);
	// PostgreSQL refuses to run as root; its package created a user for it.
	const asRoot = process.getuid?.() === 0;
	const asUser = asRoot ? ['runuser', '--user', 'postgres', '--'] : [];
	const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
	if (asRoot) await chmod(folder, 0o777);
	const data = join(folder, 'data');
	const run = (...command: string[]) => {
		const [program, ...args] = [...asUser, ...command];
		return execa(program, args, { cwd: folder, env: { PATH: path }, all: true });
	};
	await run('initdb', '--pgdata', data, '--username', 'n8n', '--auth', 'trust', '--no-sync');
	const port = await freePort(OWN_PORTS);
	const start = () => run('postgres', '-D', data, '-p', String(port), '-k', '', '-c', 'fsync=off');
	const ready = () => run('pg_isready', '--host', '127.0.0.1', '--port', String(port));
	const server = await serve(start, ready);
	const address = ['--host', '127.0.0.1', '--port', String(port), '--username', 'n8n'];
	await run('createdb', ...address, 'n8n');
	return {
		port,
		query: async (sql) => String((await run('psql', ...address, '--tuples-only', '--command', sql)).stdout),
		stop: async () => await server.stop(folder),
		interrupt: async (ms) =>
			await server.interrupt(async () => await run('pg_ctl', 'stop', '--mode', 'fast', '--pgdata', data), ms),
	};
}

/** Starts Redis with a password. Its data survives a restart, as in deploy/compose.yaml. */
export async function startRedis(password: string): Promise<Redis> {
	const folder = await mkdtemp(join(tmpdir(), 'redis-'));
	const port = await freePort(OWN_PORTS);
	const options = [
		'--bind',
		'127.0.0.1',
		'--save',
		'',
		'--appendonly',
		'yes',
		'--dir',
		folder,
		'--requirepass',
		password,
	];
	const start = () => execa('redis-server', ['--port', String(port), ...options], { cwd: folder, all: true });
	const query = async (...command: string[]) =>
		(await execa('redis-cli', ['-p', String(port), ...command], { env: { REDISCLI_AUTH: password } })).stdout;
	const server = await serve(start, async () => await query('ping'));
	return {
		port,
		query,
		stop: async () => await server.stop(folder),
		interrupt: async (ms) => await server.interrupt((process) => process.kill('SIGKILL'), ms),
	};
}

async function debianFolders(): Promise<string[]> {
	const versions = await readdir(DEBIAN_POSTGRES).catch(() => []);
	return versions
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
}

type Server = ReturnType<typeof execa>;

/** Starts a server and waits until it answers; if it exits instead, throws its output. */
async function serve(start: () => Server, ask: () => PromiseLike<unknown>) {
	const answers = async () => {
		try {
			await ask();
			return true;
		} catch {
			return false;
		}
	};
	let server: Server;
	const begin = async () => {
		server = start();
		await Promise.race([server, waitFor(answers, { interval: 100, timeout: READY_WITHIN_MS })]);
	};
	await begin();
	return {
		async stop(folder: string) {
			server.kill('SIGTERM');
			await server.catch(() => {});
			await rm(folder, { recursive: true, force: true });
		},
		/** @param end how it is ended */
		async interrupt(end: (server: Server) => unknown, ms: number) {
			const ended = server.catch(() => {});
			await end(server);
			await ended;
			await sleep(ms);
			await begin();
		},
	};
}
