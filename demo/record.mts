/**
 * What `npm start` has put into an n8n, kept in n8n's user folder: whatever somebody has changed since is theirs, and is neither
 * replaced nor used.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credential, N8nClient, StoredCredential } from '../host/client.mjs';

/** The content of the record's file. */
interface Content {
	/** Whether the examples have been run in this n8n. */
	examplesHaveRun: boolean;
	/** ID and time of the last change of each credential, as it was stored; by type and name. */
	credentials: Record<string, Pick<StoredCredential, 'id' | 'updatedAt'>>;
}

type Identified = Pick<StoredCredential, 'name' | 'type'>;
type Client = Pick<N8nClient, 'credentials' | 'storeCredential'>;

const keyOf = ({ name, type }: Identified) => `${type} ${name}`;

export class StartRecord {
	readonly #file: string;
	readonly #content: Content;

	constructor(
		private readonly client: Client,
		userFolder: string,
	) {
		this.#file = join(userFolder, 'npm-start.json');
		this.#content = { examplesHaveRun: false, credentials: {}, ...readJson(this.#file) };
	}

	get examplesHaveRun(): boolean {
		return this.#content.examplesHaveRun;
	}

	noteExamplesRun(): void {
		this.#content.examplesHaveRun = true;
		this.#save();
	}

	/** Whether an earlier start has stored this credential, and somebody has changed it since. */
	async isChanged(credential: Identified): Promise<boolean> {
		return this.#hasChanged(credential, await this.#current(credential));
	}

	#hasChanged(credential: Identified, current?: StoredCredential): boolean {
		return current !== undefined && current.updatedAt !== this.#noted(credential)?.updatedAt;
	}

	/**
	 * Stores a credential, or replaces the one that an earlier start has stored.
	 * @returns its ID; undefined if somebody has changed it since, or uses its name for a credential of their own
	 */
	async importCredential(credential: Credential): Promise<string | undefined> {
		const current = await this.#current(credential);
		if (this.#hasChanged(credential, current)) return undefined;
		const id = await this.client.storeCredential(credential, current?.id);
		const { updatedAt } = (await this.client.credentials()).find((one) => one.id === id)!;
		this.#content.credentials[keyOf(credential)] = { id, updatedAt };
		this.#save();
		return id;
	}

	/** The IDs of the credentials that are as a start has stored them. */
	async ownCredentials(): Promise<string[]> {
		const noted = Object.values(this.#content.credentials);
		return (await this.client.credentials())
			.filter(({ id, updatedAt }) => noted.some((one) => one.id === id && one.updatedAt === updatedAt))
			.map(({ id }) => id);
	}

	#noted(credential: Identified) {
		return this.#content.credentials[keyOf(credential)] as Content['credentials'][string] | undefined;
	}

	/** The credential in n8n: the one that was stored, whatever its name is by now, or else one with its name. */
	async #current(credential: Identified): Promise<StoredCredential | undefined> {
		const noted = this.#noted(credential)?.id;
		const all = await this.client.credentials();
		return all.find(({ id }) => id === noted) ?? all.find((one) => keyOf(one) === keyOf(credential));
	}

	#save(): void {
		writeFileSync(this.#file, JSON.stringify(this.#content, null, '\t'));
	}
}

function readJson(file: string): Partial<Content> {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as Partial<Content>;
	} catch {
		return {};
	}
}
