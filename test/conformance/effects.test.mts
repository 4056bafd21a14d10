/**
 * No setting is without effect: each field of each read, with each of its outputs, changes the requests or what comes out, or the form
 * hides it and the node refuses it by name.
 */
import difference from 'lodash/difference.js';
import map from 'lodash/map.js';
import omit from 'lodash/omit.js';
import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { ReadOperation } from '../../nodes/shared/operation.js';
import { Agent } from '../../host/harness.mjs';
import { locator } from '../support/dataNode.mjs';
import { useGateway } from '../support/useSandbox.mjs';
import { reads } from './operations.mjs';
import type { Action, Field } from './operations.mjs';
import { expressed, isShown, outputsOf, withValue } from './settings.mjs';

const gateway = useGateway({ now: new Date('2026-11-20T09:00:00Z') });

const ACCOUNT_ID = 'acc-giro';
const moduleOf = (endpoint: string) =>
	(/acct-(duo|rewe|rewe-read)\//.exec(endpoint)?.[1] ?? 'rewe-read') as 'duo' | 'rewe' | 'rewe-read';

/** What must have a value. */
const needed = ({ operation }: Action): INodeParameters => ({
	connectionId: locator(gateway.connectionId(moduleOf(operation.endpoint))),
	geschaeftsjahrStartDatum: locator('2026-01-01', 'value'),
	geschaeftsjahrId: locator('2026-11-20', 'day'),
	account_id: ACCOUNT_ID,
	amount: '119',
	text: '',
	name: '',
	day: '2026-11-20',
	seller: 'Stadtwerke',
	taxRates: '',
	module: 'rewe-read',
});

/** Another value than the form begins with, that the sandbox's books make visible. */
const OTHER: Record<string, NodeParameterValueType> = {
	asOf: 'lastMonth',
	bisPeriode: 3,
	compareWith: 'monthBefore',
	companyId: locator('29098-10002') as NodeParameterValueType,
	geschaeftsjahrStartDatum: locator('2025-01-01', 'value') as NodeParameterValueType,
	geschaeftsjahrId: locator('2025-11-20', 'day') as NodeParameterValueType,
	bankBalances: '[{"kontonummer": "1200", "eod": 1}]',
	clearingAccounts: '1000',
	kontonummer: locator('1200') as NodeParameterValueType,
	text: 'Miete',
	filter: 'creditors',
	stichtag: '2026-06-30',
	eb: 'raw',
	from_date: '2026-11-01',
	to_date: '2026-11-10',
	include_transactions: true,
	previousYears: 0,
	limit: 1,
	germanHeadings: true,
	includeCredits: true,
	minimumCredits: 1_000_000,
	quelle: 'Another',
	api: 'openbanking',
	module: 'rewe',
};
/** Two banks with another balance than the sandbox's books have, which are otherwise in order. */
const TWO_BANKS = '[{"kontonummer": "1200", "eod": 2}, {"kontonummer": "1210", "eod": 2}]';

/** What a field needs besides, with which both runs are compared. */
const BESIDE: Record<string, INodeParameters> = {
	bisPeriode: { asOf: 'period' },
	compareWith: { asOf: 'period', bisPeriode: 3 },
};

/** Fields that say what is asked for, and how long: their effects have tests of their own. */
const ELSEWHERE = [
	...[
		'connectionId',
		'account_id',
		'id',
		'output',
		'simple',
		'toolOutput',
		'toolFields',
		'timeout',
		'@limit',
	],
	// Of payments and sellers: verdicts.test, suggestAccount.test.
	...['amount', 'currency', 'name', 'day', 'direction', 'seller', 'taxRates', 'paymentTerm'],
	...['discount', 'discountDays', 'earlyDiscount', 'earlyDiscountDays', 'graceDays'],
];
const isElsewhere = ({ operation }: Action, { name, path }: Field) =>
	ELSEWHERE.includes(path === 'limit' ? '@limit' : name) ||
	// Of payments, what is compared; several items share one request, after which nothing could stop.
	(Boolean((operation as ReadOperation).makesOwnRecords) && ['text', 'minimumCredits'].includes(name));

/** Fields whose value goes to the gateway, which may answer the same. Of others, a request that changes nothing is no effect. */
const SENT = ['quelle', 'stichtag', 'geschaeftsjahrStartDatum', 'geschaeftsjahrId'];

/** Operations of a single record of another kind need an ID of theirs. */
const tested = reads.filter(({ fields }) => !fields.some(({ name }) => name === 'id'));

/** Everything that a person may notice of a run. */
async function effect(action: Action, parameters: INodeParameters) {
	const { node, chosen, operation, fields } = action;
	// Otherwise, each run would differ by its credits.
	await fetch(`${gateway.sandbox.url}/sandbox/reset`, { method: 'POST' });
	const names = fields.map(({ path }) => path.split('.')[0]);
	const must = needed(action);
	const own = omit(must, difference(Object.keys(must), names));
	const extra = operation.value === 'suggestAccount' ? { previousYears: 1 } : {};
	const all = { ...chosen, ...own, ...extra, ...parameters };
	const { json, error, hints } = await gateway.run(node, all, { items: [{ json: {} }, { json: {} }] });
	const asked = (await gateway.requests()).map(({ path, query }) => JSON.stringify([path, query])).sort();
	const said = map(hints, 'message');
	expect(said.join(' '), 'the sandbox says nothing besides').not.toContain('also says');
	return { asked: JSON.stringify(asked), seen: JSON.stringify([json, error?.message, said]), error };
}

/** What the form begins with in the choices that others depend on. */
const choicesOf = ({ fields }: Action): INodeParameters =>
	Object.fromEntries(
		fields
			.filter(({ path }) => ['output', 'asOf', 'compareWith'].includes(path))
			.map(({ path, property }) => [path, property.default as NodeParameterValueType]),
	);

describe.each(tested)('Of $name', (action) => {
	it.each(outputsOf(action.fields))(
		'each setting has an effect, or is hidden and refused: %j',
		async (output) => {
			const { fields } = action;
			const settings = fields.filter((field) => !isElsewhere(action, field));
			const without: string[] = [];
			const bases = new Map<string, Awaited<ReturnType<typeof effect>>>();
			for (const field of settings) {
				const { name, path } = field;
				const value = OTHER[name];
				expect(value, `a value of ${path}`).toBeDefined();
				const beside = BESIDE[name] ?? {};
				const key = JSON.stringify(beside);
				const base = {
					...expressed({
						...choicesOf(action),
						...output,
						...(output.simple === false ? {} : beside),
					}),
					...(output.output === 'review' && { additionalFields: { bankBalances: TWO_BANKS } }),
				};
				const before = bases.get(key) ?? (await effect(action, base));
				if (!bases.has(key)) expect(await effect(action, base), 'the same run again').toEqual(before);
				bases.set(key, before);
				const { asked, seen, error } = await effect(action, withValue(base, path, value));
				const isSame = seen === before.seen && !(SENT.includes(name) && asked !== before.asked);
				if (isShown(action.node, field.property, { ...action.chosen, ...output, ...beside })) {
					if (isSame) without.push(path);
				} else if (!error?.message.includes(`(${name}) `))
					without.push(`${path}, hidden, but not refused: ${error?.message}`);
			}
			expect(without).toEqual([]);
		},
		120_000,
	);
});

it('An agent’s tool with a filter of rows isn’t given other rows as the gateway’s untouched answer', async () => {
	const journal = tested.find(({ name }) => name.endsWith('journalBooking getAll'))!;
	const call = async (toolOutput: string) => {
		const agent = new Agent([{}]);
		const parameters = {
			...journal.chosen,
			connectionId: locator(gateway.connectionId('rewe-read')),
			geschaeftsjahrStartDatum: locator('2026-01-01', 'value'),
			additionalFields: { kontonummer: locator('1000') },
			toolOutput: `={{ "${toolOutput}" }}`,
		};
		await gateway.run(journal.node, parameters, { agent });
		return agent.heard.join();
	};
	expect(await call('raw')).toContain('has no effect where toolOutput is');
	expect(await call('simplified')).toContain('kontonummer');
	expect(await call('selected')).toContain('(toolFields) must name at least one field');
});
