/** A client of a running n8n's APIs, signed in as the owner. */
import { Agent } from 'node:http';
import axios, { type AxiosBasicCredentials, type AxiosInstance, type AxiosResponse } from 'axios';
import difference from 'lodash/difference.js';
import type { IBinaryData, IDataObject, INode, IRunExecutionData, IWorkflowBase } from 'n8n-workflow';
import { waitFor } from '../scripts/base/waiting.mjs';

/** The owner's account of a new n8n. */
export interface Owner {
	email: string;
	firstName: string;
	lastName: string;
	password: string;
}

/** The owner of an n8n that only the tests use. */
export const OWNER: Owner = {
	email: 'demo@accounting-gateway.example',
	firstName: 'Demo',
	lastName: 'Accountant',
	password: 'Accounting-Demo-1',
};

const API_KEY_LABEL = 'n8n-nodes-accounting-gateway';

export interface Credential {
	name: string;
	type: string;
	data: IDataObject;
}

/** A credential in n8n, without its data. */
export interface StoredCredential extends Pick<Credential, 'name' | 'type'> {
	id: string;
	/** When it was last changed. */
	updatedAt: string;
}

export type WorkflowFile = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings' | 'pinData'>;

/** A workflow in n8n: what its editor shows, and what is published, if it is. */
export interface StoredWorkflow extends WorkflowFile {
	id: string;
	active: boolean;
	activeVersionId?: string | null;
	isArchived?: boolean;
	/** Older versions of n8n publish what the editor shows. */
	activeVersion?: Pick<WorkflowFile, 'nodes' | 'connections'> | null;
}

/** An execution with its data, as n8n's public API returns it. */
export interface Execution {
	id: number;
	status: 'success' | 'error' | 'canceled' | 'crashed' | 'running' | 'new' | 'waiting' | 'unknown';
	workflowId: string;
	data: IRunExecutionData;
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** Whether an execution is over. */
export const hasEnded = ({ status }: Pick<Execution, 'status'>): boolean => !UNFINISHED.includes(status);

/**
 * Signs in as the owner.
 * @param url of the n8n, without a slash at the end
 * @param keyLabel names the API key that is created; an older key of that name is revoked
 */
export async function signIn(url: string, owner = OWNER, keyLabel = API_KEY_LABEL): Promise<N8nClient> {
	const rest = createAxios(`${url}/rest`, { cookie: (await openSession(url, owner)).join('; ') });
	const api = createAxios(`${url}/api/v1`, { 'x-n8n-api-key': await createApiKey(rest, keyLabel) });
	return new N8nClient(rest, api);
}

/**
 * Begins a session of the owner. A new n8n, which must have its editor, gets the owner's account first.
 * @param url of the n8n, without a slash at the end
 * @returns the session's cookies, as `name=value`
 */
export async function openSession(url: string, owner = OWNER): Promise<string[]> {
	const rest = createAxios(`${url}/rest`);
	// n8n without its editor returns no settings; its owner already exists.
	const { data: settings } = await rest.get('settings', {
		validateStatus: (code) => [200, 404].includes(code),
	});
	const { headers } = settings.data?.userManagement.showSetupOnFirstLoad
		? await rest.post('owner/setup', owner)
		: await rest.post('login', { emailOrLdapLoginId: owner.email, password: owner.password });
	return (headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]);
}

/** A new API key with all rights, replacing the one from an earlier sign-in. */
async function createApiKey(rest: AxiosInstance, keyLabel: string): Promise<string> {
	const { data: scopes } = await rest.get('api-keys/scopes');
	return await createKey(rest, keyLabel, scopes.data);
}

async function createKey(rest: AxiosInstance, keyLabel: string, scopes: string[]): Promise<string> {
	const { data: keys } = await rest.get('api-keys');
	for (const { id, label } of keys.data.items ?? keys.data) {
		if (label === keyLabel) await rest.delete(`api-keys/${id}`);
	}
	const { data } = await rest.post('api-keys', { label: keyLabel, scopes, expiresAt: null });
	return data.data.rawApiKey;
}

export class N8nClient {
	constructor(
		/** The editor's internal API, authenticated by the session. */
		readonly rest: AxiosInstance,
		/** The public API, authenticated by an API key. */
		readonly api: AxiosInstance,
	) {}

	/** Creates a key for n8n's public API, for workflows that read n8n's own data. Revokes an older key with that label. */
	async createKey(label: string, scopes: string[]): Promise<string> {
		return await createKey(this.rest, label, scopes);
	}

	/** All credentials, without their data. */
	async credentials(): Promise<StoredCredential[]> {
		const { data: list } = await this.rest.get('credentials');
		return list.data;
	}

	/** Stores a credential, or replaces the one with the same name and type. Returns its ID. */
	async importCredential(credential: Credential): Promise<string> {
		const existing = (await this.credentials()).find(
			({ name, type }) => name === credential.name && type === credential.type,
		);
		return await this.storeCredential(credential, existing?.id);
	}

	/** Stores a new credential, or replaces the one with this ID. Returns its ID. */
	async storeCredential(credential: Credential, id?: string): Promise<string> {
		const { data } = id
			? await this.rest.patch(`credentials/${id}`, credential)
			: await this.rest.post('credentials', credential);
		return data.data.id;
	}

	/**
	 * Tests a credential as the editor does when it is saved; older versions of n8n accept only those that have an ID.
	 */
	async testCredential(
		credential: Credential & { id?: string },
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		const { data } = await this.rest.post('credentials/test', { credentials: { id: '', ...credential } });
		return data.data;
	}

	/** The workflow of that name. */
	async findWorkflow(name: string): Promise<(WorkflowFile & { id: string }) | undefined> {
		const { data } = await this.api.get('workflows', { params: { name } });
		return data.data.find((workflow: WorkflowFile) => workflow.name === name);
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		const { data } = await this.api.get(`workflows/${id}`);
		return data;
	}

	/** Returns the new workflow's ID. */
	async importWorkflow(file: WorkflowFile): Promise<string> {
		const { name, nodes, connections, settings = {}, pinData } = file;
		const { data } = await this.api.post('workflows', { name, nodes, connections, settings, pinData });
		return data.id;
	}

	async activate(workflowId: string): Promise<void> {
		await this.api.post(`workflows/${workflowId}/activate`, {});
	}

	/** Publishes a workflow unless it is published. */
	async publish(workflowId: string): Promise<void> {
		const { active } = await this.workflow(workflowId);
		if (!active) await this.activate(workflowId);
	}

	/**
	 * Whether n8n has published a workflow, with all its triggers, and has nothing left to do for it. `undefined` if n8n doesn't
	 * tell: an older version, or one that publishes the older way.
	 */
	async isPublished(workflowId: string): Promise<boolean | undefined> {
		const { status, data } = await this.rest.get(`workflows/${workflowId}/publication-status`, {
			validateStatus: (one) => one === 200 || one === 404,
		});
		return status === 200 ? data.data.status === 'published' : undefined;
	}

	/** The IDs of a workflow's newest executions. */
	async executionIds(workflowId: string): Promise<string[]> {
		const { data } = await this.api.get('executions', { params: { workflowId, limit: 250 } });
		return (data.data as Array<{ id: string }>).map(({ id }) => id);
	}

	/**
	 * Waits until n8n lists new executions of a workflow.
	 * @param earlier the IDs that n8n listed before
	 * @returns the IDs when first seen: n8n lists an execution when it is created, but not while it is running
	 */
	async startedSince(workflowId: string, earlier: string[], timeout: number): Promise<string[]> {
		const started = async () => {
			const ids = difference(await this.executionIds(workflowId), earlier);
			return ids.length > 0 && ids;
		};
		const message = () => `n8n started no execution within ${timeout / 1000} seconds.`;
		return await waitFor(started, { interval: 200, timeout, message });
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.api.post(`workflows/${workflowId}/deactivate`, {});
	}

	/** Runs a workflow from its manual trigger, as the editor's button does, and waits for the end. */
	async run(workflowId: string, timeout = 120_000): Promise<Execution> {
		return await this.execution(await this.start(workflowId), timeout);
	}

	/** Starts a workflow from its manual trigger. Returns the execution's ID. */
	async start(workflowId: string): Promise<string> {
		const workflow = await this.workflow(workflowId);
		const trigger = manualTrigger(workflow);
		if (!trigger) throw new Error(`The workflow "${workflow.name}" has no manual trigger.`);
		const { data } = await this.rest.post(`workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: trigger.name },
			// Older versions of n8n run the workflow in the request, not the stored one.
			workflowData: workflow,
		});
		return data.data.executionId;
	}

	/** Waits until an execution has the status "waiting", e.g. for a form. */
	async waiting(id: string, timeout: number): Promise<void> {
		const isWaiting = async () => {
			const { data } = await this.api.get(`executions/${id}`);
			if (hasEnded(data)) {
				const { error } = (await this.execution(id)).data.resultData;
				const why = error ? `: ${error.message}` : '';
				throw new Error(`The execution ${id} has ended ("${data.status}") instead of waiting${why}`);
			}
			return data.status === 'waiting';
		};
		await waitFor(isWaiting, { interval: 100, timeout });
	}

	/** Retries a failed execution as the editor's button does, and waits for the end. */
	async retry(executionId: string | number, { withCurrentWorkflow = false } = {}): Promise<Execution> {
		const { data } = await this.rest.post(`executions/${executionId}/retry`, {
			loadWorkflow: withCurrentWorkflow,
		});
		return await this.execution(data.data.id);
	}

	/**
	 * Sends a published form as a browser does. Returns the page that is shown at the end.
	 * @param path of the form, below `/form/`
	 * @param auth of the form, if it has a password
	 * @param pages the values of its further pages
	 */
	async submitForm(
		path: string,
		data: FormData,
		auth?: AxiosBasicCredentials,
		pages: FormData[] = [],
	): Promise<string> {
		const origin = new URL(this.rest.defaults.baseURL as string).origin;
		const form = `${origin}/form/${path}`;
		// n8n answers the request to publish before the form is available.
		const isThere = async () =>
			(await axios.get(form, { auth, proxy: false, validateStatus: () => true })).status === 200;
		await waitFor(isThere, { interval: 100 });
		const answer = await this.postForm(form, data, auth);
		if (typeof answer === 'string') return answer;
		const page = answer.formWaitingUrl;
		// A form that responds when its workflow ends returns the last item.
		if (!page) return JSON.stringify(answer);
		const status = new URL(page);
		status.pathname += '/n8n-execution-status';
		const isShown = async () =>
			!['running', 'new'].includes((await axios.get(status.href, { proxy: false })).data);
		await waitFor(isShown, { interval: 200 });
		for (const values of pages) {
			await axios.post(page, values, { proxy: false });
			await waitFor(isShown, { interval: 200 });
		}
		const { data: shown } = await axios.get(page, { proxy: false });
		// The last page tells n8n that it has been shown, which ends the execution.
		await axios.post(page, undefined, { proxy: false });
		return String(shown);
	}

	/** Sends a form, again after 404: n8n shows the page a moment before it accepts the form. A 404 starts no workflow. */
	private async postForm(
		form: string,
		data: FormData,
		auth?: AxiosBasicCredentials,
	): Promise<string | { formWaitingUrl?: string }> {
		let answer: AxiosResponse;
		const isTaken = async () => {
			answer = await axios.post(form, data, {
				auth,
				proxy: false,
				validateStatus: (status) => status < 400 || status === 404,
			});
			return answer.status !== 404;
		};
		await waitFor(isTaken, { interval: 100 });
		return answer!.data;
	}

	/** Downloads a file from a node's output. */
	async download({ id, data }: IBinaryData): Promise<Buffer> {
		if (!id) return Buffer.from(data, 'base64');
		const params = { id, action: 'download' };
		const answer = await this.rest.get('binary-data', { params, responseType: 'arraybuffer' });
		return Buffer.from(answer.data);
	}

	/** Waits until an execution has ended. */
	async execution(id: string | number, timeout = 120_000): Promise<Execution> {
		let execution: Execution | undefined;
		const isOver = async () => {
			const { data } = await this.api.get(`executions/${id}`, { params: { includeData: true } });
			execution = data as Execution;
			// Older versions of n8n store the status before the data.
			return hasEnded(execution) && (execution.status !== 'success' || execution.data !== undefined);
		};
		await waitFor(isOver, { interval: 200, timeout });
		return execution as Execution;
	}
}

/** The node that starts a workflow when someone clicks "Execute workflow". */
export const manualTrigger = ({ nodes }: Pick<WorkflowFile, 'nodes'>): INode | undefined =>
	nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');

/** An HTTP client whose errors include n8n's message. */
function createAxios(baseURL: string, headers = {}): AxiosInstance {
	// n8n closes connections that were idle for 5 s, on a busy machine even while the next request is on its way.
	const httpAgent = new Agent({ keepAlive: false });
	const client = axios.create({ baseURL, headers, proxy: false, httpAgent });
	client.interceptors.response.use(undefined, (error: unknown) => {
		if (!axios.isAxiosError(error) || !error.response) throw error;
		const { status, data } = error.response;
		const { method = '', url } = error.config ?? {};
		const said = data?.message ?? JSON.stringify(data);
		throw new Error(`n8n answered ${status} to ${method.toUpperCase()} ${url}: ${said}`);
	});
	return client;
}
