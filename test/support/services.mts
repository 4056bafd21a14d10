/** A PostgreSQL and a Redis of a test's own, on free ports, with their data in a temporary folder. */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import getPort from 'get-port';
import pWaitFor from 'p-wait-for';

/** Where Debian keeps PostgreSQL's programs, by version; elsewhere they are on the PATH. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const READY_WITHIN_MS = 60_000;

export interface Service {
	/** On 127.0.0.1. */
	port: number;
	stop(): Promise<void>;
}

export interface Postgres extends Service {
	/** Runs a query. Returns the rows as plain text. */
	query(sql: string): Promise<string>;
}

/** Starts PostgreSQL with a user and a database `n8n`. Any password is right. */
export async function startPostgres(): Promise<Postgres> {
	const path = [...(await debianFolders()), process.env.PATH].join(delimiter);
	// PostgreSQL refuses to run as root; its package has made a user for it.
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
	const port = await getPort();
	const server = run('postgres', '-D', data, '-p', String(port), '-k', '', '-c', 'fsync=off');
	const ready = () => run('pg_isready', '--host', '127.0.0.1', '--port', String(port));
	await running(server, ready);
	const address = ['--host', '127.0.0.1', '--port', String(port), '--username', 'n8n'];
	await run('createdb', ...address, 'n8n');
	return {
		port,
		query: async (sql) => String((await run('psql', ...address, '--tuples-only', '--command', sql)).stdout),
		stop: async () => await stop(server, folder),
	};
}

/** Starts Redis, without a password. */
export async function startRedis(): Promise<Service> {
	const folder = await mkdtemp(join(tmpdir(), 'redis-'));
	const port = await getPort();
	const server = execa('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
		cwd: folder,
		all: true,
	});
	await running(server, () => execa('redis-cli', ['-p', String(port), 'ping']));
	return { port, stop: async () => await stop(server, folder) };
}

async function debianFolders(): Promise<string[]> {
	const versions = await readdir(DEBIAN_POSTGRES).catch(() => []);
	return versions
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
}

type Server = ReturnType<typeof execa>;

/** Waits until a server answers; throws what it printed when it ends instead. */
async function running(server: Server, ask: () => PromiseLike<unknown>): Promise<void> {
	const answers = async () => {
		try {
			await ask();
			return true;
		} catch {
			return false;
		}
	};
	await Promise.race([server, pWaitFor(answers, { interval: 100, timeout: READY_WITHIN_MS })]);
}

async function stop(server: Server, folder: string): Promise<void> {
	server.kill('SIGTERM');
	await server.catch(() => {});
	await rm(folder, { recursive: true, force: true });
}
