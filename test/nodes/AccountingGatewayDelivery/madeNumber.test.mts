/** Entries without a number: the node makes it from their content, so that the same entry is booked once. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { RunOptions, TestItem } from '../../../host/harness.mjs';
import { simpleEntry } from '../../../host/workflows.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const NUMBER = /^[0-9A-HJKMNP-TV-Z]{6}(-[0-9A-HJKMNP-TV-Z]{6}){4}$/;

/** An entry without a number; what differs is in the items. */
const entry = (own: INodeParameters = {}) =>
	simpleEntry(gateway.connectionId('duo'), {
		belegnummer: '',
		betrag: '={{ $json.betrag ?? 10 }}',
		belegtext: '={{ $json.text ?? "Tageseinnahme" }}',
		...own,
	});
const run = async (items: TestItem[], own: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
	await gateway.run(node, entry(own), { items, ...options });
const booked = async () =>
	(await gateway.list('entries')).map(({ fields }) => (fields as IDataObject).belegnummer);
const refuse = async (contains: string) =>
	await gateway.fault({ operationId: 'createCashBookEntry', kind: 'status', status: 422, contains });
const existed = ({ json }: { json: IDataObject[] }) => json.map(({ alreadyExisted }) => alreadyExisted);
const numbersIn = (json: IDataObject[]) => json.map(({ belegnummer }) => belegnummer);

describe('An entry without a number that comes again', () => {
	const purchases: TestItem[] = [{ json: { betrag: 1 } }, { json: { betrag: 2 } }, { json: { betrag: 3 } }];

	it('is booked once: the gateway that has it is no error, and the output and a warning say so', async () => {
		const first = await run(purchases);
		expect(first.error).toBeUndefined();
		expect(existed(first)).toEqual([false, false, false]);
		const numbers = numbersIn(first.json) as string[];
		expect(new Set(numbers).size).toBe(3);
		for (const number of numbers) expect(number).toMatch(NUMBER);

		const again = await run([...purchases].reverse());
		expect(again.error).toBeUndefined();
		expect(again.main[0]).toMatchObject([
			{
				json: { belegnummer: numbers[2], betrag: 3, kassenname: 'Hauptkasse', alreadyExisted: true },
				pairedItem: { item: 0 },
			},
			{ json: { belegnummer: numbers[1], alreadyExisted: true }, pairedItem: { item: 1 } },
			{ json: { belegnummer: numbers[0], alreadyExisted: true }, pairedItem: { item: 2 } },
		]);
		expect(again.hints).toContainEqual(
			expect.objectContaining({
				type: 'warning',
				message: expect.stringContaining(`Item 1: belegnummer ${numbers[2]} was already booked`) as string,
			}),
		);
		expect(await booked()).toEqual(numbers);
	});

	it.each([
		['02.03.2026', '2026-03-02T12:00:00-05:00', '2026-03-02T12:00:00+01:00'],
		['02.03.2026 23:30', '2026-03-02T23:30:00-05:00', '2026-03-02T23:30:00+01:00'],
		['2026-03-02T23:30:00Z', '2026-03-02T18:30:00-05:00', '2026-03-03T00:30:00+01:00'],
		// Midnight in one of the two zones, and in none.
		['2026-03-02T23:00:00Z', '2026-03-02T18:00:00-05:00', '2026-03-03T12:00:00+01:00'],
		['2026-03-02T05:00:00.000Z', '2026-03-02T12:00:00-05:00', '2026-03-02T06:00:00+01:00'],
		['2026-03-02T00:00:00.000Z', '2026-03-01T19:00:00-05:00', '2026-03-02T01:00:00+01:00'],
	])('of %s has the same number after the time zone was put right', async (day, before, after) => {
		const own = { transaktionsdatum: day };
		const first = await run(purchases, own, { workflowSettings: { timezone: 'America/New_York' } });
		expect(first.json[0].transaktionsdatum).toBe(before);
		const again = await run(purchases, own, { workflowSettings: { timezone: 'Europe/Berlin' } });
		expect(again.json).toMatchObject(
			first.json.map(({ belegnummer }) => ({
				belegnummer,
				transaktionsdatum: after,
				alreadyExisted: true,
			})),
		);
		expect(await booked()).toEqual(numbersIn(first.json));
	});

	it('has the fields and the sign of one that was just booked', async () => {
		const expense = { bewegung: 'AUSGABE', additionalFields: { gegenkonto: '4930' } };
		const [first] = (await run([{}], expense)).json;
		const [again] = (await run([{}], expense)).json;
		const { steuersatz, warnings, ...others } = again;
		expect({ ...others, steuersatz }).toEqual({ ...first, alreadyExisted: true, steuersatz });
		expect(warnings).toMatchObject([
			{
				de: expect.stringMatching(
					/war schon gebucht, .* ändern Sie den Text, oder geben Sie ihm eine eigene Nummer\.$/,
				),
			},
		]);
		expect(again.betrag).toBe(-10);
	});

	it('is the same with the line breaks of Excel (LF) as with those of CSV (CRLF), and is booked in one line', async () => {
		const [excel, csv] = ['\n', '\r\n'].map((lines) => ({ json: { text: `Brot${lines}Butter` } }));
		expect((await run([excel])).json).toMatchObject([{ belegtext: 'Brot Butter', alreadyExisted: false }]);
		expect((await run([csv])).json).toMatchObject([{ belegtext: 'Brot Butter', alreadyExisted: true }]);
		expect(await booked()).toHaveLength(1);
	});

	it('is an error where the gateway refuses it for another reason, like a locked period', async () => {
		const body = { error: 'Die Periode ist gesperrt' };
		await gateway.fault({ operationId: 'createCashBookEntry', kind: 'status', status: 409, body });
		const { error } = await run([{}]);
		expect(error).toMatchObject({ httpCode: '409', message: expect.stringContaining('gesperrt') });
		// Nobody knows the number that the node has made.
		expect(error?.description).toMatch(/^“[^”]+”, belegnummer [0-9A-Z-]{34}: /);
		expect(await booked()).toEqual([]);
	});
});

it('Equal entries without a number in one run have numbers of their own, the same in the next run, in any order', async () => {
	const coffee: TestItem = { json: { text: 'Kaffee' } };
	const tea: TestItem = { json: { text: 'Tee' } };
	const first = await run([coffee, coffee, tea, coffee]);
	expect(existed(first)).toEqual([false, false, false, false]);
	expect(new Set(await booked()).size).toBe(4);
	const again = await run([tea, coffee, coffee, coffee]);
	expect(existed(again)).toEqual([true, true, true, true]);
	expect(new Set(numbersIn(again.json))).toEqual(new Set(numbersIn(first.json)));
	// One more than before is new.
	const more = await run([coffee, coffee, coffee, coffee]);
	expect(existed(more)).toEqual([true, true, true, false]);
});

const photos = (...contents: string[]): TestItem => ({
	files: Object.fromEntries(
		contents.map((content, i) => [
			`Fotos_${i}`,
			{ content: Buffer.from(content), fileName: `IMG_${Math.random()}.jpg` },
		]),
	),
});

it('The receipts of an entry without a number belong to its content: their bytes, not their names and order', async () => {
	const [first] = (await run([photos('a', 'b')])).json;
	const [same] = (await run([photos('b', 'a')])).json;
	expect(same).toMatchObject({ belegnummer: first.belegnummer, alreadyExisted: true });
	const others = await run([photos('a'), photos('a', 'c'), photos('ab'), {}]);
	expect(existed(others)).toEqual([false, false, false, false]);
	expect(new Set(await booked()).size).toBe(5);
});

it('With Retry of entries without a number nothing is sent twice, and what was refused gets the number that it had', async () => {
	await refuse('falsch');
	const items: TestItem[] = [{ json: { text: 'a' } }, { json: { text: 'falsch' } }, { json: { text: 'a' } }];
	const failed = await run(items);
	expect(failed.error?.message).toContain('item 2');
	const { error, json } = await run(items, {}, { retryOf: failed.run });
	expect(error).toBeUndefined();
	expect(json.map(({ alreadyExisted }) => alreadyExisted)).toEqual([false, false, false]);
	expect(await booked()).toHaveLength(3);
	expect((await gateway.requests()).filter(({ method }) => method === 'POST')).toHaveLength(4);
});

it('A dry run shows the number that an entry would get', async () => {
	const { json } = await run([{}, {}], { options: { dryRun: true } });
	const real = await run([{}, {}]);
	expect(json.map(({ body }) => (body as IDataObject).belegnummer)).toEqual(numbersIn(real.json));
	expect((json[0].summary as IDataObject).de).toContain(
		`Nummer im Kassenbuch ${real.json[0].belegnummer as string}`,
	);
});

it('An expression for a number that returns no value is not taken for "make one" without a word', async () => {
	const { hints, error } = await run([{}], { belegnummer: '={{ $json.numer }}' });
	expect(error).toBeUndefined();
	expect(hints.map(({ message }) => message)).toContain(
		"Item 1: Transaction No. (belegnummer) was made from the entry's content: there is no value for it; check the column or field that it comes from",
	);
	const meant = await run([{ json: { text: 'b' } }], { belegnummer: "={{ $json.nr ?? '' }}" });
	expect(meant.hints.filter(({ type }) => type === 'warning')).toEqual([]);
});

describe('The number that is made', () => {
	const duo = () => gateway.connectionId('duo');
	const PURCHASE = {
		kassenname: 'Hauptkasse',
		waehrung: 'EUR',
		bewegung: 'AUSGABE',
		betrag: 17.8,
		steuersatz: 19,
		belegtext: 'Blumen für den Laden',
		transaktionsdatum: '2026-03-02',
		gegenkonto: '4930',
		belegNummer: 'RE-4711',
	};
	/** The number of the purchase, alone in its run, with these changes. */
	const numberOf = async (change: INodeParameters) => {
		const { gegenkonto, belegNummer, ...own } = { ...PURCHASE, connectionId: duo(), ...change };
		const additionalFields = { gegenkonto, belegNummer };
		const { json, error } = await run([{}], { ...own, additionalFields, options: { dryRun: true } });
		expect(error).toBeUndefined();
		return (json[0].body as IDataObject).belegnummer as string;
	};

	it('is another one for another value of any field, also where two exchange theirs', async () => {
		const changes: INodeParameters[] = [
			{},
			{ connectionId: '123e4567-e89b-42d3-a456-426614174000' },
			{ kassenname: 'Nebenkasse' },
			{ waehrung: 'CHF' },
			{ bewegung: 'EINNAHME' },
			{ betrag: 17.81 },
			{ steuersatz: 7 },
			{ belegtext: 'Blumen' },
			{ transaktionsdatum: '2026-03-02T12:00:01' },
			{ gegenkonto: '4931' },
			{ belegNummer: 'RE-4712' },
			{ gegenkonto: 'RE-4711', belegNummer: '4930' },
		];
		const numbers: Record<string, string> = {};
		for (const change of changes) numbers[await numberOf(change)] = JSON.stringify(change);
		expect(Object.values(numbers)).toEqual(changes.map((change) => JSON.stringify(change)));
	});

	it('is the same however connection, cash book and text are written', async () => {
		const number = await numberOf({});
		for (const change of [
			{ connectionId: duo().toUpperCase() },
			{ kassenname: 'HAUPTkasse ' },
			{ belegtext: PURCHASE.belegtext.normalize('NFD') },
		])
			expect(await numberOf(change), JSON.stringify(change)).toBe(number);
	});

	it('has five groups of six, also where the first digit is 0', async () => {
		const { json } = await run(
			Array.from({ length: 100 }, (_, betrag) => ({ json: { betrag } })),
			{ options: { dryRun: true } },
		);
		const numbers = json.map(({ body }) => (body as IDataObject).belegnummer as string);
		expect(numbers.filter((number) => number.startsWith('0'))).not.toEqual([]);
		for (const number of numbers) expect(number).toMatch(NUMBER);
	});
});
