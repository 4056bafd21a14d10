/**
 * What each rule of the throttle gains. It is taken out of the source; then some kind of gateway is read at least 5 % more
 * slowly, refuses at least half as many requests again, or has at least half as many more in flight. A rule that gains less
 * should go. `VERBOSE=1 npx vitest run throttleRules` prints the figures.
 */
import { readFileSync } from 'node:fs';

import lodash from 'lodash';
import * as workflow from 'n8n-workflow';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Failure } from '../../../../nodes/shared/errors/failure.js';
import * as noTurn from '../../../../nodes/shared/errors/noTurn.js';
import * as deadline from '../../../../nodes/shared/gateway/deadline.js';
import * as retry from '../../../../nodes/shared/gateway/retry.js';
import { type Leave, Throttle } from '../../../../nodes/shared/gateway/throttle.js';
import {
	after,
	countsPerSecond,
	type Gateway,
	KINDS,
	MAX,
	ok,
	type Pace,
	read,
	refusal,
	sleep,
	takesAtOnce,
} from '../../../support/gatewayKinds.mjs';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SOURCE = readFileSync('nodes/shared/gateway/throttle.ts', 'utf8');
const IMPORTS: Record<string, unknown> = {
	lodash,
	'n8n-workflow': workflow,
	'../errors/noTurn': noTurn,
	'./deadline': deadline,
	'./retry': retry,
};

/** The throttle, with a piece of its source replaced. */
function throttleWith(piece: string, replacement: string): typeof Throttle {
	expect(SOURCE.split(piece), `“${piece}” in the source`).toHaveLength(2);
	const { outputText } = ts.transpileModule(
		SOURCE.replace(piece, () => replacement),
		{
			compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
		},
	);
	const exports: { Throttle?: typeof Throttle } = {};
	// eslint-disable-next-line @typescript-eslint/no-implied-eval -- the package's own source
	new Function('exports', 'require', outputText)(exports, (name: string) => IMPORTS[name]);
	return exports.Throttle!;
}

/** Behaves in two ways, one after the other. */
function changing(seconds: number, first: Gateway, then: Gateway): Gateway {
	const change = performance.now() + seconds * 1000;
	return async (inFlight) => await (performance.now() < change ? first : then)(inFlight);
}

/** Works on one request at a time. */
const slowedByLoad: Gateway = async (inFlight) => (await sleep(50 * inFlight), ok);

/** Is too busy for more than 8 at once in a third of the time. */
function overloadedNowAndThen(): Gateway {
	const start = performance.now();
	return async (inFlight) => {
		if (inFlight > 8 && (performance.now() - start) % 300 >= 200) return refusal(503);
		await sleep(50);
		return ok;
	};
}

/** The rule, the piece of the source that holds it, what takes it out, and where it helps. */
const RULES: Array<[rule: string, piece: string, replacement: string, gateway: () => Gateway]> = [
	['starts with eight', 'FIRST_LIMIT = 8', 'FIRST_LIMIT = 2', () => after(50)],
	['grows only while answers are quick', 'if (!isQuick ||', 'if (', () => slowedByLoad],
	[
		'has as many in flight as were taken',
		'if (isTooMany &&',
		'if (false &&',
		() => takesAtOnce(4, 50, 1, 429),
	],
	[
		'tries more than were refused only later',
		'PROBE_AFTER = 20',
		'PROBE_AFTER = 0',
		() => takesAtOnce(4, 50, 1, 429),
	],
	[
		'tries more than were refused some time',
		'>= this.probeAt',
		'>= Infinity',
		() => changing(2, takesAtOnce(1, 50), after(50)),
	],
	['has fewer in flight after a 503', 'DECREASE = 0.5', 'DECREASE = 1', overloadedNowAndThen],
	[
		'reacts once to refusals at the same time',
		'const isNews = reactions',
		'const isNews = true || reactions',
		() => countsPerSecond(50, 50),
	],
	[
		'keeps a pace where requests are counted',
		'this.slowDown(opensAt)',
		'undefined',
		() => countsPerSecond(5, 50, 1),
	],
	['becomes slower when refused again', 'SLOWER = 1.15', 'SLOWER = 1', () => countsPerSecond(5, 50, 1)],
	[
		'becomes quicker again',
		'QUICKER = 0.003',
		'QUICKER = 0',
		() => changing(3, countsPerSecond(5, 50, 1), after(50)),
	],
	[
		'starts one alone after a 429',
		'this.isOpen ? this.atOnce : 1',
		'this.atOnce',
		() => countsPerSecond(50, 50),
	],
	[
		'pauses after a 429 that names no time',
		'status === 429 ? FIRST_PAUSE : 0',
		'0',
		() => countsPerSecond(5, 50),
	],
];

it.each(RULES)('%s', async (rule, piece, replacement, gateway) => {
	const withRule = await read(gateway(), MAX, new Throttle(MAX));
	const without = await read(gateway(), MAX, new (throttleWith(piece, replacement))(MAX));
	const times = without.time / withRule.time;
	const refusals = without.refusals / Math.max(1, withRule.refusals);
	const most = without.most / withRule.most;
	if (process.env.VERBOSE) console.log(rule, { times, refusals, most }, withRule, without);
	expect(times >= 1.05 || refusals >= 1.5 || most >= 1.5 || without.failed > withRule.failed).toBe(true);
});

/** As many in flight as are allowed, half as many after each 429, one more after each answer; a `Retry-After` is obeyed. */
class Simple implements Pace {
	readonly refusal = undefined;
	private inFlight = 0;
	private opensAt = 0;

	constructor(private limit: number) {}

	async enter(): Promise<Leave> {
		while (this.inFlight >= Math.floor(this.limit) || performance.now() < this.opensAt)
			await sleep(Math.max(25, this.opensAt - performance.now()));
		this.inFlight++;
		return (result) => {
			this.inFlight--;
			const { status, retryAfter = 0 }: Partial<Failure> = result.ok ? {} : result.failure;
			if (status === 429) this.limit = Math.max(1, this.limit / 2);
			this.opensAt = Math.max(this.opensAt, performance.now() + retryAfter * 1000);
		};
	}

	giveUp(): void {}
}

describe('against a fixed number, halved on 429, with Retry-After obeyed', () => {
	it.each(Object.entries(KINDS))('a gateway that %s', async (kind, gateway) => {
		const simple = await read(gateway(), MAX, new Simple(MAX));
		const adaptive = await read(gateway(), MAX, new Throttle(MAX));
		if (process.env.VERBOSE) console.log(kind, { times: simple.time / adaptive.time }, simple, adaptive);
		expect(adaptive.failed).toBe(0);
		if (simple.failed === 0) expect(adaptive.time).toBeLessThanOrEqual(simple.time * 1.2);
		expect(adaptive.refusals).toBeLessThanOrEqual(Math.max(simple.refusals, 8));
	});
});
