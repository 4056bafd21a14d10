/**
 * What can go wrong while four records are written, at every point, for every write operation: how often each
 * arrives, and what the user is told. It fails if docs/dev/faults.md says otherwise;
 * `PROOF_RUNS=1000 npx vitest run … -u` writes it.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type {
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeType,
	IPairedItemData,
	NodeError,
} from 'n8n-workflow';
import intersection from 'lodash/intersection.js';
import lowerFirst from 'lodash/lowerFirst.js';
import mapValues from 'lodash/mapValues.js';
import omit from 'lodash/omit.js';
import sortBy from 'lodash/sortBy.js';
import { format } from 'prettier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { FaultInput } from '../../sandbox/admin/faults.mjs';
import type { LoggedRequest } from '../../sandbox/http/requestLog.mjs';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { initBinaryData, renameFiles } from '../../host/fileStore.mjs';
import { runNode, type RunOptions, type RunResult } from '../../host/harness.mjs';
import { itemsIn } from '../support/useSandbox.mjs';
import { type Bookings, bookingsOf, ITEMS, type Told } from './bookings.mjs';
import { IS_THOROUGH, partOf } from '../../scripts/base/extent.mjs';
import { type Action, writes } from '../conformance/operations.mjs';
import { Proxy } from './proxy.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';

/** Tries of "Retry On Fail"; all of them in the full run, see docs/dev/testing.md. */
const TRIES = process.env.PROOF_TRIES ? [2, 3, 4, 5] : [3];
/** Seconds that the node waits for an answer that comes, however busy the machine is. */
const TIMEOUT = 60;
/** Seconds of the first stage's own clock; each stage has another number, by which its timers are known. */
const FIRST_CLOCK = 300;
/** Rounds of the event loop in which an answer that was sent arrives in this process. */
const ROUNDS = 20;
/** Which ways of *On Error: Continue* are run. */
const CONTINUING = process.env.PROOF_TRIES
	? (['continueErrorOutput', 'continueRegularOutput'] as const)
	: (['continueErrorOutput'] as const);

interface Fault {
	name: string;
	/** The outcome that the node must report. */
	outcome: Told;
	/** The answer is a success whose content isn't the record. */
	isSuccess?: boolean;
	/** It persists until someone fixes it. */
	lasts?: boolean;
	/** What the sandbox does to a request. */
	sandbox?: Record<string, unknown>;
	/** What happens on the connection. @param request number of the affected request */
	line?: (place: Place, request: number) => void;
}

interface Place {
	sandbox: Sandbox;
	proxy: Proxy;
}

const status = (code: number, point = 'before-handler', headers = {}) => ({
	kind: 'status' as const,
	status: code,
	point,
	headers,
});

const TASK = { taskId: 'T-17', status: 'IN_BEARBEITUNG', meldungen: [] };
const SAYS_FAILURE = { success: false, message: 'Kasse gesperrt' };
const LOCKED = { code: 'PERIOD_LOCKED', message: 'Der Beleg wurde nicht angenommen' };

const afterBooking = (kind: string, more = {}) => ({ kind, point: 'after-handler', ...more });
/** An answer of this status. */
const answer = (code: number, body: unknown, more = {}) => ({ kind: 'status', status: code, body, ...more });
const BOOKED = { point: 'after-handler' };
const WAIT = { 'retry-after': '1' };

const fault = (
	name: string,
	outcome: Told,
	sandbox?: Record<string, unknown>,
	more: Partial<Fault> = {},
): Fault => ({ name, outcome, ...(sandbox && { sandbox }), ...more });
/** A success whose content isn't the record, after booking. */
const odd = (name: string, sandbox: Record<string, unknown>) =>
	fault(name, 'unknown', sandbox, { isSuccess: true });

const FAULTS: Fault[] = [
	fault('the gateway refuses connections', 'not sent', undefined, { line: goDown }),
	fault('the connection is reset before the gateway reads the request', 'unknown', {
		kind: 'drop',
		point: 'before-body',
	}),
	fault('the connection is reset before the gateway books', 'unknown', { kind: 'drop' }),
	fault('the connection is reset after the gateway books', 'unknown', afterBooking('drop')),
	fault('the connection is reset during the answer', 'unknown', { kind: 'cut' }),
	fault('no answer in time, request not read', 'unknown', { kind: 'hang', point: 'before-body' }),
	fault('no answer in time, nothing booked', 'unknown', { kind: 'hang' }),
	fault('no answer in time, but booked', 'unknown', afterBooking('hang')),
	fault('429, too many requests', 'refused', status(429, 'before-handler', WAIT)),
	fault('500, nothing booked', 'unknown', status(500)),
	fault('500, but booked', 'unknown', status(500, 'after-handler')),
	fault('502, nothing booked', 'unknown', status(502)),
	fault('502, but booked', 'unknown', status(502, 'after-handler')),
	fault('503, nothing booked', 'unknown', status(503)),
	odd('broken JSON after booking', { kind: 'broken-json' }),
	odd('a web page instead of the answer, after booking', afterBooking('html', { status: 200 })),
	fault('307, a redirect of the same request', 'refused', {
		kind: 'redirect',
		location: 'https://elsewhere.example.com/',
	}),
	...[301, 302, 303].map((code) =>
		fault(
			`${code}, a redirect after booking`,
			'unknown',
			afterBooking('redirect', { status: code, location: '/elsewhere' }),
		),
	),
	fault('a success status that reports a failure, nothing booked', 'unknown', answer(200, SAYS_FAILURE)),
	fault('a success status that reports a failure, but booked', 'unknown', answer(200, SAYS_FAILURE, BOOKED)),
	odd('a success without content, after booking', answer(200, {}, BOOKED)),
	odd('“OK” instead of the record, after booking', answer(200, '"OK"', BOOKED)),
	odd('the answer is about another record, after booking', { kind: 'alter' }),
	odd('202, a task instead of the record, after booking', answer(202, TASK, BOOKED)),
	fault('422, a value is refused', 'refused', status(422)),
	fault('409, the period is locked', 'refused', answer(409, LOCKED)),
	fault('409 without a reason', 'refused', answer(409, {})),
	fault('429 forever', 'refused', { ...status(429, 'before-handler', WAIT), times: null }, { lasts: true }),
	fault('the API key is revoked', 'refused', undefined, { lasts: true, line: revokeKey }),
	fault('the API key is revoked, answered with 403', 'refused', undefined, {
		lasts: true,
		line: (place, request) => {
			place.sandbox.variants = { invalidKey: 403 };
			revokeKey(place, request);
		},
	}),
];

/** Each operation's answers about another record or no record. */
const OTHER_RECORD: Record<string, object> = {
	createCashBookEntry: { set: { belegnummer: 'KB-9' } },
	createAdvancedCashBookEntry: { set: { betrag: 1 } },
	uploadDuoDocument: { remove: ['id', 'dateiname'] },
	uploadReweDocument: { remove: ['id', 'dateiname'] },
	createTicket: { set: { product_id: 'schuelerticket' } },
	activateTicket: { set: { id: '00000000-0000-4000-8000-000000000000' } },
	// Its name describes it; what doesn't show a customer is none.
	createCustomer: {
		remove: 'id organization_id provider_customer_id name address_lines created_at updated_at'.split(' '),
	},
	setWebhookUrl: { set: { url: 'https://elsewhere.example.com/' } },
};

/** The gateway has the entry, and the accounting system behind it refuses it. */
const FAILED_TASK: Fault = {
	name: 'the accounting system refuses the entry',
	outcome: 'incomplete',
	sandbox: {
		kind: 'alter',
		set: {
			acctAntwort: { status: 'FEHLGESCHLAGEN', meldungen: [{ nachricht: 'Konto gesperrt', typ: 'FEHLER' }] },
		},
	},
};

/** Goes down as soon as the previous request is on its way. */
function goDown({ proxy }: Place, request: number): void {
	if (request === 0) proxy.refuse();
	else proxy.onConnection = (number) => void (number === request - 1 && proxy.refuse());
}

function revokeKey({ sandbox, proxy }: Place, request: number): void {
	proxy.onConnection = (number) => void (number === request && (sandbox.store.accounts[0].keys = []));
}

/** The outcome of four items in a run. */
interface Outcome {
	/** The error's message, if the run ended with one. */
	message?: string;
	told: Told[];
	arrived: number[];
}

/** One fault's results, as in docs/dev/faults.md. */
interface Row {
	fault: string;
	stopped: Outcome;
	retryOnFail: Outcome;
	continued: Outcome;
	retried: Outcome;
}

/** What is tested of a write operation. */
interface Scene {
	name: string;
	action: Action;
	operationId: string;
	/**
	 * Whether its writes are sent one at a time; otherwise all are in flight at once, so a broken connection affects
	 * them all.
	 */
	inOrder: boolean;
	/** An item's outcome under a fault. */
	outcomeOf: (fault: Fault) => Told;
	faults: Fault[];
}

const scenes: Scene[] = writes.map((action) => ({
	name: action.name,
	action,
	operationId: action.contract.id,
	inOrder: action.operation.orderingKey !== undefined,
	// The answer to setting the webhook URL is "not shown": any success counts.
	outcomeOf: ({ outcome, isSuccess }) =>
		isSuccess && action.contract.id === 'setWebhookUrl' ? 'booked' : outcome,
	faults: 'createCashBookEntry createAdvancedCashBookEntry'.includes(action.contract.id)
		? [...FAULTS, FAILED_TASK]
		: FAULTS,
}));
/** Operations always tested with all faults: one of each kind that the page shows. */
const SHOWN = ['createCashBookEntry', 'uploadDuoDocument'];
/** A scene's faults in this test run: by day, scenes that aren't one of them take every fourth. */
function faultsOf(scene: Scene): Fault[] {
	return SHOWN.includes(scene.operationId)
		? scene.faults
		: partOf(scene.faults, scenes.indexOf(scene) + 1, 4);
}

const [webhookUrl, ...records] = sortBy(scenes, ({ operationId }) => operationId !== 'setWebhookUrl');

/**
 * Whether a refusal leaves open what was booked: each entry has a receipt, and the gateway may have refused that alone. Retry
 * On Fail doesn't send it again; a person's Retry does.
 */
const mayBeInParts = ({ inOrder, operationId }: Scene, { name }: Pick<Fault, 'name'>) =>
	inOrder && operationId !== 'setWebhookUrl' && /^(?:409|422)/.test(name);

/** The timers of each stage's requests, by their milliseconds. */
const clocks = new Map<number, AbortController[]>();

// No spy: those are restored after each test.
const timeout = AbortSignal.timeout.bind(AbortSignal);
beforeAll(() => {
	AbortSignal.timeout = (ms) => {
		const timers = clocks.get(ms);
		if (!timers) return timeout(ms);
		const timer = new AbortController();
		timers.push(timer);
		return timer.signal;
	};
});
afterAll(() => {
	AbortSignal.timeout = timeout;
});

const isHanging = ({ faults }: LoggedRequest) => faults.some((one) => one.startsWith('hang'));

/** A write operation with its own sandbox, so that all operations run at once, and its own clock. */
class Stage {
	/** Seconds that the node waits for an answer that doesn't come. */
	private readonly seconds = FIRST_CLOCK + clocks.size;
	private readonly timers: AbortController[] = [];

	private constructor(
		private readonly scene: Scene,
		readonly sandbox: Sandbox,
		readonly proxy: Proxy,
	) {
		clocks.set(this.seconds * 1000, this.timers);
	}

	static async open(scene: Scene): Promise<Stage> {
		const sandbox = await startSandbox();
		return new Stage(scene, sandbox, new Proxy(Number(new URL(sandbox.url).port)));
	}

	/** Lets the time of requests that hang be up as soon as all others are over, however long that takes on a busy machine. */
	private async passTime(over: AbortSignal): Promise<void> {
		// What an earlier attempt has sent is over.
		const earlier = this.sandbox.log.entries.length;
		let [hanging, rounds] = [0, 0];
		while (!over.aborted) {
			await setTimeout(5);
			const entries = this.sandbox.log.entries.slice(earlier);
			const { length } = entries.filter(isHanging);
			const isSettled =
				entries.length >= this.timers.length &&
				entries.every((entry) => entry.durationMs !== undefined || isHanging(entry));
			rounds = length > hanging && isSettled ? rounds + 1 : 0;
			if (rounds < ROUNDS) continue;
			hanging = length;
			for (const timer of this.timers) timer.abort(new DOMException('Time is up', 'TimeoutError'));
		}
	}

	async close(): Promise<void> {
		this.proxy.close();
		await this.sandbox.close();
	}

	/** All outcomes of four items when a fault strikes. Fails if the node's report is wrong. */
	async row(fault: Fault): Promise<Row> {
		const outcome = this.scene.outcomeOf(fault);
		/** A retry can't help, or isn't allowed. */
		const stays = fault.outcome === 'unknown' || fault.outcome === 'incomplete';
		const isDone = outcome === 'booked';
		const isInDoubt = stays || mayBeInParts(this.scene, fault);

		const bookings = await this.arrange(fault, 1);
		const first = await this.run(bookings);
		const stopped = await this.outcome(first, bookings);
		this.expectTold(stopped, isDone ? ALL_BOOKED : this.toldOf(outcome, fault, 'not sent'), fault);
		if (fault.outcome === 'unknown' && !isDone) {
			expect(first.error?.description).toContain('is unknown: look it up before');
			const names = bookings.sentNames(stopped.told.indexOf(outcome));
			for (const name of names) expect(first.error?.description).toContain(name);
		}

		await this.mend();
		await renameFiles(first.run);
		const retried = await this.outcome(await this.run(bookings, { retryOf: first.run }), bookings);
		expect(retried.told).toEqual(stays ? stopped.told : ALL_BOOKED);

		const again: Outcome[] = [];
		for (const maxTries of TRIES) again.push(await this.tried(fault, 1, { maxTries }));
		for (const one of again)
			this.expectTold(one, isInDoubt || fault.lasts ? stopped.told : ALL_BOOKED, fault);

		const continued: Outcome[] = [];
		for (const onError of CONTINUING) {
			for (const maxTries of TRIES) continued.push(await this.tried(fault, 0, { maxTries, onError }));
		}
		const rest: Told = fault.lasts ? fault.outcome : 'booked';
		const inOrder: Told[] = [outcome, rest, rest, rest];
		const toBe = this.scene.inOrder ? inOrder : this.toldOf(outcome, fault);
		for (const one of continued) this.expectTold(one, isInDoubt || fault.lasts ? toBe : ALL_BOOKED, fault);
		return { fault: fault.name, stopped, retryOnFail: again[0], continued: continued[0], retried };
	}

	/** The report about four items when the second one fails. @param rest outcome of the later ones */
	private toldOf(outcome: Told, fault: Fault, rest: Told = 'booked'): Told[] {
		if (this.scene.inOrder) return ['booked', outcome, rest, rest];
		const concernsAll = fault.line !== undefined || fault.sandbox?.times === null;
		return concernsAll ? Array<Told>(ITEMS).fill(outcome) : ['booked', 'booked', 'booked', outcome];
	}

	/** A fault may strike any of the requests in flight. */
	private expectTold({ told }: Outcome, expected: Told[], { name }: Fault): void {
		if (this.scene.inOrder) expect(told, name).toEqual(expected);
		else expect([...told].sort(), name).toEqual([...expected].sort());
	}

	/** Cancels the execution while the second item's request, or all requests, are in flight. */
	async canceled(): Promise<Outcome> {
		const { inOrder } = this.scene;
		const times = inOrder ? 1 : null;
		const bookings = await this.arrange(
			{ name: 'hang', outcome: 'unknown', sandbox: { kind: 'hang', times } },
			inOrder ? 1 : 0,
			TIMEOUT,
		);
		const hanging = () => this.sandbox.log.entries.filter(isHanging).length;
		const cancel = waitFor(() => hanging() === (inOrder ? 1 : ITEMS), { interval: 5 });
		const result = await this.run(bookings, { cancel });
		expect(result.run.status).toBe('canceled');
		const { length } = this.sandbox.log.entries;
		await setTimeout(100);
		expect(this.sandbox.log.entries).toHaveLength(length);
		return await this.outcome(result, bookings);
	}

	/** A run with "Retry On Fail". */
	private async tried(fault: Fault, item: number, settings: Partial<INode>): Promise<Outcome> {
		const bookings = await this.arrange(fault, item);
		const comesBack = fault.line !== undefined && !fault.lasts;
		const result = await this.run(bookings, {
			...(comesBack && { node: this.reopening() }),
			settings: { retryOnFail: true, waitBetweenTries: 1, ...settings },
		});
		return await this.outcome(result, bookings);
	}

	/** The node under test; after each try, the gateway accepts connections again. */
	private reopening(): INodeType {
		const { node } = this.scene.action;
		const { proxy } = this;
		return Object.create(node, {
			execute: {
				async value(this: IExecuteFunctions) {
					try {
						return await node.execute!.call(this);
					} finally {
						await proxy.open();
					}
				},
			},
		}) as INodeType;
	}

	/** Resets everything, then sets a fault on one of the items. */
	private async arrange(fault: Fault, item: number, hanging = this.seconds): Promise<Bookings> {
		const { scene, sandbox, proxy } = this;
		const timeout = fault.sandbox?.kind === 'hang' ? hanging : TIMEOUT;
		sandbox.store.reset();
		sandbox.faults.clear();
		sandbox.variants = {};
		proxy.reset();
		await proxy.open();
		const bookings = await bookingsOf(scene.action, sandbox, timeout);
		if (fault.sandbox) {
			const { operationId } = scene;
			const other = fault.sandbox.kind === 'alter' ? OTHER_RECORD[operationId] : {};
			// Before the body is read, the request may be impossible to attribute to an item.
			const isAny = fault.sandbox.point === 'before-body' || fault.sandbox.times === null;
			const which = scene.inOrder ? { after: item } : isAny ? {} : { contains: bookings.mark(item) };
			sandbox.faults.add({ operationId, ...which, ...other, ...fault.sandbox } as FaultInput);
		}
		fault.line?.(this, scene.inOrder ? item : 0);
		return bookings;
	}

	/** The gateway works again, and the key is valid. */
	private async mend(): Promise<void> {
		this.sandbox.store.accounts[0].keys = [this.sandbox.apiKey];
		this.sandbox.faults.clear();
		await this.proxy.open();
	}

	private async run({ parameters, items }: Bookings, options: Partial<RunOptions> = {}): Promise<RunResult> {
		const { node } = this.scene.action;
		const credential = { apiKey: this.sandbox.apiKey, baseUrl: this.proxy.url, accountingProvider: 'acct' };
		const over = new AbortController();
		this.timers.length = 0;
		void this.passTime(over.signal);
		try {
			return await runNode({ node, parameters, items, credential, ...options });
		} finally {
			over.abort();
		}
	}

	/** The node's report on each item, compared with what arrived. */
	private async outcome(result: RunResult, bookings: Bookings): Promise<Outcome> {
		const { main, error, run, hints } = result;
		expect(JSON.stringify([run, hints, error?.stack, error?.cause])).not.toContain(this.sandbox.apiKey);
		const told = error ? toldByError(error) : toldByItems(main.flat());
		const arrived = await bookings.arrived();
		const wellTold = told.map((what, i) => ALLOWED[what].includes(arrived[i]));
		expect({ told, arrived, wellTold }).toEqual({ told, arrived, wellTold: Array(ITEMS).fill(true) });
		// Its random parts differ in the next run.
		const message = error?.message.replaceAll(/(K-\d)-\w+/g, '$1').replace(/ \[item \d+[^\]]*\]$/, '');
		return { message, told, arrived };
	}
}

/** How many stages share a scene's faults. */
const STAGES = 3;

async function onStage<T>(scene: Scene, play: (stage: Stage) => Promise<T>): Promise<T> {
	const stage = await Stage.open(scene);
	try {
		return await play(stage);
	} finally {
		await stage.close();
	}
}

const ALL_BOOKED: Told[] = Array(ITEMS).fill('booked');

/** How often a record may have arrived, by what the user is told. Never more than once. */
const ALLOWED: Record<Told, number[]> = {
	booked: [1],
	refused: [0],
	'not sent': [0],
	unknown: [0, 1],
	incomplete: [0, 1],
};

const WORDS: Record<string, Told> = {
	'Carried out': 'booked',
	Refused: 'refused',
	Incomplete: 'incomplete',
	Unknown: 'unknown',
	'Not sent': 'not sent',
};

/** Reads "Carried out: items 1–2. Refused: item 3. Not sent: item 4." */
function toldByError({ description }: NodeError): Told[] {
	const told: Told[] = [];
	for (const [, word, list] of description!.matchAll(/(\p{Lu}[\p{L} ]+): items? ([\d–, ]+)\./gu)) {
		for (const item of itemsIn(list)) told[item] = WORDS[word];
	}
	return told;
}

function toldByItems(items: INodeExecutionData[]): Told[] {
	const told: Told[] = [];
	for (const { json, pairedItem } of items) {
		const { outcome } = (json.details ?? {}) as { outcome?: string };
		told[(pairedItem as IPairedItemData).item] =
			outcome === 'notSent' ? 'not sent' : ((outcome ?? 'booked') as Told);
	}
	return told;
}

const rows = new Map<Scene, Row[]>();
const canceled = new Map<Scene, Outcome>();

beforeAll(async () => await initBinaryData());

describe.concurrent('whatever goes wrong', () => {
	it.each(scenes)(
		'$action.operation.action arrives at most once, and what the user is told about it is true',
		async (scene) => {
			const faults = faultsOf(scene);
			const shares = Array.from({ length: STAGES }, (_, n) => faults.filter((_, i) => i % STAGES === n));
			const found = await Promise.all(
				shares.map((share) =>
					onStage(scene, async (stage) => {
						const made: Row[] = [];
						for (const fault of share) made.push(await stage.row(fault));
						return made;
					}),
				),
			);
			rows.set(
				scene,
				sortBy(found.flat(), ({ fault }) => faults.findIndex(({ name }) => name === fault)),
			);
			canceled.set(scene, await onStage(scene, async (stage) => await stage.canceled()));
		},
		300_000,
	);
});

const ordered = records.filter(({ inOrder }) => inOrder);
const unordered = records.filter(({ inOrder }) => !inOrder);
const entry = ordered.find(({ operationId }) => operationId === 'createCashBookEntry')!;

it('a fault has the same result for all operations that write', () => {
	/** The results, without each operation's wording for an answer that isn't its record. */
	const common = (scene: Scene, faults: Fault[]) =>
		faults.map(({ name, isSuccess }) => {
			const row = rows.get(scene)!.find(({ fault }) => fault === name)!;
			return mapValues(omit(row, 'fault'), (cell) => ({
				// An unknown outcome is told in each operation's own words: whether the entry was booked, the ticket bought.
				...(!isSuccess && { message: cell.message?.replace(/(: unknown whether ).*/, '$1') }),
				summary: summary(cell, scene.inOrder),
			}));
		});
	for (const group of [ordered, unordered]) {
		const shown = group.find(({ operationId }) => SHOWN.includes(operationId))!;
		for (const scene of group) {
			const faults = intersection(FAULTS, faultsOf(scene));
			expect(common(scene, faults)).toEqual(common(shown, faults));
			expect(canceled.get(scene)).toEqual(canceled.get(shown));
		}
	}
	const failures = intersection(FAULTS, faultsOf(webhookUrl)).filter(
		(fault) => !fault.isSuccess && !mayBeInParts(entry, fault),
	);
	expect(common(webhookUrl, failures)).toEqual(common(entry, failures));
});

it('docs/dev/faults.md says what each fault results in', async () => {
	const namesOf = (group: Scene[]) =>
		group.map(({ action }) => `*${lowerFirst(action.operation.action)}*`).join(', ');
	const page = [
		INTRODUCTION,
		'## One at a time',
		`Same results for ${namesOf(ordered)}. *Retry On Fail* doesn't send an entry again that was refused for what is in it, because it may ` +
			'be booked without its receipt; without receipts, it sends one of a single line.',
		table(entry),
		`*${webhookUrl.action.operation.action}* gives the same results, except for answers with a success status: their content isn't ` +
			'specified, so the URL counts as set unless they report a failure. It has no receipt, so what is refused is sent again.',
		'## Several at once',
		`Same results for ${namesOf(unordered)}: all four are in flight when something goes wrong with one of them. A gateway ` +
			'that refuses connections and a revoked key affect all of them.',
		table(unordered.find(({ operationId }) => operationId === 'uploadDuoDocument')!),
	].join('\n\n');
	const file = '../../docs/dev/faults.md';
	const made = await format(page, { parser: 'markdown' });
	if (IS_THOROUGH) return await expect(made).toMatchFileSnapshot(file);
	// By day, rows of the last table are missing, which decide how wide its columns are.
	const linesOf = (text: string) => text.replace(/ +/g, ' ').replace(/-+/g, '-').split('\n');
	const written = await readFile(new URL(file, import.meta.url), 'utf8');
	expect(linesOf(written)).toEqual(expect.arrayContaining(linesOf(made)));
});

function table(scene: Scene): string {
	const cells = rows
		.get(scene)!
		.map(({ fault, stopped, retryOnFail, continued, retried }) => [
			fault,
			stopped.message,
			...[stopped, retryOnFail, continued, retried].map((one) => summary(one, scene.inOrder)),
		]);
	const { message, ...outcome } = canceled.get(scene)!;
	cells.push(['the execution is canceled', message, summary(outcome, scene.inOrder), '', '', '']);
	const lines = [HEADINGS, HEADINGS.map(() => '---'), ...cells];
	return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** "1 booked, 1 unknown (arrived 0 times), 2 not sent" */
function summary({ told, arrived }: Outcome, inOrder: boolean): string {
	const kinds = [...new Set(told)];
	const parts = (inOrder ? kinds : kinds.sort()).map((what) => {
		const items = told.flatMap((one, i) => (one === what ? [i] : []));
		const times = items.reduce((sum, i) => sum + arrived[i], 0);
		const uncertain = what === 'unknown' || what === 'incomplete';
		return `${items.length} ${what}${uncertain ? ` (${times ? 'arrived once' : 'did not arrive'})` : ''}`;
	});
	return parts.join(', ');
}

const HEADINGS = [
	'What happens',
	'What the user is told',
	'On Error: Stop',
	'Stop, with Retry On Fail',
	'Continue, with Retry On Fail',
	'Stop, then Retry of the execution',
];

const INTRODUCTION = `# Failure scenarios

In each scenario, four records are written in one run, and one of them fails. If records are sent one at a time, the second one
fails if the node stops at an error, and the first one if it continues: only then does n8n retry such a node. "Retry" means
*Retry* of the failed execution once the gateway works again.

**No record arrives twice in any of these cases.** If the user is told "booked", the record has arrived exactly once. "Refused" and
"not sent" mean that it hasn't arrived. "Unknown" is for the user to look up; the table shows whether it arrived. "Incomplete"
means that the gateway has the record, and the accounting system hasn't booked it.

Entries and documents have files, whose IDs n8n changes between the execution and its *Retry*, as it does with files from webhooks
and forms. All have expressions that return a different value at each evaluation (\`$now\`, \`Math.random()\`): errors name what
was sent.

The test \`test/resilience/faults.test.mts\` measures this with n8n's own engine and writes this page. For what happens when n8n
itself is killed, see [guarantees.md](../guarantees.md).`;
