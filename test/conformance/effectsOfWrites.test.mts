/**
 * No setting is without effect: each field of each write, with each of its outputs, changes what is sent or what comes out, of a run or
 * of its repetition, or the form hides it and the node refuses it by name.
 */
import map from 'lodash/map.js';
import omit from 'lodash/omit.js';
import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { connectionOf } from '../../host/workflows.mjs';
import type { Module } from '../../sandbox/seed.mjs';
import { partialTickets } from '../resilience/bookings.mjs';
import { FakeDatabase } from '../support/fakeDatabase.mjs';
import { useGateway } from '../support/useSandbox.mjs';
import { exampleParameters, FILE } from './examples.mjs';
import { writes } from './operations.mjs';
import type { Action } from './operations.mjs';
import { expressed, isShown, outputsOf, withValue } from './settings.mjs';

const gateway = useGateway({ now: new Date('2026-11-20T09:00:00Z') });

type Value = NodeParameterValueType;
const UUID = '3f1f8f0e-7f0a-4f57-9d0b-2a8a4f1d9c11';

/** Another value than the example's. */
const OTHER: Record<string, Value> = {
	kassenname: 'Kasse Filiale Süd',
	bewegung: 'EINNAHME',
	betrag: '1',
	waehrung: 'CHF',
	steuersatz: '7',
	transaktionsdatum: '2026-11-18',
	belegnummer: 'K-78',
	belegtext: 'Anderes',
	belegbilder: 'more',
	gegenkonto: '4930',
	belegNummer: 'RE-1',
	alreadyBooked: true,
	earlierYears: true,
	kassenbestand: '1.000,00',
	combineBy: 'R-1',
	belegzeilenFrom: 'json',
	belegzeilen: { belegzeile: [{ betrag: '3', belegtext: 'Eine' }] },
	belegzeilenJson: '[{"betrag": 3, "belegtext": "Eine"}]',
	prozent: '7',
	buSchluessel: '8',
	kostenstelle1: '100',
	kostenstelle2: '200',
	datei: 'more',
	belegtyp: 'Sonstige',
	belegdatum: '2026-11-18',
	dateiname: 'Anders.pdf',
	belegnotiz: 'Bitte prüfen',
	id: UUID,
	belegId: UUID,
	idFromContent: false,
	alreadyUploaded: true,
	onlyOnceFor: '4711',
	product_id: 'tagesticket-plus',
	customer_id: UUID,
	postal_code: '01067',
	phone_number: '+491709999999',
	tariff_settings: '{"zone": 3}',
	identification_medium: '{"card": 3}',
	coupon_id: 'CPN-9',
	ticket_id: UUID,
	name: 'Andere GmbH',
	street: 'Am Tor 1',
	city: 'Fürth',
	url: 'https://n8n.example.org/webhook/other',
	allowPrivateUrl: true,
	urlField: 'address',
	simple: false,
	dryRun: true,
	includeCredits: true,
	minimumCredits: 1_000_000,
	quelle: 'Another',
};

/** What a field needs besides, with which both runs are compared. */
const BESIDE: Record<string, INodeParameters> = {
	// Of an advanced entry, amounts without a minus are income by themselves.
	bewegung: { bewegung: 'AUSGABE' },
	earlierYears: { transaktionsdatum: '2024-01-15' },
	allowPrivateUrl: { url: 'http://localhost:5678/webhook/x' },
};

/** Says where it is sent; how long one waits; and what an agent's tool has, which `form.test` and `toolOutput.test` cover. */
const ELSEWHERE = ['connectionId', 'timeout', 'toolOutput', 'toolFields'];

const LINE: INodeParameters = { betrag: '59.5', prozent: '19', belegtext: 'Zwei' };
const FILES = [1, 2].map((n) => ({
	data: { ...FILE, content: Buffer.from(`Beleg ${n}`) },
	more: { ...FILE, content: Buffer.from(`Anlage ${n}`), fileName: 'Anlage.pdf' },
}));

/** The form filled in, with the files of `data` alone. */
function filled(action: Action, beside: INodeParameters): INodeParameters {
	const { fields, contract } = action;
	const module = (/acct-(duo|rewe)\//.exec(contract.path)?.[1] ?? 'duo') as Module;
	const files = Object.fromEntries(
		fields.filter(({ name }) => ['datei', 'belegbilder'].includes(name)).map(({ name }) => [name, 'data']),
	);
	const has = (name: string) => fields.some((field) => field.name === name);
	return exampleParameters(action, {
		connectionId: connectionOf(gateway.sandbox, module),
		...(has('transaktionsdatum') && { transaktionsdatum: '2026-11-19' }),
		...(has('belegnummer') && { belegnummer: '=K-{{ $json.n }}' }),
		...(has('ticket_id') && { ticket_id: '={{ $json.mark }}', coupon_id: '={{ $json.coupon_id }}' }),
		...(has('product_id') && { product_id: 'regio-handyticket', phone_number: '+491701234567' }),
		...files,
		...beside,
	});
}

/** Everything that a person may notice of a run and of its repetition. */
async function effect({ node, contract }: Action, parameters: INodeParameters) {
	await fetch(`${gateway.sandbox.url}/sandbox/reset`, { method: 'POST' });
	new FakeDatabase().install();
	const tickets = contract.id === 'activateTicket' ? await partialTickets(gateway.sandbox) : [];
	const items = FILES.map((files, i) => ({ json: { n: i + 1, ...tickets[i] }, files }));
	const seen: unknown[] = [];
	const errors: string[] = [];
	for (let time = 0; time < 2; time++) {
		const { json, error, hints } = await gateway.run(node, parameters, { items, workflowId: 'one' });
		seen.push(json, error?.message, map(hints, 'message'));
		errors.push(error?.message ?? '');
	}
	const asked = (await gateway.requests()).map(({ path, query, body }) =>
		JSON.stringify([path, query, body]),
	);
	return { seen: steady(JSON.stringify([asked.sort(), seen])), error: errors[0] };
}

/** What differs from run to run: IDs and times that the sandbox makes, and which of two requests at once cost which credit. */
const steady = (text: string) =>
	text
		.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => (id === UUID ? id : 'ID'))
		.replace(/"neuesGuthaben":\d+/g, '"neuesGuthaben":1')
		.replace(/\b(?:CPN|TCK|ORD|SUB)-\d+/g, 'NUMBER');

/** The fields that hold the lines of an entry. */
const listsOfLines = ({ node, lineFields }: Action) =>
	node.description.properties
		.filter(({ name }) => lineFields.length > 0 && name === 'belegzeilen')
		.map((property) => ({ path: property.name, name: property.name, property }));

/** Where the lines come from, and the outputs. */
const formsOf = ({ fields, lineFields }: Action): INodeParameters[] =>
	outputsOf(fields).flatMap((output) =>
		lineFields.length === 0
			? [output]
			: ['fields', 'json'].map((belegzeilenFrom): INodeParameters => ({ ...output, belegzeilenFrom })),
	);

/** The lines of an entry, where they are expected. */
const linesFor = ({ belegzeilenFrom: from }: INodeParameters, line: INodeParameters): INodeParameters => {
	if (from === 'json') return { betrag: '', belegzeilenJson: JSON.stringify([line]) };
	return from === 'fields' ? { betrag: '', belegzeilen: { belegzeile: [line] } } : {};
};

describe.each(writes)('Of $name', (action) => {
	const { fields, lineFields, node, chosen } = action;

	it.each(formsOf(action))(
		'each setting has an effect, or is hidden and refused: %j',
		async (form) => {
			const bases = new Map<string, string>();
			const baseOf = async (beside: INodeParameters) => {
				const base = {
					...omit(filled(action, beside), 'belegzeilen'),
					...linesFor(form, LINE),
					...expressed(form),
				};
				const key = JSON.stringify(beside);
				const before = bases.get(key) ?? (await effect(action, base)).seen;
				if (!bases.has(key)) expect((await effect(action, base)).seen, 'the same run again').toBe(before);
				bases.set(key, before);
				return { base, before };
			};
			const without: string[] = [];
			for (const { name, path, property } of [...fields, ...listsOfLines(action)]) {
				if (ELSEWHERE.includes(name)) continue;
				expect(OTHER[name], `a value of ${path}`).toBeDefined();
				const beside = BESIDE[name] ?? {};
				const { base, before } = await baseOf(beside);
				const isOther = form[name] === OTHER[name];
				const changed = withValue(base, path, isOther ? (property.default as Value) : OTHER[name]);
				const { seen, error } = await effect(action, changed);
				if (isShown(node, property, { ...chosen, ...form, ...beside })) {
					if (seen === before) without.push(path);
				} else if (!error.includes(`(${name}) `)) without.push(`${path}, hidden, but not refused: ${error}`);
			}
			for (const { name } of lineFields) {
				const { base, before } = await baseOf({});
				const line = { ...LINE, [name]: OTHER[name] } as INodeParameters;
				if ((await effect(action, { ...base, ...linesFor(form, line) })).seen === before)
					without.push(`line.${name}`);
			}
			expect(without).toEqual([]);
		},
		120_000,
	);
});
