/**
 * Whatever is entered, a node either refuses it before it sends anything, naming the field, or sends a request that
 * conforms to the contract and says what was meant. There is no third outcome.
 *
 * Thousands of cases for each operation: see docs/proof.md.
 */
import { Big } from 'big.js';
import fc from 'fast-check';
import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import escape from 'lodash/escape.js';
import { describe, expect, it } from 'vitest';

import { judge } from '../support/contract.mjs';
import { runNode, type RunOptions, type TestFile } from '../support/harness.mjs';
import { domain, expressionOf, nasty } from './domains.mjs';
import { differences, type Given, isSkipped, type Meant, show } from './fidelity.mjs';
import { type Action, actions, type Field, writes } from './operations.mjs';
import { API_KEY, type Recorded, useRecorder } from './recorder.mjs';

const recorder = useRecorder();

/** Items for each write operation; a read gets a quarter of them. */
const RUNS = Number(process.env.PROOF_RUNS ?? 400);
/** What a failed run prints, to repeat it. */
const SEED = process.env.PROOF_SEED === undefined ? undefined : Number(process.env.PROOF_SEED);
const IS_VM = process.env.N8N_EXPRESSION_ENGINE === 'vm';
/** Items in one execution. */
const BATCH = 40;

const ZONES = [
	'Europe/Berlin',
	'America/New_York',
	'Asia/Kolkata',
	'Pacific/Apia',
	'America/St_Johns',
	'UTC',
];
const WORKFLOW_NAME = 'Kasse & Bücher #1';

const FILES: Record<string, TestFile> = {
	data: { content: Buffer.from('%PDF-1.4 Beleg'), fileName: 'Beleg März.pdf', mimeType: 'application/pdf' },
	scan: { content: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00]), fileName: 'scan 🥐' },
};
const EMPTY_FILE: TestFile = { content: Buffer.alloc(0), fileName: 'leer.pdf' };

/** An item's files: an empty one only where it is named, as `*` would find it, too. */
const filesOf = (given: Given) =>
	[given.datei, given['additionalFields.belegbilder']].some((name) => show(name).includes('leer'))
		? { ...FILES, leer: EMPTY_FILE }
		: FILES;

/** What is entered in one execution: the form's shape, and for each item the values. */
interface Batch {
	zone: string;
	/** How many lines the form has. */
	lines: number;
	/** Paths of the optional fields that were added. */
	added: string[];
	items: Entered[];
}

interface Entered {
	given: Given;
	/** Names of the fields that may be refused. */
	spoilt: string[];
}

function batchOf(action: Action): fc.Arbitrary<Batch> {
	const optional = action.fields.filter((one) => one.optional);
	return fc
		.record({
			zone: fc.constantFrom(...ZONES),
			lines: fc.integer({ min: 0, max: action.lineFields.length > 0 ? 4 : 0 }),
			added: fc.subarray(optional.map(({ path }) => path)),
		})
		.chain((form) => {
			const fields = fieldsOf(action, form.lines, form.added);
			return fc.record({
				zone: fc.constant(form.zone),
				lines: fc.constant(form.lines),
				added: fc.constant(form.added),
				items: fc.array(entered(action, fields, form.lines), { minLength: BATCH, maxLength: BATCH }),
			});
		});
}

/** The fields that the form has, each with its own path and name. */
function fieldsOf(action: Action, lines: number, added: string[]): Field[] {
	const shown = action.fields.filter(({ optional, path }) => !optional || added.includes(path));
	const ofLines = Array.from({ length: lines }, (_, line) =>
		action.lineFields.map((field) => ({
			...field,
			path: `belegzeilen.${line}.${field.path}`,
			name: `belegzeilen[${line + 1}].${field.name}`,
		})),
	);
	return [...shown, ...ofLines.flat()];
}

function entered(action: Action, fields: Field[], lines: number): fc.Arbitrary<Entered> {
	const plain = (name: string) => name.replace(/^.*\./, '');
	const values = fields.map((field) =>
		domain({ ...field, name: plain(field.name) }).map((value) => [field.path, value] as const),
	);
	const spoilable = fields.filter(({ name }) => name !== 'concurrency');
	const spoiling = fc
		.tuple(fc.constantFrom(...spoilable), nasty)
		.filter(([field, value]) => !delays(field, value));
	return fc.tuple(fc.tuple(...values), fc.array(spoiling, { maxLength: 2 })).map(([right, wrong]) => {
		const given: Given = Object.fromEntries(right);
		const amounts = Array.from({ length: lines }, (_, line) => given[`belegzeilen.${line}.betrag`]);
		if (lines > 0) given.betrag = totalOf(amounts);
		for (const [{ path }, value] of wrong) given[path] = value;
		const spoilt = wrong.map(([{ name }]) => name);
		return { given, spoilt: [...spoilt, ...consequences(action, spoilt, given, lines)] };
	});
}

/** Values that are right, but would have the run wait, stop, or send reads out of order. */
const delays = ({ name }: Field, value: unknown) =>
	['timeout', 'minimumCredits', 'activate'].includes(name) &&
	(value === true ||
		typeof value === 'number' ||
		(typeof value === 'string' && !Number.isNaN(Number(value))));

/** The fields that may be named because others are wrong, or don't fit to each other. */
function consequences({ lineFields }: Action, spoilt: string[], given: Given, lines: number): string[] {
	const named = ['from_date', 'to_date'].some((name) => `additionalFields.${name}` in given)
		? ['from_date']
		: [];
	if (lineFields.length > 0 && lines === 0) named.push('belegzeilen', 'betrag');
	if (spoilt.some((name) => name.endsWith('].betrag'))) named.push('betrag');
	if (spoilt.includes('tariff_settings')) named.push('postal_code');
	if (spoilt.includes('identification_medium')) named.push('phone_number');
	// An expression that fails takes the collection with it.
	for (const [path, value] of Object.entries(given)) {
		if ((value as { fails?: boolean } | null | undefined)?.fails) named.push(path.split('.')[0]);
	}
	return named;
}

/** The sum of amounts in any notation. */
function totalOf(amounts: unknown[]): number {
	const decimal = (amount: unknown) => {
		const text = String((amount ?? 0) as number | string).trim();
		return new Big(text.includes(',') ? text.replace(/\./g, '').replace(',', '.') : text);
	};
	return amounts.reduce<Big>((sum, amount) => sum.plus(decimal(amount)), new Big(0)).toNumber();
}

/** The form with an expression in each field. */
function parametersOf(action: Action, { lines, added }: Batch): INodeParameters {
	const parameters: INodeParameters = { ...action.chosen };
	const form = parameters as Record<string, Record<string, NodeParameterValueType>>;
	for (const { path, property, optional } of action.fields) {
		const [collection, name] = path.includes('.') ? path.split('.') : [undefined, path];
		if (optional && !added.includes(path)) continue;
		const expression = expressionOf(path);
		const value =
			property.type === 'resourceLocator' ? { __rl: true, mode: 'id', value: expression } : expression;
		if (collection) (form[collection] ??= {})[name] = value as NodeParameterValueType;
		else parameters[name] = value as NodeParameterValueType;
	}
	if (action.operation.kind === 'read') (form.options ??= {}).concurrency = 1;
	if (action.lineFields.length > 0) {
		const belegzeile = Array.from({ length: lines }, (_, line) =>
			Object.fromEntries(
				action.lineFields.map(({ path }) => [path, expressionOf(`belegzeilen.${line}.${path}`)]),
			),
		);
		parameters.belegzeilen = { belegzeile };
	}
	return parameters;
}

/** What of the run depends on the batch. */
const optionsOf = (action: Action, batch: Batch): RunOptions => ({
	node: action.node,
	parameters: parametersOf(action, batch),
	credential: recorder.credential,
	workflowName: WORKFLOW_NAME,
	workflowSettings: { timezone: batch.zone },
	items: batch.items.map(({ given }) => ({
		json: { given } as IDataObject,
		...(action.fields.some(({ name }) => name === 'datei' || name === 'belegbilder') && {
			files: filesOf(given),
		}),
	})),
});

/** Runs a batch and tells everything that is wrong with what came of it. */
async function faultsOf(action: Action, batch: Batch): Promise<string[]> {
	recorder.requests = [];
	const { main, error } = await runNode({
		...optionsOf(action, batch),
		settings: { onError: 'continueErrorOutput' },
	});
	if (error) return [`the whole run failed: ${error.message}`];

	const refusals = new Map((main[1] ?? []).map(({ json, pairedItem }) => [indexOf(pairedItem), json]));
	const sent = [...recorder.requests];
	const faults: string[] = [];
	const complain = (i: number, fault: string) => {
		const { given, spoilt } = batch.items[i];
		const values = spoilt.map(
			(name) =>
				`${name} = ${show(Object.entries(given).find(([path]) => path.endsWith(name.replace(/^belegzeilen\[\d+\]\./, '')))?.[1])}`,
		);
		faults.push(`item ${i}: ${fault} [${values.join(', ')}]`);
	};
	for (const [i, { given, spoilt }] of batch.items.entries()) {
		const refusal = refusals.get(i);
		if (refusal) {
			const atFault = [...spoilt, ...duplicate(action, batch, i), ...skipped(action, given, batch.zone)];
			for (const fault of wrongWith(refusal, atFault)) complain(i, fault);
			continue;
		}
		const request = sent.shift();
		if (!request) {
			complain(i, 'was neither sent nor refused');
			continue;
		}
		const { zone, lines } = batch;
		const meant: Meant = { given, lines, files: filesOf(given), zone, workflowName: WORKFLOW_NAME };
		for (const fault of [...judgement(request), ...differences(action, meant, request)]) complain(i, fault);
	}
	if (sent.length > 0) faults.push(`${sent.length} requests too many`);
	return faults;
}

const indexOf = (pairedItem: unknown) => (pairedItem as { item: number }).item;

/** What is wrong with a refusal: it must come before anything is sent, and name what is at fault and nothing else. */
function wrongWith(refusal: IDataObject, atFault: string[]): string[] {
	const { outcome, problems } = refusal.details as {
		outcome: string;
		problems?: Array<{ field: string; rule: string }>;
	};
	if (outcome !== 'invalid') return [`ended as ${outcome}: ${refusal.error as string}`];
	return problems!.flatMap(({ field, rule }) => {
		// What the engine `vm` can't hand over, like an object whose own `valueOf` is no function.
		if (IS_VM && rule.includes('could not be cloned')) return [];
		if (!(refusal.error as string).includes(field)) return [`the message lacks the field ${field}`];
		return atFault.includes(field) ? [] : [`${field} is refused without need: ${refusal.error as string}`];
	});
}

/** The field that must be unique in a run, where the item's value has come before. */
function duplicate({ operation }: Action, { items }: Batch, i: number): string[] {
	const name = operation.unique && ['belegnummer', 'ticket_id'].find((one) => one in items[i].given);
	if (!name) return [];
	const value = (item: Entered) => show(item.given[name]).toLowerCase();
	return items.slice(0, i).some((other) => value(other) === value(items[i])) ? [name] : [];
}

/** The fields with a local time that there never was in the zone. */
const skipped = ({ fields }: Action, given: Given, zone: string): string[] =>
	fields.flatMap(({ path, name, schema }) =>
		schema.format === 'date-time' && isSkipped(given[path], zone) ? [name] : [],
	);

/** What breaks the contract, the schema and what it says beside it. */
function judgement({ method, url, text, headers }: Recorded): string[] {
	const found = judge({ method, url, ...(text !== '' && { body: JSON.parse(text) as unknown }) });
	if (headers['x-api-key'] !== API_KEY) found.push('the API key is missing');
	if (text === '') return found;
	if (headers['content-type'] !== 'application/json')
		found.push(`the content type is ${headers['content-type']}`);
	if (headers['content-length'] !== String(Buffer.byteLength(text)))
		found.push('the length is not announced');
	return found;
}

/** Checks a property of an operation's batches. */
async function assertBatches<T>(batches: fc.Arbitrary<T>, items: number, check: (batch: T) => Promise<void>) {
	await fc.assert(fc.asyncProperty(batches, check), {
		numRuns: Math.ceil(items / BATCH),
		seed: SEED,
		// The faults name their items and values: nothing is gained by shrinking, nor by a print of them all.
		endOnFailure: true,
		asyncReporter: async ({ failed, seed, errorInstance }) => {
			if (failed) throw new Error(`Run again with PROOF_SEED=${seed}`, { cause: errorInstance });
			await Promise.resolve();
		},
	});
}

const TIMEOUT = 30_000 + RUNS * 100;

describe.each(actions)('$name', (action) => {
	it(
		'refuses, naming the field, or conforms',
		async () => {
			const items = action.operation.kind === 'write' ? RUNS : RUNS / 4;
			await assertBatches(batchOf(action), items, async (batch) => {
				expect(await faultsOf(action, batch)).toEqual([]);
			});
		},
		TIMEOUT,
	);
});

describe.each(writes)('$name in stop mode', (action) => {
	it(
		'sends nothing when an item breaks a rule, and lists every one of them',
		async () => {
			await assertBatches(batchOf(action), RUNS / 8, async (batch) => {
				const options = optionsOf(action, batch);
				const { main } = await runNode({ ...options, settings: { onError: 'continueErrorOutput' } });
				const refusals = main[1] ?? [];
				recorder.requests = [];
				const { error, json } = await runNode(options);
				if (refusals.length === 0) return expect([error, json.length]).toEqual([undefined, BATCH]);
				expect(recorder.requests).toEqual([]);
				expect(error?.message).toMatch(/^Nothing was sent: /);
				const expected = refusals.flatMap(({ json: { details }, pairedItem }) =>
					(details as { problems: Array<{ field: string; rule: string }> }).problems.map(
						({ field, rule }) => [`Item ${indexOf(pairedItem)}: `, `(${field}) `, escape(rule)],
					),
				);
				const lines = error?.description?.split('<br>').slice(1) ?? [];
				expect(lines).toHaveLength(expected.length);
				expected.forEach(([start, name, end], i) => {
					const line = lines[i];
					expect(line.startsWith(start) && line.includes(name) && line.endsWith(end), line).toBe(true);
				});
			});
		},
		TIMEOUT,
	);
});

describe.each(actions)('$name with a whole collection from an expression', (action) => {
	const collections = ['additionalFields', 'options', 'belegzeilen'] as const;
	const batch = fc.tuple(fc.constantFrom(...collections), fc.array(nasty, { minLength: 10, maxLength: 10 }));

	it('refuses or conforms', async () => {
		await assertBatches(batch, RUNS / 4, async ([collection, values]) => {
			recorder.requests = [];
			const { given } = fc.sample(entered(action, fieldsOf(action, 1, []), 1), 1)[0];
			const { parameters, ...options } = optionsOf(action, { zone: 'UTC', lines: 1, added: [], items: [] });
			const { error } = await runNode({
				...options,
				parameters: { ...parameters, [collection]: expressionOf(collection) },
				items: values.map((value) => ({ json: { given: { ...given, [collection]: value } }, files: FILES })),
				settings: { onError: 'continueErrorOutput' },
			});
			expect(error).toBeUndefined();
			expect(recorder.requests.flatMap(judgement)).toEqual([]);
		});
	});
});
