/**
 * Whatever is entered, a node either refuses it before sending anything, naming the field, or sends a request that
 * conforms to the contract and means what was entered. There is no third outcome.
 *
 * Thousands of cases for each operation: see docs/dev/testing.md.
 */
import { Big } from 'big.js';
import fc from 'fast-check';
import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import unescape from 'lodash/unescape.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { judge } from '../../api/contract.mjs';
import { FakeDatabase } from '../support/fakeDatabase.mjs';
import { runNode, type RunOptions, type TestFile } from '../../host/harness.mjs';
import { itemsIn } from '../support/useSandbox.mjs';
import { assertProperty, RUNS } from '../../scripts/base/extent.mjs';
import { currencies, domain, expressionOf, movements, nasty } from './domains.mjs';
import { amountOf, differences, type Given, isSkipped, type Meant, namesOf, show } from './fidelity.mjs';
import { decimalsOf } from './money.mjs';
import { type Action, actions, type Field, writes } from './operations.mjs';
import { API_KEY, type Recorded, useRecorder } from './recorder.mjs';

const recorder = useRecorder();

const IS_VM = process.env.N8N_EXPRESSION_ENGINE === 'vm';
/** Items in one execution. */
const BATCH = 20;

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

/** An item's files: an empty one only if it is named, because `*` would find it, too. */
const filesOf = (given: Given) =>
	[given.datei, given.belegbilder].some((name) => show(name).includes('leer'))
		? { ...FILES, leer: EMPTY_FILE }
		: FILES;

/** The input of one execution: the form's shape, and each item's values. */
interface Batch {
	zone: string;
	/** The number of lines in the form. */
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
	// These concern all items.
	const optional = action.fields.filter(
		({ optional, name }) => optional && !['kassenbestand', 'onlyOnceFor'].includes(name),
	);
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
				items: fc
					.array(entered(action, fields, form.lines), { minLength: BATCH, maxLength: BATCH })
					.map((items) => withRepetition(action, items)),
			});
		});
}

/** The form's fields, each with its path and name. */
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

/** The very last item is the same record as the first, if records can be told apart. */
function withRepetition(action: Action, items: Entered[]): Entered[] {
	const [first] = items;
	const last = items[items.length - 1];
	const identity = identityOf(action);
	// Documents without an ID that was given are told apart by their content: see idFromContent.test.mts.
	if (identity?.of(first.given) === undefined) return items;
	const repeated = Object.fromEntries(
		identity.paths.flatMap((path) => (path in first.given ? [[path, first.given[path]]] : [])),
	);
	return [
		...items.slice(0, -1),
		{ given: { ...last.given, ...repeated }, spoilt: [...last.spoilt, ...first.spoilt] },
	];
}

const entered = (action: Action, fields: Field[], lines: number): fc.Arbitrary<Entered> =>
	fc
		.tuple(currencies, movements)
		.chain(([currency, movement]) => enteredIn(currency, movement, action, fields, lines));

function enteredIn(
	currency: string,
	movement: string,
	action: Action,
	fields: Field[],
	lines: number,
): fc.Arbitrary<Entered> {
	const plain = (name: string) => name.replace(/^.*\./, '');
	// In an entry with lines, the movement decides whether amounts have a sign.
	const isUnsigned = action.lineFields.length > 0 && movement.trim() !== '';
	const values = fields.map((field) => {
		if (action.lineFields.length > 0 && field.name === 'bewegung') {
			return fc.constant([field.path, movement] as const);
		}
		const schema =
			isUnsigned && plain(field.path) === 'betrag' ? { ...field.schema, minimum: 0 } : field.schema;
		return domain({ ...field, name: plain(field.name), schema }, currency).map(
			(value) => [field.path, value] as const,
		);
	});
	const spoilable = fields.filter(({ name }) => name !== 'combineBy');
	const spoiling = fc
		.tuple(fc.constantFrom(...spoilable), nasty)
		.filter(([field, value]) => !delays(field, value));
	return fc.tuple(fc.tuple(...values), fc.array(spoiling, { maxLength: 2 })).map(([right, wrong]) => {
		const given: Given = Object.fromEntries(right);
		const amounts = Array.from({ length: lines }, (_, line) => given[`belegzeilen.${line}.betrag`]);
		if (lines > 0) given.betrag = totalOf(amounts, currency);
		for (const [{ path }, value] of wrong) given[path] = value;
		const spoilt = wrong.map(([{ name }]) => name);
		return { given, spoilt: [...spoilt, ...consequences(action, spoilt, given, lines)] };
	});
}

/** Valid values that would make the run fail, stop, or send something else. */
const delays = ({ name }: Field, value: unknown) =>
	(['activate', 'alreadyUploaded', 'dryRun', 'idFromContent'].includes(name) && value === true) ||
	// Another value, or none, than other items have.
	(['concurrency', 'timeout', 'minimumCredits'].includes(name) &&
		(/\d/.test(show(value)) || ['undefined', 'null', ''].includes(String(value as string).trim())));

/** Whether a field has no effect with some values of others, for which it is refused: see effects.test.mts. */
function needsOthers({ name, property: { displayOptions: { show, hide } = {} } }: Field): boolean {
	const others = Object.keys({ ...show, ...hide }).some(
		(other) => !['resource', 'operation', '@tool'].includes(other),
	);
	return others || ['discountDays', 'earlyDiscountDays', 'graceDays'].includes(name);
}

/** The fields that may be named because others are wrong or contradict each other. */
function consequences(
	{ fields, lineFields }: Action,
	spoilt: string[],
	given: Given,
	lines: number,
): string[] {
	const named = ['from_date', 'to_date'].some((name) => `additionalFields.${name}` in given)
		? ['from_date']
		: [];
	named.push(...fields.filter(needsOthers).map(({ name }) => name));
	if (lineFields.length > 0 && lines === 0) named.push('belegzeilen', 'betrag');
	// Then the lines come from another field.
	if (spoilt.includes('belegzeilenFrom')) named.push('belegzeilen', 'belegzeilenJson', 'betrag');
	if (spoilt.some((name) => name.endsWith('].betrag'))) named.push('betrag');
	// Amounts may name a currency and have its decimals. The movement decides whether they may be negative.
	if (spoilt.includes('waehrung') || (spoilt.includes('bewegung') && lineFields.length > 0)) {
		named.push('betrag', ...Array.from({ length: lines }, (_, line) => `belegzeilen[${line + 1}].betrag`));
	}
	// Several documents can't have one ID or name.
	if ('datei' in given && namesOf(given.datei, filesOf(given)).length > 1) {
		named.push('id', 'belegId', 'dateiname');
	}
	// A name is for one receipt.
	if ('belegbilder' in given && namesOf(given.belegbilder, filesOf(given)).length !== 1) {
		named.push('dateiname');
	}
	// Whether a period's number is a month depends on the fiscal year's first day.
	if ('bisPeriode' in given) named.push('bisPeriode');
	if (spoilt.includes('tariff_settings')) named.push('postal_code');
	if (spoilt.includes('identification_medium')) named.push('phone_number');
	if (spoilt.includes('paymentTerm')) named.push('discount', 'earlyDiscount');
	// A failing expression makes the whole collection fail.
	for (const [path, value] of Object.entries(given)) {
		if ((value as { fails?: boolean } | null | undefined)?.fails) named.push(path.split('.')[0]);
	}
	return named;
}

/** The sum of amounts in any notation. */
function totalOf(amounts: unknown[], currency: string): number {
	const sum = amounts.reduce<Big>((total, amount) => total.plus(amountOf(amount)), new Big(0));
	return sum.round(decimalsOf(currency) ?? 4).toNumber();
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

/** The run's settings that depend on the batch. */
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

/** Runs a batch and returns everything wrong with the result. */
async function faultsOf(action: Action, batch: Batch): Promise<string[]> {
	recorder.requests = [];
	const { main, error } = await runNode({
		...optionsOf(action, batch),
		settings: { onError: 'continueErrorOutput' },
	});
	if (error) return [`the whole run failed: ${error.message}`];

	const refusals = new Map((main[1] ?? []).map(({ json, pairedItem }) => [indexOf(pairedItem), json]));
	// What an operation looks up besides, such as the chart of accounts, has to conform; how often it asks is its own affair.
	const looksUp = action.operation.kind === 'read' && action.operation.lookUp;
	const isLookUp = (request: Recorded) =>
		looksUp && request.call?.operation.id !== action.contract.id && judgement(request).length === 0;
	const sent = recorder.requests.filter((request) => !isLookUp(request));
	const faults: string[] = [];
	const complain = (i: number, fault: string) => {
		const values = Object.entries(batch.items[i].given).map(([path, value]) => `${path} = ${show(value)}`);
		faults.push(`item ${i}: ${fault}\n    ${values.join('\n    ')}`);
	};
	const identities = new Set<string>();
	const { zone, lines } = batch;
	for (const [i, { given, spoilt }] of batch.items.entries()) {
		const refusal = refusals.get(i);
		if (refusal) {
			const atFault = [...spoilt, ...repeated(action, batch, i), ...skipped(action, given, batch.zone)];
			for (const fault of wrongWith(refusal, atFault)) complain(i, fault);
			continue;
		}
		const files = filesOf(given);
		// Each of several files is its own document.
		const parts = 'datei' in given ? namesOf(given.datei, files).length : 1;
		for (let part = 0; part < parts; part++) {
			const meant: Meant = { given, lines, files, zone, workflowName: WORKFLOW_NAME, part };
			const wrong = (request: Recorded) => [...judgement(request), ...differences(action, meant, request)];
			// Simultaneous requests may arrive in any order.
			const fitting = sent.findIndex((request) => wrong(request).length === 0);
			const [request] = sent.splice(Math.max(fitting, 0), 1);
			if (!request) complain(i, 'was neither sent nor refused');
			else for (const fault of wrong(request)) complain(i, fault);
		}
		const identity = identityOf(action)?.of(given);
		if (identity !== undefined && identities.has(identity)) complain(i, 'was sent a second time');
		if (identity !== undefined) identities.add(identity);
	}
	if (sent.length > 0) faults.push(`${sent.length} requests too many`);
	return faults;
}

const indexOf = (pairedItem: unknown) => (pairedItem as { item: number }).item;

/** What is wrong with a refusal: it must come before anything is sent, and name exactly what is at fault. */
function wrongWith(refusal: IDataObject, atFault: string[]): string[] {
	const { outcome, issues } = refusal.details as {
		outcome: string;
		issues?: Array<{ field: string; rule: { en: string } }>;
	};
	if (outcome !== 'invalid') return [`ended as ${outcome}: ${refusal.error as string}`];
	return issues!.flatMap(({ field, rule: { en: rule } }) => {
		// What the engine `vm` can't pass on, like an object whose own `valueOf` isn't a function.
		if (IS_VM && rule.includes('could not be cloned')) return [];
		if (!(refusal.error as string).includes(field)) return [`the message lacks the field ${field}`];
		return atFault.includes(field) ? [] : [`${field} is refused without need: ${refusal.error as string}`];
	});
}

/** What must be unique in a run, and in which scope. */
const IDENTITIES: Record<string, { field: string; within: string[] }> = {
	createCashBookEntry: { field: 'belegnummer', within: ['connectionId', 'kassenname'] },
	uploadDuoDocument: { field: 'additionalFields.id', within: ['connectionId'] },
	uploadReweDocument: { field: 'additionalFields.belegId', within: ['connectionId'] },
	activateTicket: { field: 'ticket_id', within: [] },
};
/** UUIDs are the same in capital letters. */
const ANY_CASE = ['connectionId', 'additionalFields.id', 'additionalFields.belegId', 'ticket_id'];

/** What identifies an item's record, if anything does. */
function identityOf({ contract }: Action) {
	if (!(contract.id in IDENTITIES)) return undefined;
	const { field, within } = IDENTITIES[contract.id];
	const paths = [...within, field];
	const of = (given: Given): string | undefined => {
		const values = paths.map((path) => {
			const text = typeof given[path] === 'string' ? given[path].trim() : show(given[path] ?? '');
			return ANY_CASE.includes(path) ? text.toLowerCase() : text;
		});
		return values.at(-1) === '' || values.at(-1) === '""' ? undefined : JSON.stringify(values);
	};
	return { field: field.replace(/^.*\./, ''), paths, of };
}

/** The field that must be unique in a run, if the same record occurred before. */
function repeated(action: Action, { items }: Batch, i: number): string[] {
	const identity = identityOf(action);
	const own = identity?.of(items[i].given);
	const isRepeated = own !== undefined && items.slice(0, i).some(({ given }) => identity?.of(given) === own);
	return isRepeated ? [identity!.field] : [];
}

/** The fields with a local time that doesn't exist in the zone. */
const skipped = ({ fields }: Action, given: Given, zone: string): string[] =>
	fields.flatMap(({ path, name, schema }) =>
		schema.format === 'date-time' && isSkipped(given[path], zone) ? [name] : [],
	);

/** Violations of the contract: of its schemas and of its other rules. */
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

/** Fails with the first fault in full. */
function expectNone(faults: string[]): void {
	const more = faults.length > 1 ? `\n… and ${faults.length - 1} more in the same run` : '';
	if (faults.length > 0) throw new Error(faults[0] + more);
}

const TIMEOUT = 120_000 + RUNS * 100;

// n8n's database, where the nodes record what was booked.
beforeEach(() => new FakeDatabase(0).install());

describe.each(actions)('$operation.action', (action) => {
	it(
		'with any values in any fields is refused by field, or sends a request that conforms and means them',
		async () => {
			// Items per write; reads have fewer values.
			const items = action.operation.kind === 'write' ? RUNS : RUNS / 4;
			await assertProperty(batchOf(action), items / BATCH, async (batch) => {
				expectNone(await faultsOf(action, batch));
			});
		},
		TIMEOUT,
	);
});

describe.each(writes)('$operation.action in stop mode', (action) => {
	it(
		'sends nothing when an item breaks a rule, and lists every one of them',
		async () => {
			await assertProperty(batchOf(action), RUNS / 8 / BATCH, async (batch) => {
				const options = optionsOf(action, batch);
				const { main } = await runNode({ ...options, settings: { onError: 'continueErrorOutput' } });
				const refusals = main[1] ?? [];
				recorder.requests = [];
				const { error, json } = await runNode(options);
				if (refusals.length === 0) {
					expect([error, json.length]).toEqual([undefined, main[0].length]);
					return;
				}
				expect(recorder.requests).toEqual([]);
				expect(error?.message).toMatch(/^Nothing was (?:sent|read): /);
				const expected = refusals.flatMap(({ json: { details }, pairedItem }) =>
					(details as { issues: Array<{ field: string; rule: { en: string } }> }).issues.map(
						({ field, rule: { en: rule } }) => ({ item: indexOf(pairedItem), name: `(${field}) `, rule }),
					),
				);
				const [, first] = /^Nothing was (?:sent|read): ([^]*?)(?: \(and \d+ more, see below\))?$/.exec(
					error!.message,
				)!;
				const [, ...others] = error!.description!.split('<br>').map((line) => unescape(line));
				const told = [/^([^]*) \[items? ([\d–, ]+?)(?:, “[^]*”)?\]$/.exec(first)!]
					.map(([, text, list]) => ({ text, items: itemsIn(list) }))
					.concat(
						others
							.map((line) => /^Items? ([\d–, ]+?)(?:, “[^]*?”)?: ([^]*)$/.exec(line)!)
							.map(([, list, text]) => ({ text, items: itemsIn(list) })),
					);
				for (const { item, name, rule } of expected) {
					const isTold = ({ text, items }: (typeof told)[number]) =>
						items.includes(item) && text.includes(name) && text.endsWith(rule);
					expect(told.some(isTold), `${item} ${name}${rule}`).toBe(true);
				}
				expect(new Set(told.map(({ text }) => text)).size).toBe(told.length);
				expect(new Set(told.flatMap(({ items }) => items)).size).toBe(refusals.length);
			});
		},
		TIMEOUT,
	);
});

describe.each(actions)('$operation.action with a whole collection from an expression', (action) => {
	const collections = ['additionalFields', 'options', 'belegzeilen'] as const;
	const batch = fc.tuple(
		fc.constantFrom(...collections),
		entered(action, fieldsOf(action, 1, []), 1),
		fc.array(nasty, { minLength: 10, maxLength: 10 }),
	);

	it('is refused, or sends a request that conforms', async () => {
		await assertProperty(batch, RUNS / 4 / BATCH, async ([collection, { given }, values]) => {
			recorder.requests = [];
			const { parameters, ...options } = optionsOf(action, { zone: 'UTC', lines: 1, added: [], items: [] });
			const { error } = await runNode({
				...options,
				parameters: { ...parameters, [collection]: expressionOf(collection) },
				items: values.map((value) => ({ json: { given: { ...given, [collection]: value } }, files: FILES })),
				settings: { onError: 'continueErrorOutput' },
			});
			expect(error).toBeUndefined();
			expectNone(recorder.requests.flatMap(judgement));
		});
	});
});
