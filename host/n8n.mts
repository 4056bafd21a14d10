/**
 * Starts the real n8n of `host/n8n/` as a process, for `npm start` and for the tests. n8n has its own folder, because
 * n8n's dependencies would otherwise be found before the repository's.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axios from 'axios';
import { execa, type Options, type ResultPromise } from 'execa';
import omit from 'lodash/omit.js';
import range from 'lodash/range.js';
import { endWithUs, OWN_GROUP, signalGroup, UserError } from '../scripts/base/processes.mjs';
import { TimedOut, waitFor } from '../scripts/base/waiting.mjs';
import { freePort, onFreePort, PortTaken } from '../scripts/base/ports.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HOST = join(ROOT, 'host/n8n');

/** Folder in which n8n is installed. `npm run versions` sets TESTED_N8N to test other versions. */
export const N8N_FOLDER = process.env.TESTED_N8N ?? HOST;
const PROGRAM = join(N8N_FOLDER, 'node_modules/n8n/bin/n8n');

/** One of n8n's images, which runs in place of the installed n8n: `npm run versions -- docker:stable` sets it. */
export const TESTED_IMAGE = process.env.TESTED_IMAGE;

/** The first start migrates the database, which takes 10 seconds on a quiet machine. */
const READY_WITHIN_MS = 180_000;
/** n8n waits 30 seconds for running executions when it is stopped. */
const STOPPED_WITHIN_MS = 40_000;

/**
 * A range of ports for each of our processes, below the ports that systems use for outgoing connections: n8n starts to
 * listen seconds after its port was chosen, and another start costs as much processor time again.
 */
const FIRST_PORT = 10_000 + (process.pid % 1000) * 20;
const OWN_PORTS = range(FIRST_PORT, FIRST_PORT + 20);

export type Mode = 'main' | 'worker' | 'webhook';

export interface N8nOptions {
	/** Folder for all of n8n's state and its log. All processes of one n8n share it. */
	userFolder: string;
	/** `main` (default) serves editor and API; `worker` and `webhook` are the other processes of queue mode. */
	mode?: Mode;
	/** Preferred port. If it is taken, a free one is used. */
	port?: number;
	/** Environment variables that override `SETTINGS`. */
	env?: Record<string, string>;
	/**
	 * Stops n8n when aborted, whatever n8n is doing. n8n then runs in its own process group, so a signal that the
	 * terminal or a service manager sends to every process reaches it only once, through `stop()`.
	 */
	stop?: AbortSignal;
	/** How long n8n may take to end when it is stopped. */
	stoppedWithinMs?: number;
	/** What runs in place of the installed n8n. */
	program?: string;
	/** Called at each start with the process's ID, long before n8n is ready. */
	onSpawn?: (pid: number) => void;
}

function hasModule(name: string): boolean {
	return existsSync(join(N8N_FOLDER, 'node_modules/n8n/dist/modules', name));
}

/**
 * The settings of every n8n that is started here: German time, no calls to the internet, no surveys.
 * Relative paths in workflows start at the repository, and only its `workflows` folder can be read.
 */
const SETTINGS: Record<string, string> = {
	// Node.js caches compiled code, which saves a second of processor time at each later start.
	NODE_COMPILE_CACHE: join(N8N_FOLDER, 'node_modules/.cache/compiled'),
	GENERIC_TIMEZONE: 'Europe/Berlin',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_RESTRICT_FILE_ACCESS_TO: join(realpathSync(ROOT), 'workflows'),
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	// On a busy machine, n8n would else take its database for lost after five seconds, and answer nothing.
	DB_PING_TIMEOUT_MS: '60000',
	// There, it would also end a Code node that nobody took within two seconds, and an expression that took five.
	N8N_RUNNERS_TASK_ACCEPT_TIMEOUT: '60',
	N8N_EXPRESSION_ENGINE_TIMEOUT: '60000',
	// These modules fetch lists from n8n's servers regardless of the settings above. n8n refuses names of unknown modules.
	N8N_DISABLED_MODULES: ['mcp-registry', 'instance-ai'].filter(hasModule).join(','),
};

/**
 * The setting that selects the legacy expression engine on Macs with Intel: the default engine needs isolated-vm, which
 * has no prebuilt binary for them, so n8n wouldn't start.
 * @param folder where n8n is installed
 */
export function engineFor(
	folder: string,
	machine = `${process.platform}-${process.arch}`,
): Record<string, string> {
	const compiled = join(folder, 'node_modules/isolated-vm/prebuilds');
	const needsAnother = existsSync(compiled) && !existsSync(join(compiled, machine));
	return needsAnother ? { N8N_EXPRESSION_ENGINE: 'legacy' } : {};
}

/** Environment variables that n8n inherits from this process. They must not include settings of another n8n. */
const INHERITED = ['PATH', 'HOME', 'USER', 'USERPROFILE', 'SYSTEMROOT', 'LANG', 'TMPDIR', 'TEMP', 'TMP'];

/** The path of the Node.js among n8n's packages, which was installed for this platform. */
export function hostNode(): string {
	const { optionalDependencies } = JSON.parse(readFileSync(join(HOST, 'package.json'), 'utf8')) as {
		optionalDependencies: Record<string, string>;
	};
	const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
	const found = Object.keys(optionalDependencies)
		.map((name) => join(HOST, 'node_modules', name, file))
		.find((path) => existsSync(path));
	if (found) return found;
	if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
	throw new Error(
		`n8n needs Node.js 24, and host/n8n/package.json has no package of it for ${process.platform} ${process.arch}. Run this with Node.js 24.`,
	);
}

/** The command that runs n8n's image on this machine's network, with its state in the user folder. */
function inImage(image: string, userFolder: string, env: Record<string, string>): string[] {
	const { uid, gid } = userInfo();
	const settings = {
		// Paths and lists of the installed n8n mean nothing in there.
		...omit(env, [...INHERITED, 'NODE_COMPILE_CACHE', 'N8N_DISABLED_MODULES', 'N8N_EXPRESSION_ENGINE']),
		HOME: userFolder,
		// From 3.0 on, n8n loads unverified packages only with this setting.
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	};
	return [
		...[
			'docker',
			'run',
			'--rm',
			'--network=host',
			`--user=${uid}:${gid}`,
			`--volume=${userFolder}:${userFolder}`,
		],
		...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
		image,
	];
}

/** The last lines of a text file. */
export async function lastLinesOf(file: string, count: number): Promise<string> {
	return (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-count).join('\n');
}

/** Whether n8n ended because another process had taken its port, or that of its task runners. */
const hasLostPort = (said: string) => /port \d+ is already in use/i.test(said);

/** Starts n8n and returns when it is ready to work. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	await mkdir(options.userFolder, { recursive: true });
	return await onFreePort(options.port ? [options.port] : OWN_PORTS, async (port) => {
		const n8n = new N8n(options, port, await freePort(OWN_PORTS));
		await n8n.start();
		return n8n;
	});
}

export class N8n {
	/** Base URL without a slash at the end. */
	readonly url: string;
	/** File with the process's output, across all its starts. */
	readonly logFile: string;
	readonly userFolder: string;
	readonly #mode: Mode;
	readonly #port: number;
	/** Port for the task runners, which run "Code" nodes. */
	readonly brokerPort: number;
	readonly #env: Record<string, string>;
	readonly #stop?: AbortSignal;
	readonly #stoppedWithinMs: number;
	readonly #onSpawn: N8nOptions['onSpawn'];
	readonly #program: string;
	#child?: ResultPromise;
	#stopping = false;

	constructor(options: N8nOptions, port: number, brokerPort: number) {
		const { userFolder, mode = 'main', env = {}, stop, stoppedWithinMs = STOPPED_WITHIN_MS } = options;
		this.url = `http://127.0.0.1:${port}`;
		this.logFile = join(userFolder, mode === 'main' ? 'n8n.log' : `n8n-${mode}-${port}.log`);
		this.userFolder = userFolder;
		this.#mode = mode;
		this.#port = port;
		this.brokerPort = brokerPort;
		this.#env = env;
		this.#stop = stop;
		this.#stoppedWithinMs = stoppedWithinMs;
		this.#onSpawn = options.onSpawn;
		this.#program = options.program ?? PROGRAM;
	}

	get pid(): number | undefined {
		return this.#child?.pid;
	}

	/** Starts the process (again) with the same port and data. */
	async start(): Promise<void> {
		this.#stop?.throwIfAborted();
		const command = { main: 'start', worker: 'worker', webhook: 'webhook' }[this.#mode];
		// n8n writes to the file directly: with a full pipe, n8n would endlessly try to log that it can't log.
		const file = await open(this.logFile, 'a');
		const { size: logged } = await file.stat();
		const log = file.createWriteStream();
		const child = this.#spawn([command], this.#environment(), { stdout: log, stderr: log });
		log.destroy();
		this.#child = child;
		if (child.pid) this.#onSpawn?.(child.pid);
		this.#stopping = false;
		let ended = false;
		void child.then(() => (ended = true));
		if (this.#stop) {
			endWithUs(child);
			const onAbort = () => void this.stop();
			this.#stop.addEventListener('abort', onAbort);
			void child.then(() => this.#stop?.removeEventListener('abort', onAbort));
		}
		try {
			await waitFor(async () => await this.#isReady(ended, logged), {
				interval: 100,
				timeout: READY_WITHIN_MS,
			});
		} catch (error) {
			await this.kill();
			this.#stop?.throwIfAborted();
			if (!(error instanceof TimedOut)) throw error;
			throw new UserError(
				`n8n was not ready within ${READY_WITHIN_MS / 1000} seconds. Its log, ${this.logFile}, ends with:\n${await this.lastLines()}`,
			);
		}
	}

	/** @param logged the size of the log before this start */
	async #isReady(ended: boolean, logged: number): Promise<boolean> {
		const said = async () => (await readFile(this.logFile)).subarray(logged).toString();
		if (ended) {
			const Reason = hasLostPort(await said()) ? PortTaken : UserError;
			throw new Reason(
				`n8n ended while it was starting. Its log, ${this.logFile}, ends with:\n${await this.lastLines()}`,
			);
		}
		// Older versions of n8n report "ready" before the editor's API is available.
		const hasEditor = this.#mode === 'main' && this.#env.N8N_DISABLE_UI !== 'true';
		for (const path of ['healthz/readiness', ...(hasEditor ? ['rest/settings'] : [])]) {
			// Ignores a proxy that the environment may name.
			const request = { validateStatus: () => true, proxy: false } as const;
			const answer = await axios.get(`${this.url}/${path}`, request).catch(notListening);
			if (answer?.status !== 200) return false;
		}
		// Another n8n may have taken the port and answer there, shortly before this one ends.
		return new RegExp(`(ready on .*|listening on) port ${this.#port}\\b`).test(await said());
	}

	/** Runs one of n8n's commands on this n8n's data, e.g. `cli('execute', '--id=…')`; returns what it printed. */
	async cli(...args: string[]): Promise<string> {
		return await onFreePort(OWN_PORTS, async (port) => {
			const env = { ...this.#environment(), N8N_RUNNERS_BROKER_PORT: String(port) };
			const { exitCode, all } = await this.#spawn(args, env);
			const said = String(all);
			if (exitCode === 0) return said;
			const Reason = hasLostPort(said) ? PortTaken : Error;
			throw new Reason(`n8n ${args.join(' ')} ended with exit code ${exitCode}:\n${said}`);
		});
	}

	/** Stops the process gracefully. */
	async stop(): Promise<void> {
		// A second signal would end n8n at once.
		if (!this.#stopping) this.#child?.kill('SIGTERM');
		this.#stopping = true;
		await this.#child;
		// n8n ends its own child processes, unless it was killed; then they are killed here.
		if (this.#stop) signalGroup(this.#child?.pid, 'SIGKILL');
	}

	/** Kills the process, as a crash does. */
	async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
		this.#child?.kill(signal);
		await this.#child;
		if (this.#stop) signalGroup(this.#child?.pid, 'SIGKILL');
	}

	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	/** Resolves when the process has ended, for whatever reason. */
	async ended(): Promise<void> {
		await this.#child;
	}

	/** The last lines of the log. */
	async lastLines(count = 20): Promise<string> {
		return await lastLinesOf(this.logFile, count);
	}

	#spawn(args: string[], env: Record<string, string>, output: Pick<Options, 'stdout' | 'stderr'> = {}) {
		const [program, ...before] = TESTED_IMAGE
			? inImage(TESTED_IMAGE, this.userFolder, env)
			: [hostNode(), this.#program];
		return execa(program, [...before, ...args], {
			cwd: ROOT,
			env,
			extendEnv: false,
			stdin: 'ignore',
			all: true,
			reject: false,
			forceKillAfterDelay: this.#stoppedWithinMs,
			...(this.#stop && OWN_GROUP),
			...output,
		});
	}

	#environment(): Record<string, string> {
		const inherited = INHERITED.flatMap((name) => {
			const value = process.env[name];
			return value === undefined ? [] : [[name, value]];
		});
		const port = String(this.#port);
		return {
			...(Object.fromEntries(inherited) as Record<string, string>),
			...SETTINGS,
			...engineFor(N8N_FOLDER),
			N8N_USER_FOLDER: this.userFolder,
			N8N_PORT: port,
			N8N_RUNNERS_BROKER_PORT: String(this.brokerPort),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: port,
			...this.#env,
		};
	}
}

/** Ignores a refused connection, because n8n doesn't listen yet; any other error is a failure. */
function notListening(error: unknown): undefined {
	if (!axios.isAxiosError(error)) throw error;
}
