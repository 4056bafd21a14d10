import { sleep } from 'n8n-workflow';
import { findLast, findLastIndex, last, pull, remove } from 'lodash';

import type { Failure } from '../../shared/errors/failure';
import { serialize } from '../../shared/run/concurrency';
import type { Gateway, GatewayIdentity, GatewayRequest, SendResult } from '../../shared/gateway/request';
import type { Entry, Stale, Trigger } from './entry';
import {
	IN_TEST,
	logClearing,
	logLeftAlone,
	logNotRestored,
	logRegistered,
	logRestored,
	logSetByHand,
	logTestEnded,
	logTestStarted,
	TAKEN_OVER,
	UNFINISHED,
	UNKNOWN,
} from './registrationLog';
import { clearUrlRequest, setUrlRequest } from './webhookUrlRequest';

/** Seconds. n8n retries an activation by itself, and a deactivation must not take long. */
const TIMEOUT = 15;
/**
 * How long a URL stays registered after n8n has called `delete`. To publish a changed version, n8n calls `delete` and,
 * some database steps later, `create`; to unpublish it calls `delete` in just the same way, and nothing after it. A
 * longer wait would be worse: another n8n may register the account's URL in the meantime, and this one wouldn't know.
 */
export const CLEAR_AFTER_MS = 5_000;
/** Seconds before the first retry of a failed restore; the pauses double, up to the longest. */
export const FIRST_PAUSE = 1;
export const LONGEST_PAUSE = 300;
/** How long a restore is retried. */
const RESTORE_FOR_MS = 24 * 60 * 60 * 1000;
/** How long n8n may take until it repeats an activation that failed. It does so after 1, 2, 4 and 8 seconds. */
export const REPEAT_WITHIN_MS = 20_000;

/**
 * The webhook URLs that this process has given to a gateway. An account has one, and the gateway can't be asked for it.
 * Every request that sets or clears a URL waits for its turn here, and only then decides what to do.
 *
 * The entries are a stack, in the order in which the gateway got them: each account has the topmost of its own. Two API
 * keys may belong to two accounts or to one; what is done here is right in both cases. For example, when a test ends,
 * what its account had before is set again, and then everything above that came from other keys.
 */
export class WebhookRegistration {
	/** By base URL. */
	private static readonly gateways = new Map<string, WebhookRegistration>();
	/** Triggers whose activation is running or has failed: the gateway may still have the URL of the previous version. */
	private static readonly unfinished = new Set<string>();

	private readonly entries: Entry[] = [];
	private readonly unrestored: Stale[] = [];
	/** Number of the current series of repetitions; those before it end. */
	private series = 0;
	private readonly inTurn = serialize();

	/** The registration at a gateway. */
	static at({ baseUrl }: GatewayIdentity): WebhookRegistration {
		const registration = this.gateways.get(baseUrl) ?? new WebhookRegistration();
		this.gateways.set(baseUrl, registration);
		return registration;
	}

	/** Call this as soon as n8n activates a trigger: what is registered is not cleared until `publish` has succeeded. */
	static beginActivation(trigger: Trigger): void {
		this.unfinished.add(keyOf(trigger));
	}

	/** Registers the URL of a trigger that is being published. */
	async publish(trigger: Trigger, gateway: Gateway, url: string, urlField?: string): Promise<SendResult> {
		const request = setUrlRequest(url, urlField);
		return await this.inTurn(async () => {
			const result = await gateway.send(request, TIMEOUT);
			const account = gateway.identity;
			const replaced = this.setOnTop({ state: 'published', account, request, gateway, trigger }, result);
			if (result.ok) {
				WebhookRegistration.unfinished.delete(keyOf(trigger));
				logRegistered(trigger, replaced);
			} else if (result.failure.outcome === 'unknown') void this.giveBackLater(trigger, gateway, request);
			return result;
		});
	}

	/**
	 * The answer to registering a published URL was lost. Unless n8n repeats that soon, the trigger isn't published, and the
	 * gateway must not go on delivering to it what belongs to another workflow.
	 */
	private async giveBackLater(trigger: Trigger, gateway: Gateway, request: GatewayRequest): Promise<void> {
		await sleep(REPEAT_WITHIN_MS);
		const pause = await this.inTurn(async () => {
			const lost = this.entries.find((entry) => entry.request === request);
			const isOthers = (entry: Entry) =>
				entry.state === 'published' && entry.trigger?.workflowId !== trigger.workflowId;
			if (!lost || !this.entries.some((entry) => isOthers(entry) && isSameAccount(entry, lost))) {
				return undefined;
			}
			this.unrestored.push({ ...lost, trigger, gateway, since: Date.now() });
			return await this.restore(FIRST_PAUSE);
		});
		if (pause !== undefined) void this.repeatRestore(pause);
	}

	/** Sets a URL by the operation "Webhook: Set URL". */
	async setByHand(
		account: GatewayIdentity,
		request: GatewayRequest,
		send: () => Promise<SendResult>,
	): Promise<SendResult> {
		return await this.inTurn(async () => {
			const result = await send();
			const replaced = this.setOnTop({ state: 'setByHand', account, request }, result);
			if (result.ok) logSetByHand(replaced);
			return result;
		});
	}

	/** Registers the test URL of a trigger. If the outcome is unknown, what was there before is restored at once. */
	async startTest(trigger: Trigger, gateway: Gateway, url: string, urlField?: string): Promise<SendResult> {
		const request = setUrlRequest(url, urlField);
		return await this.inTurn(async () => {
			const earlier = this.testOf(trigger);
			const test: Entry = { state: 'testing', account: gateway.identity, request, gateway, trigger };
			// Before the request: its answer may be lost.
			this.entries.push(test);
			const result = await gateway.send(request, TIMEOUT);
			if (!result.ok && result.failure.outcome !== 'unknown') {
				pull(this.entries, test);
				return result;
			}
			if (earlier) pull(this.entries, earlier);
			if (result.ok) {
				remove(this.unrestored, (stale) => isSameAccount(stale, test));
				const isSoleUrl = !this.entries.some((one) => one.state !== 'testing' && isSureOf(test, one));
				logTestStarted(trigger, isSoleUrl);
			} else {
				// Not awaited, so that the person who tests gets the error first.
				void this.endTest(trigger);
			}
			return result;
		});
	}

	/** Ends the test of a trigger, if it has one. Resolves after the first attempt to restore what its account had before. */
	static async endTest(trigger: Trigger): Promise<void> {
		await Promise.all([...this.gateways.values()].map(async (one) => await one.endTest(trigger)));
	}

	private async endTest(trigger: Trigger): Promise<void> {
		const pause = await this.inTurn(async () => {
			const test = this.testOf(trigger);
			if (!test) return undefined;
			const above = this.entries.slice(this.entries.indexOf(test) + 1);
			pull(this.entries, test);
			if (above.some((entry) => isSureOf(test, entry))) {
				logTestEnded(trigger);
				return undefined;
			}
			this.unrestored.push({ ...(test as Required<Entry>), since: Date.now() });
			return await this.restore(FIRST_PAUSE);
		});
		if (pause !== undefined) void this.repeatRestore(pause);
	}

	/** @param pause seconds before the first repetition */
	private async repeatRestore(pause: number): Promise<void> {
		const series = ++this.series;
		for (let seconds: number | undefined = pause; seconds !== undefined; ) {
			const next: number = 2 * seconds;
			await sleep(seconds * 1000);
			seconds = await this.inTurn(async () =>
				series === this.series ? await this.restore(next) : undefined,
			);
		}
	}

	/**
	 * Restores what the accounts in `unrestored` had before. Call it in turn.
	 * @param pause seconds until the next attempt, if this one fails
	 * @returns that pause, or a longer one that the gateway asks for; `undefined` if there is nothing left to do
	 */
	private async restore(pause: number): Promise<number | undefined> {
		let wait = 0;
		for (const stale of [...this.unrestored]) {
			const before = findLastIndex(this.entries, (entry) => isSureOf(stale, entry));
			const known: Entry | undefined = this.entries[before];
			const wanted: Entry[] = [
				known ?? { ...stale, state: 'cleared', request: clearUrlRequest(stale.request) },
				...this.entries.slice(before + 1).filter(({ state, gateway }) => state !== 'uncertain' && gateway),
			];
			const failures: Failure[] = [];
			for (const entry of wanted) {
				// For the same account, `stale` has the newer one: the API key in the credential may have been replaced since.
				const { gateway } = isSameAccount(entry, stale) ? stale : entry;
				const result = await gateway?.send(entry.request, TIMEOUT);
				if (result?.ok === false) failures.push(result.failure);
			}
			if (failures.length === 0) {
				pull(this.unrestored, stale);
				remove(this.entries, (entry) => entry.state === 'uncertain' && isSameAccount(entry, stale));
				logRestored(stale, wanted, known);
				continue;
			}
			const isOver = Date.now() - stale.since >= RESTORE_FOR_MS;
			const asked = Math.max(pause, ...failures.map(({ retryAfter = 0 }) => retryAfter));
			const next = isOver ? undefined : Math.min(asked, LONGEST_PAUSE);
			logNotRestored(stale, wanted, failures, next);
			if (next === undefined) pull(this.unrestored, stale);
			else wait = Math.max(wait, next);
		}
		return wait || undefined;
	}

	/**
	 * Clears the URL of a trigger that n8n has taken down: a few seconds later, if the gateway certainly still has it and
	 * the trigger isn't published again. A leftover URL only answers 404; clearing the wrong one loses events.
	 * @param gateway with the API key that is in the credential now, if it can be read
	 */
	static unpublish(trigger: Trigger, gateway?: Gateway): void {
		const found = [...this.gateways.values()].filter((registration) =>
			registration.entries.some(
				(entry) => (entry.state === 'published' || entry.state === 'clearing') && isOf(entry, trigger),
			),
		);
		if (found.length === 0) logLeftAlone(trigger, UNKNOWN);
		for (const registration of found) registration.unpublish(trigger, gateway);
	}

	private unpublish(trigger: Trigger, gateway?: Gateway): void {
		for (const entry of this.entries) {
			// If it is already being cleared, that continues.
			if (entry.state !== 'published' || !isOf(entry, trigger)) continue;
			entry.state = 'clearing';
			void this.clearLater(entry, trigger, gateway);
		}
	}

	private async clearLater(entry: Entry, trigger: Trigger, gateway?: Gateway): Promise<void> {
		await sleep(CLEAR_AFTER_MS);
		await this.inTurn(async () => await this.clear(entry, trigger, gateway));
	}

	/** Nothing here may need n8n's expression engine: n8n removes it when `delete` has returned. */
	private async clear(entry: Entry, trigger: Trigger, current?: Gateway): Promise<void> {
		if (this.entries.some((one) => one.state === 'published' && isOf(one, trigger))) {
			pull(this.entries, entry);
			return trigger.logger.debug(
				`The webhook URL of ${trigger.name} was left in place: it was published again.`,
			);
		}
		if (WebhookRegistration.isUnfinished(trigger)) {
			entry.state = 'published';
			return logLeftAlone(trigger, UNFINISHED);
		}
		const top = last(this.entries);
		if (top !== entry) {
			pull(this.entries, entry);
			return logLeftAlone(trigger, top?.state === 'testing' ? IN_TEST : TAKEN_OVER);
		}
		const isCurrent = current && isSameAccount({ account: current.identity }, entry);
		const gateway = (isCurrent ? current : entry.gateway) as Gateway;
		const request = clearUrlRequest(entry.request);
		const result = await gateway.send(request, TIMEOUT);
		pull(this.entries, entry);
		this.entries.push({ state: 'cleared', account: gateway.identity, request, gateway });
		logClearing(trigger, result);
	}

	/** Whether the activation of any trigger of a workflow is running or has failed. */
	private static isUnfinished({ workflowId }: Trigger): boolean {
		return [...this.unfinished].some((key) => key.startsWith(`${workflowId}/`));
	}

	/**
	 * Records a request that sets a URL until further notice.
	 * @returns the entries that it has replaced; tests aren't replaced, since they end by themselves
	 */
	private setOnTop(entry: Entry, result: SendResult): Entry[] {
		if (result.ok) {
			const replaced = remove(this.entries, (one) => one.state !== 'testing' && isSameAccount(one, entry));
			remove(this.unrestored, (stale) => isSameAccount(stale, entry));
			this.entries.push(entry);
			return replaced;
		}
		if (result.failure.outcome === 'unknown') {
			remove(this.entries, (one) => one.state === 'uncertain' && isSameAccount(one, entry));
			this.entries.push({ ...entry, state: 'uncertain' });
		}
		return [];
	}

	private testOf(trigger: Trigger): Entry | undefined {
		return findLast(this.entries, (entry) => entry.state === 'testing' && isOf(entry, trigger));
	}
}

const keyOf = ({ workflowId, nodeId }: Trigger) => `${workflowId}/${nodeId}`;

const isOf = (entry: Entry, trigger: Trigger) =>
	entry.trigger !== undefined && keyOf(entry.trigger) === keyOf(trigger);

type OfAccount = Pick<Entry, 'account'>;

/** Whether two entries certainly belong to one account: by the API key, or by the credential, whose key may be replaced. */
function isSameAccount({ account: a }: OfAccount, { account: b }: OfAccount): boolean {
	const isSameCredential = a.credentialId !== undefined && a.credentialId === b.credentialId;
	return a.baseUrl === b.baseUrl && (a.apiKey === b.apiKey || isSameCredential);
}

/** Whether the gateway has certainly got an entry, for the account of another one. */
const isSureOf = (other: OfAccount, entry: Entry) =>
	entry.state !== 'uncertain' && isSameAccount(other, entry);
