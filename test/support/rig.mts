/** A real n8n with the package installed, the test's own sandbox gateway, and a credential that connects them. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import axios from 'axios';
import { inject } from 'vitest';

import { type Execution, hasEnded, type N8nClient, OWNER, signIn } from '../../host/client.mjs';
import { type N8n, startN8n } from '../../host/n8n.mjs';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.mjs';
import { storeCredential } from '../../demo/demo.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';
import { loading, PATIENT_REGEX } from '../../host/intoN8n.mjs';
import { createUserFolder } from './preparedN8n.mjs';

declare module 'vitest' {
	interface ProvidedContext {
		/** Path of the packed package. */
		tarball: string;
		/** Path of an n8n user folder with the database set up and an owner account. */
		template: string;
		/** URL of the n8n that the tests in test/e2e/shared and test/browser share. */
		sharedN8n: string;
		/** The path of its log; only in these tests. */
		sharedLog?: string;
		/** Lists the addresses off this machine that the shared n8n has connected to. */
		connectionsFile: string;
	}
}

/**
 * Settings of an n8n without editor, whose files take a third of n8n's startup, and without the process that runs "Code"
 * nodes, which takes a fifth: n8n waits for one that somebody else starts, and nobody does. The package's nodes use neither.
 */
export const LEAN = {
	N8N_DISABLE_UI: 'true',
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'nobody has it',
	// How long it waits for executions when it is stopped: 30 seconds otherwise.
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
	...loading(PATIENT_REGEX),
};

/** The test file's running instances of n8n. */
export const running = new Set<N8n>();

/** An entry of n8n's list of executions. */
export type ListedExecution = Pick<Execution, 'id' | 'status'> & { mode: string };

export interface RigOptions {
	sandbox?: SandboxOptions;
	/** Settings of n8n. */
	env?: Record<string, string>;
}

export class Rig {
	/** @internal Use `start` or `join`. */
	constructor(
		/** Without a slash at the end. */
		readonly n8nUrl: string,
		private readonly ownN8n: N8n | undefined,
		public client: N8nClient,
		public sandbox: Sandbox,
		/** As nodes refer to the credential. */
		readonly credential: { id: string; name: string },
	) {}

	/**
	 * Starts the test's own n8n, which it may stop, kill and restart. It has no editor unless `env` sets `N8N_DISABLE_UI`
	 * to `false`, and runs no "Code" nodes unless it sets `N8N_RUNNERS_MODE` to `internal`.
	 */
	static async start<R extends Rig>(this: RigClass<R>, { sandbox, env }: RigOptions = {}): Promise<R> {
		const userFolder = await createUserFolder(inject('template'), inject('tarball'));
		const [n8n, gateway] = await Promise.all([
			startN8n({ userFolder, env: { ...LEAN, ...env } }),
			startSandbox(sandbox),
		]);
		try {
			const client = await signIn(n8n.url);
			running.add(n8n);
			return new this(n8n.url, n8n, client, gateway, await connect(client, gateway));
		} catch (error) {
			// Nobody else could end it.
			await Promise.all([n8n.kill(), gateway.close()]);
			throw error;
		}
	}

	/** Uses the n8n shared by several test files. Workflows need names and webhook paths that no other file uses. */
	static async join<R extends Rig>(
		this: RigClass<R>,
		{ sandbox }: Pick<RigOptions, 'sandbox'> = {},
	): Promise<R> {
		const url = inject('sharedN8n');
		const gateway = await startSandbox(sandbox);
		// A port, of which the gateway's URL is made, comes again.
		const client = await signIn(url, OWNER, `tests ${randomUUID()}`);
		return new this(url, undefined, client, gateway, await connect(client, gateway));
	}

	get n8n(): N8n {
		if (!this.ownN8n)
			throw new Error('This test shares its n8n with others: it may not stop it or read its files.');
		return this.ownN8n;
	}

	/** A node's reference to the credential. */
	get credentials() {
		return { accountingGatewayApi: this.credential };
	}

	async stop(): Promise<void> {
		await Promise.all([this.ownN8n?.stop(), this.sandbox.close()]);
		if (!this.ownN8n) return;
		running.delete(this.ownN8n);
		await rm(this.ownN8n.userFolder, { recursive: true, force: true });
	}

	/** Restarts n8n, gracefully or after a crash. */
	async restart(how: 'stop' | 'kill' = 'stop'): Promise<void> {
		await this.n8n[how]();
		await this.n8n.start();
		this.client = await signIn(this.n8nUrl);
	}

	/**
	 * Publishes a workflow and waits until n8n has done so: n8n answers before it publishes.
	 * @param path of a production webhook, below n8n's address: the sign where n8n doesn't tell
	 */
	async publishWebhook(workflowId: string, path: string): Promise<void> {
		await this.client.activate(workflowId);
		const isThere = async () => (await this.client.isPublished(workflowId)) ?? (await this.hasWebhook(path));
		await waitFor(isThere, { interval: 100 });
	}

	/** Whether a form exists, or a webhook for POST: on GET, n8n suggests the other method. */
	async hasWebhook(path: string): Promise<boolean> {
		const { status, data } = await axios.get(`${this.n8nUrl}/${path}`, { validateStatus: () => true });
		return status === 200 || /Did you mean to make a POST request/.test(data.message);
	}

	/** A workflow's latest finished executions, newest first. */
	async executions(workflowId: string): Promise<ListedExecution[]> {
		const { data } = await this.client.api.get('executions', { params: { workflowId, limit: 250 } });
		return (data.data as ListedExecution[]).filter(hasEnded);
	}

	/** Waits until a number of a workflow's executions have finished. Returns them, newest first. */
	async executionsEnded(workflowId: string, count: number): Promise<ListedExecution[]> {
		return await waitFor(
			async () => {
				const all = await this.executions(workflowId);
				return all.length === count && all;
			},
			{ interval: 100 },
		);
	}
}

type RigClass<R extends Rig> = new (...args: ConstructorParameters<typeof Rig>) => R;

/** Stores a credential for the sandbox. */
async function connect(client: N8nClient, sandbox: Sandbox) {
	const name = `Sandbox at ${sandbox.url}`;
	return { id: await storeCredential(client, sandbox, name), name };
}
