/**
 * What can go wrong while four records are written, at every point, for every write operation: how often each of them
 * arrives, and what the user is told. The run writes docs/faults.md; in CI it fails where the file says otherwise.
 */
import { setTimeout } from 'node:timers/promises';
import type { INode, INodeExecutionData, INodeParameters, IPairedItemData, NodeError } from 'n8n-workflow';
import pWaitFor from 'p-wait-for';
import { format } from 'prettier';
import { beforeAll, describe, expect, it } from 'vitest';

import type { FaultInput } from '../../sandbox/faults.mjs';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { initBinaryData, type RunOptions, type RunResult, runNode } from '../support/harness.mjs';
import { type Bookings, bookingsOf, ITEMS, type Told } from './bookings.mjs';
import { type Action, writes } from './operations.mjs';
import { Proxy } from './proxy.mjs';

/** Tries of "Retry On Fail". All of them in the long run, see docs/proof.md. */
const TRIES = process.env.PROOF_TRIES ? [2, 3, 4, 5] : [3];
/** Seconds that the node waits where no answer comes. */
const TIMEOUT = 0.7;
/** Milliseconds after which a gateway that refused connections takes them again, where a further try follows. */
const DOWN_MS = 500;

interface Fault {
	name: string;
	/** What the node must make of it. */
	fate: Told;
	/** It stays until someone does something about it. */
	lasts?: boolean;
	/** What the sandbox does to a request. */
	sandbox?: Record<string, unknown>;
	/** What happens on the line. @param request number of the request that it concerns */
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

const FAULTS: Fault[] = [
	{ name: 'the gateway refuses connections', fate: 'not sent', line: goDown },
	{
		name: 'the connection is reset before the gateway has read the request',
		fate: 'unknown',
		sandbox: { kind: 'drop', point: 'before-body' },
	},
	{ name: 'the connection is reset before the gateway books', fate: 'unknown', sandbox: { kind: 'drop' } },
	{
		name: 'the connection is reset after the gateway has booked',
		fate: 'unknown',
		sandbox: { kind: 'drop', point: 'after-handler' },
	},
	{ name: 'the connection is reset in the middle of the answer', fate: 'unknown', sandbox: { kind: 'cut' } },
	{
		name: 'no answer in time, and the gateway has not read the request',
		fate: 'unknown',
		sandbox: { kind: 'hang', point: 'before-body' },
	},
	{ name: 'no answer in time, and nothing booked', fate: 'unknown', sandbox: { kind: 'hang' } },
	{
		name: 'no answer in time, but booked',
		fate: 'unknown',
		sandbox: { kind: 'hang', point: 'after-handler' },
	},
	{
		name: '429, too many requests',
		fate: 'refused',
		sandbox: status(429, 'before-handler', { 'retry-after': '1' }),
	},
	{ name: '500, and nothing booked', fate: 'unknown', sandbox: status(500) },
	{ name: '500, but booked', fate: 'unknown', sandbox: status(500, 'after-handler') },
	{ name: '502, and nothing booked', fate: 'unknown', sandbox: status(502) },
	{ name: '502, but booked', fate: 'unknown', sandbox: status(502, 'after-handler') },
	{ name: '503, and nothing booked', fate: 'unknown', sandbox: status(503) },
	{ name: 'broken JSON after booking', fate: 'unknown', sandbox: { kind: 'broken-json' } },
	{
		name: 'a web page in place of the answer, after booking',
		fate: 'unknown',
		sandbox: { kind: 'html', status: 200, point: 'after-handler' },
	},
	{
		name: 'a redirect',
		fate: 'refused',
		sandbox: { kind: 'redirect', location: 'https://elsewhere.example.com/' },
	},
	{
		name: '303, a redirect that says the request was processed',
		fate: 'unknown',
		sandbox: { kind: 'redirect', status: 303, point: 'after-handler', location: '/elsewhere' },
	},
	{ name: '422, a value is refused', fate: 'refused', sandbox: status(422) },
	{ name: 'the API key is revoked', fate: 'refused', lasts: true, line: revokeKey },
];

/** Goes down as soon as the request before is on its way. */
function goDown({ proxy }: Place, request: number): void {
	if (request === 0) proxy.refuse();
	else proxy.onConnection = (number) => void (number === request - 1 && proxy.refuse());
}

function revokeKey({ sandbox, proxy }: Place, request: number): void {
	proxy.onConnection = (number) => void (number === request && (sandbox.world.accounts[0].keys = []));
}

/** What four items came to in a run. */
interface Outcome {
	/** The error's message, where the run ended with one. */
	message?: string;
	told: Told[];
	arrived: number[];
}

/** What one fault came to, as docs/faults.md has it. */
interface Row {
	fault: string;
	stopped: Outcome;
	retryOnFail: Outcome;
	continued: Outcome;
	retried: Outcome;
}

/** What of a write operation is put to the test. */
interface Scene {
	name: string;
	action: Action;
	/** The request that goes wrong; an item may have two. */
	operationId: string;
	requestsPerItem: number;
	/** What a fault makes of an item. */
	fate: (fault: Fault) => Told;
	own?: INodeParameters;
}

const scenes: Scene[] = writes.map((action) => ({
	name: action.name,
	action,
	operationId: action.contract.id,
	requestsPerItem: 1,
	fate: ({ fate }) => fate,
}));

/** Two requests for an item: the ticket exists, whatever happens to its activation. */
const activation: Scene = {
	name: 'a ticket that is created and activated in one step',
	action: writes.find(({ contract }) => contract.id === 'createTicket')!,
	operationId: 'activateTicket',
	requestsPerItem: 2,
	fate: () => 'incomplete',
	own: { product_id: 'deutschlandticket-job', postal_code: '90402', activate: true },
};

/** A write operation on a sandbox of its own, so that all operations run at once. */
class Stage {
	private constructor(
		private readonly scene: Scene,
		readonly sandbox: Sandbox,
		readonly proxy: Proxy,
	) {}

	static async open(scene: Scene): Promise<Stage> {
		const sandbox = await startSandbox();
		return new Stage(scene, sandbox, new Proxy(Number(new URL(sandbox.url).port)));
	}

	async close(): Promise<void> {
		this.proxy.close();
		await this.sandbox.close();
	}

	/** All that becomes of four items when a fault strikes. Fails where the node doesn't tell the truth. */
	async row(fault: Fault): Promise<Row> {
		const fate = this.scene.fate(fault);
		/** Trying again can't help, or must not be done. */
		const stays = fault.fate === 'unknown';

		const bookings = await this.arrange(fault, 1);
		const first = await this.run(bookings);
		const stopped = await this.outcome(first, bookings);
		expect(stopped.told).toEqual(['booked', fate, 'not sent', 'not sent']);
		if (stays) expect(first.error?.description).toContain('check that in the accounting system');

		await this.mend();
		const retried = await this.outcome(await this.run(bookings, { retryOf: first.run }), bookings);
		expect(retried.told).toEqual(stays ? stopped.told : ALL_BOOKED);

		const again: Outcome[] = [];
		for (const maxTries of TRIES) again.push(await this.tried(fault, 1, { maxTries }));
		for (const { told } of again) expect(told).toEqual(stays || fault.lasts ? stopped.told : ALL_BOOKED);

		const continued: Outcome[] = [];
		for (const onError of ['continueErrorOutput', 'continueRegularOutput'] as const) {
			for (const maxTries of TRIES) continued.push(await this.tried(fault, 0, { maxTries, onError }));
		}
		const rest: Told = fault.lasts ? fault.fate : 'booked';
		const toBe = stays || fault.lasts ? [fate, rest, rest, rest] : ALL_BOOKED;
		for (const { told } of continued) expect(told).toEqual(toBe);
		return { fault: fault.name, stopped, retryOnFail: again[0], continued: continued[0], retried };
	}

	/** Cancels the execution while the second item's request is under way. */
	async canceled(): Promise<Outcome> {
		const bookings = await this.arrange({ name: 'hang', fate: 'unknown', sandbox: { kind: 'hang' } }, 1, 60);
		const cancel = pWaitFor(() => this.sandbox.log.entries.some(({ faults }) => faults.length > 0), {
			interval: 5,
		});
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
		if (comesBack) void setTimeout(DOWN_MS).then(() => this.proxy.open());
		const waitBetweenTries = comesBack ? DOWN_MS * 2 : 1;
		const result = await this.run(bookings, {
			settings: { retryOnFail: true, waitBetweenTries, ...settings },
		});
		return await this.outcome(result, bookings);
	}

	/** Everything as at the start, but for a fault on one of the items. */
	private async arrange(fault: Fault, item: number, timeout = TIMEOUT): Promise<Bookings> {
		const { scene, sandbox, proxy } = this;
		sandbox.world.reset();
		sandbox.faults.clear();
		proxy.reset();
		await proxy.open();
		const bookings = await bookingsOf(scene.action, sandbox, timeout, scene.own);
		if (fault.sandbox) {
			sandbox.faults.add({ operationId: scene.operationId, after: item, ...fault.sandbox } as FaultInput);
		}
		fault.line?.(this, (item + 1) * scene.requestsPerItem - 1);
		return bookings;
	}

	/** The gateway works again, and whoever uses it has a valid key. */
	private async mend(): Promise<void> {
		this.sandbox.world.accounts[0].keys = [this.sandbox.apiKey];
		await this.proxy.open();
	}

	private async run({ parameters, items }: Bookings, options: Partial<RunOptions> = {}): Promise<RunResult> {
		const { node } = this.scene.action;
		const credential = { apiKey: this.sandbox.apiKey, baseUrl: this.proxy.url, accountingProvider: 'acct' };
		return await runNode({ node, parameters, items, credential, ...options });
	}

	/** What the node tells of each item, held against what arrived. */
	private async outcome(result: RunResult, bookings: Bookings): Promise<Outcome> {
		const { main, error, run, hints } = result;
		expect(JSON.stringify([run, hints, error?.stack, error?.cause])).not.toContain(this.sandbox.apiKey);
		const told = error ? toldByError(error) : toldByItems(main.flat());
		const { operationId, requestsPerItem } = this.scene;
		const arrived = await bookings.arrived(operationId);
		const wellTold = told.map((what, i) => ALLOWED[what].includes(arrived[i]));
		expect({ told, arrived, wellTold }).toEqual({ told, arrived, wellTold: Array(ITEMS).fill(true) });
		// The first of two requests is done exactly once wherever the second one came to be.
		if (requestsPerItem > 1) expect(Math.max(...(await bookings.arrived()))).toBe(1);
		return { message: error?.message, told, arrived };
	}
}

const ALL_BOOKED: Told[] = Array(ITEMS).fill('booked');

/** How often a record may have arrived of which the user is told this. Never more than once. */
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

/** Reads "Carried out: items 0–1. Refused: item 2. Not sent: item 3." */
function toldByError({ description }: NodeError): Told[] {
	const told: Told[] = [];
	for (const [, word, list] of description!.matchAll(/(\p{Lu}[\p{L} ]+): items? ([\d–, ]+)\./gu)) {
		for (const range of list.split(', ')) {
			const [from, to = from] = range.split('–').map(Number);
			for (let item = from; item <= to; item++) told[item] = WORDS[word];
		}
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
	it.each([...scenes, activation])(
		'$name arrives once at most, and what is told of it is true',
		async (scene) => {
			const stage = await Stage.open(scene);
			try {
				const found: Row[] = [];
				for (const fault of FAULTS) found.push(await stage.row(fault));
				rows.set(scene, found);
				canceled.set(scene, await stage.canceled());
			} finally {
				await stage.close();
			}
		},
		300_000,
	);
});

it('comes to the same for all operations', () => {
	for (const scene of scenes) {
		expect(rows.get(scene)).toEqual(rows.get(scenes[0]));
		expect(canceled.get(scene)).toEqual(canceled.get(scenes[0]));
	}
});

it('is what docs/faults.md says', async () => {
	const page = [
		INTRODUCTION,
		'## One request for each item',
		`Measured alike for ${scenes.map(({ action }) => `*${action.operation.action.toLowerCase()}*`).join(', ')}.`,
		table(scenes[0]),
		'## A ticket that is created and activated in one step',
		'The same faults, on the request that activates: the first request has created the ticket then.',
		table(activation),
	].join('\n\n');
	await expect(await format(page, { parser: 'markdown' })).toMatchFileSnapshot('../../docs/faults.md');
});

function table(scene: Scene): string {
	const cells = rows
		.get(scene)!
		.map(({ fault, stopped, retryOnFail, continued, retried }) => [
			fault,
			stopped.message,
			...[stopped, retryOnFail, continued, retried].map(summary),
		]);
	const { message, ...outcome } = canceled.get(scene)!;
	cells.push(['the execution is canceled', message, summary(outcome), '', '', '']);
	const lines = [HEADINGS, HEADINGS.map(() => '---'), ...cells];
	return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** "1 booked, 1 unknown (arrived 0 times), 2 not sent" */
function summary({ told, arrived }: Outcome): string {
	const parts = [...new Set(told)].map((what) => {
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

const INTRODUCTION = `# What goes wrong, and what comes of it

Four records are written in one run, and something goes wrong with one of them: with the second one where the node stops
at an error; with the first one where it continues, because n8n tries such a node again only then. "Retry" is that of
the failed execution, when the gateway works again.

**No record arrives twice, in any of these cases.** A record of which the user is told "booked" has arrived exactly once;
"refused" or "not sent": not at all; "unknown": that is for the user to look up, and the table says what was the case.

The test \`test/proof/faults.test.mts\` measures this with n8n's own engine and writes this page. What happens when n8n
itself is killed is in [guarantees.md](guarantees.md).`;
