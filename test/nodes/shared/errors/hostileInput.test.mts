/** What others send, however large or strange, must not block n8n, in which all executions share one thread. */
import { createServer } from 'node:http';

import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { gatewayMessage, isWebPage } from '../../../../nodes/shared/errors/gatewayMessage.js';
import { httpError } from '../../../../nodes/shared/gateway/failures/httpError.js';
import { errorCode } from '../../../../nodes/shared/gateway/failures/networkError.js';
import { maskSensitive, redactSecret, redactSecretIn } from '../../../../nodes/shared/errors/redaction.js';
import { saysFailure } from '../../../../nodes/shared/answer/saysFailure.js';
import { invalidJson } from '../../../../nodes/shared/gateway/failures/unexpectedResponse.js';
import { besidesIn } from '../../../../nodes/shared/answer/besides.js';
import { saysItExists } from '../../../../nodes/shared/run/check/saysItExists.js';
import { openListOf } from '../../../../nodes/shared/answer/verify.js';
import { readResponse, retryAfter } from '../../../../nodes/shared/gateway/response.js';
import { parseBaseUrl } from '../../../../nodes/shared/gateway/url.js';
import { parseJson } from '../../../../nodes/shared/values/json.js';
import { processorTime } from '../../../support/timing.mjs';
import { IS_THOROUGH } from '../../../../scripts/base/extent.mjs';
import { answerOf } from '../../../support/answers.mjs';
import { listening } from '../../../support/listening.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();

/** Characters of a long text; a megabyte in a thorough run. */
const LENGTH = IS_THOROUGH ? 1_000_000 : 100_000;
/** Milliseconds. Each takes less than a tenth of that on an idle machine; a pattern that is quadratic takes minutes, and of the shorter text several seconds. */
const LIMIT = LENGTH / 50;
const SECRET = 'aaaaaaaaaaaaaaab';

const repeated = (text: string) => text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH);

const WRITE = { writes: true, names: {} };
const LISTS = openListOf({ en: 'lists', de: 'der Listen' });
const RECORD = { field: 'belegnummer', value: 'K-17', agrees: () => true };

const MANY_FIELDS = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`field${i}`, i]));

const TEXTS = [
	...'< > / \\ " \' & : . ; - 0 9 a D e [ {'.split(' '),
	...[' ', '\n', '\u00a0', '< ', 'DE02 1203 ', 'key ', 'api ', '<a ">', '<html><title', '<!doctype html'],
	...'<a <title> <h1 </ <p>x</p> &lt; \\" "\\ [1, {"a": DE02 DE02120300000000202051 1. 192.0.2.'.split(' '),
	...'f: :: aaaa: 1e 1e9, a/ /v2 api-'.split(' '),
].flatMap((text) => {
	const many = repeated(text);
	return [`${many}x`, `<html><title>${many}`];
});

function nested(open: string, inner: string, close: string, depth = 100_000): string {
	return open.repeat(depth) + inner + close.repeat(depth);
}

/** Long, valid JSON. */
const JSONS: Record<string, string> = {
	'deeply nested lists': nested('[', '', ']'),
	'deeply nested objects': nested('{"error":', '"x"', '}'),
	'deeply nested objects of unknown shape': nested('{"a":', '"x"', '}'),
	'deeply nested with escapes': nested('{"error":[', '"\\u0061"', ']}'),
	'70,000 messages': JSON.stringify({
		errors: Array.from({ length: 70_000 }, (_, i) => ({ field: `f${i}`, message: `m${i}` })),
	}),
	'90,000 fields': JSON.stringify(
		Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`f${i}`, [`m${i}`]])),
	),
	'a long text': JSON.stringify({ message: repeated('<DE02 ') }),
	'a text of escapes': JSON.stringify({ message: repeated('\\"') }),
	'a page in a text': JSON.stringify({ message: `<html><title>${repeated('<')}` }),
	'a number of a million digits': `[1${repeated('0')}, ${repeated('9')}]`,
	'a small number of a million digits': `[0.${repeated('0')}1]`,
	'a long exponent': `[1e${repeated('9')}, 1e-${repeated('9')}]`,
	'many long numbers': `[${repeated('12345678901234567890,')}0]`.replace(/,\d*0\]$/, ',0]'),
};

describe.each<[string, (text: string) => unknown]>([
	['gatewayMessage', gatewayMessage],
	['isWebPage', isWebPage],
	['maskSensitive', maskSensitive],
	['redactSecret', (text) => redactSecret(text, SECRET)],
	['invalidJson', (text) => invalidJson(200, text, true)],
	['httpError', (text) => httpError({ status: 502, body: text }, true)],
	['saysFailure', (text) => saysFailure({ [text]: text, fehler: text, status: text, success: text }, WRITE)],
	['errorCode', (text) => errorCode({ message: text, code: 5, cause: { message: text } })],
	['parseJson', parseJson],
	['retryAfter', retryAfter],
	['parseBaseUrl', (baseUrl) => parseBaseUrl({ baseUrl })],
	['parseBaseUrl of a path', (text) => parseBaseUrl({ baseUrl: `https://x/${text}` })],
	['readResponse', (text) => read(text, 500)],
	['besidesIn', (text) => besidesIn({ data: [], [text]: MANY_FIELDS }, LISTS, false)],
	['saysItExists', (text) => saysItExists(409, { message: text, [text]: text }, RECORD)],
])('%s', (_name, work) => {
	it('takes time in proportion to the length of any text', async () => {
		for (const text of TEXTS) {
			const took = await processorTime(async () => await work(text));
			if (took > LIMIT) expect.fail(`${text.slice(0, 40)}…${text.slice(-3)} took ${took} ms`);
		}
	});
});

const read = async (text: string, status: number) =>
	await readResponse(
		{ status, headers: {}, answer: await answerOf(text) },
		{ endpoint: 'POST /v2/acct-duo/kassenbuch-einfach' },
		[SECRET, 'another-secret'],
	);

describe.each(Object.entries(JSONS))('an answer of %s', (what, json) => {
	// n8n couldn't store or read an execution with such an answer.
	const isTooDeep = what.startsWith('deeply nested');

	it.each([200, 422])('with status %d is read without delay', async (status) => {
		const took = await processorTime(async () => {
			const result = await read(json, status);
			expect(result.ok).toBe(status === 200 && !isTooDeep);
			if (!result.ok) expect(result.failure.description.en.length).toBeLessThan(1000);
		});
		expect(took).toBeLessThan(LIMIT);
	});

	it('is searched for its message, a failure and secrets without delay', () => {
		const body = parseJson(json)?.value;
		expect(body).toBeDefined();
		expect(processorTime(() => gatewayMessage(body))).toBeLessThan(LIMIT);
		expect(processorTime(() => saysFailure(body, { ...WRITE, sent: body }))).toBeLessThan(LIMIT);
		expect(processorTime(() => saysFailure(body, WRITE))).toBeLessThan(LIMIT);
		if (!isTooDeep) expect(processorTime(() => besidesIn(body, LISTS, true))).toBeLessThan(LIMIT);
		expect(processorTime(() => saysItExists(409, body, RECORD))).toBeLessThan(LIMIT);
		expect(processorTime(() => redactSecretIn(body, SECRET, `\\${SECRET}`))).toBeLessThan(LIMIT);
	});
});

it('a node survives a long error page of "<"', async () => {
	const page = `<html><title>${repeated('<')}`;
	const address = await listening(createServer((_, response) => response.writeHead(500).end(page)));
	const took = await processorTime(async () => {
		const { error } = await gateway.run(
			new AccountingGatewayDelivery(),
			{ resource: 'connection', operation: 'getAll', module: 'duo' },
			{ credential: { ...gateway.credential, baseUrl: `http://${address}` } },
		);
		expect(error?.message).toContain('HTTP 500');
	});
	expect(took).toBeLessThan(LIMIT);
});
