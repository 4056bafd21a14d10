/** The option "Already Booked Counts as Done": a run that ended half-way is run again, and books nothing twice. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { Credits } from '../../../nodes/shared/run/credits.js';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import { Agent } from '../../../host/harness.mjs';
import type { RunOptions, RunResult, TestItem } from '../../../host/harness.mjs';
import { loadNode, simpleEntry } from '../../../host/workflows.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const booked = async () => (await gateway.list('entries')).map(({ fields }) => fields as IDataObject);
const posts = async () => (await gateway.requests()).filter(({ method }) => method === 'POST').length;
const continued: Partial<RunOptions> = { settings: { onError: 'continueErrorOutput' } };
const existed = ({ json }: Pick<RunResult, 'json'>) => json.map(({ alreadyExisted }) => alreadyExisted);
const warnings = ({ hints }: RunResult) =>
	hints.filter(({ type }) => type === 'warning').map(({ message }) => message);

describe('An entry with a number', () => {
	const entry = (own: INodeParameters = {}) =>
		simpleEntry(gateway.connectionId('duo'), { kassenname: '={{ $json.kasse ?? "Hauptkasse" }}', ...own });
	const DONE = { options: { alreadyBooked: true } };
	const run = async (items: TestItem[], own: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
		await gateway.run(node, entry(own), { items, ...options });
	const five = (third: string): TestItem[] =>
		['Hauptkasse', 'Hauptkasse', third, 'Hauptkasse', 'Hauptkasse'].map((kasse) => ({ json: { kasse } }));

	it('among five, of which the third is refused, corrected and run again, is in the books once, as are the others', async () => {
		const failed = await run(five('Nebenkasse'));
		expect(failed.error?.message).toContain('[item 3');
		expect(failed.error?.description).toContain(
			'Carried out: items 1–2. Refused: item 3. Not sent: items 4–5.',
		);
		expect(failed.error?.description).toMatch(
			/To continue: correct item 3 \(belegnummer K-12\); .+ With "On Error: Continue \(using error output\)", the other items are sent/,
		);

		const stuck = await run(five('Hauptkasse'));
		expect(stuck.error?.message).toMatch(
			/^The gateway says it already has this receipt \(HTTP 409\): “.+” \[item 1, “.+”\]$/,
		);
		expect(stuck.error?.description).toContain("If it's a different receipt, give it a different number.");
		expect(stuck.error?.description).toContain('"Already Booked Counts as Done" continues');

		const done = await run(five('Hauptkasse'), DONE);
		expect(done.error).toBeUndefined();
		expect(existed(done)).toEqual([true, true, false, false, false]);
		for (const [i, warning] of warnings(done).entries()) {
			expect(warning).toContain(`Item ${i + 1}: belegnummer K-1${i} was already booked`);
			// The gateway's own text.
			expect(warning).toContain(`The entry with the belegnummer "K-1${i}" already exists.`);
		}
		expect(warnings(done)).toHaveLength(2);
		expect((await booked()).map(({ belegnummer }) => belegnummer)).toEqual(five('').map((_, i) => `K-1${i}`));
	});

	const WITH_OPTION = 'nor does a new run with the option "Already Booked Counts as Done"';
	it.each([
		['a number', ['K-11', 'K-12'], `${WITH_OPTION}. `],
		['none', ['', ''], 'nor does a new run, unless its date depends on the moment ($now, $today). '],
		[
			'a number or none',
			['K-11', ''],
			`${WITH_OPTION}, unless its date depends on the moment ($now, $today). `,
		],
	])(
		'among others with %s fails with an error that says how a new run books nothing twice',
		async (_, numbers, advice) => {
			const items = [...numbers, 'K-13'].map((nummer) => ({ json: { nummer } }));
			await gateway.fault({
				operationId: 'createCashBookEntry',
				kind: 'status',
				status: 422,
				after: numbers.length,
			});
			const { error } = await run(items, { belegnummer: '={{ $json.nummer }}' });
			expect(error?.description).toContain(`"Retry" sends nothing twice, ${advice}`);
		},
	);

	it('that was booked before comes out of a retry without the option, too', async () => {
		const own = { options: { alreadyBooked: `={{ $workflow.name !== 'Corrected' }}` } };
		await run(five('Hauptkasse').slice(0, 1), own);
		const failed = await run(five('Nebenkasse').slice(0, 3), own);
		const retry = { retryOf: failed.run, workflowName: 'Corrected' };
		const { error } = await run(five('Nebenkasse').slice(0, 3), own, retry);
		expect(error?.description).toContain('Carried out: items 1–2.');
	});

	it('that was booked before comes without its receipts', async () => {
		const receipt = { files: { data: { content: Buffer.from('Bon'), fileName: 'Bon.pdf' } } };
		const own = { ...DONE, belegbilder: 'data', simple: false };
		await run([receipt], own);
		const { json } = await run([receipt], own);
		expect(json).toMatchObject([{ belegnummer: 'K-10', alreadyExisted: true }]);
		expect(json[0]).not.toHaveProperty('belegbilder');
	});
});

describe('Advanced entries, which have no number,', () => {
	const split = (own: INodeParameters = {}): INodeParameters =>
		simpleEntry(gateway.connectionId('duo'), {
			operation: 'createAdvanced',
			kassenname: '={{ $json.kasse ?? "Hauptkasse" }}',
			bewegung: '',
			betrag: '',
			belegzeilen: {
				belegzeile: [
					{ betrag: '={{ $json.betrag }}', belegtext: '={{ $json.text ?? "Tag" }}', prozent: '19' },
				],
			},
			options: { alreadyBooked: true },
			...own,
		});
	/** A workflow for each test: n8n's record is written in the background, also after a test has ended. */
	const workflow = () => ({ workflowId: expect.getState().currentTestName });
	const run = async (items: TestItem[], own: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
		await gateway.run(node, split(own), { items, ...workflow(), ...options });
	const file = (...amounts: number[]): TestItem[] => amounts.map((betrag) => ({ json: { betrag } }));
	const amounts = async () => (await booked()).map(({ betrag }) => betrag);
	let database: FakeDatabase;
	const install = (latency?: number) => {
		database = new FakeDatabase(latency);
		database.install();
	};
	beforeEach(() => install());
	/** Another process: nothing of this one is known there. */
	const runElsewhere = async (items: TestItem[], options: Partial<RunOptions> = {}) => {
		vi.resetModules();
		return await gateway.run(await loadNode('AccountingGatewayDelivery'), split(), {
			items,
			...workflow(),
			...options,
		});
	};

	it('are booked once, also when the file is read again by another process', async () => {
		const first = await run(file(1, 2, 3));
		expect(first.error).toBeUndefined();
		expect(existed(first)).toEqual([false, false, false]);
		const again = await runElsewhere(file(3, 1, 2, 4));
		expect(again.error).toBeUndefined();
		expect(again.json).toMatchObject([
			{ betrag: 3, kassenname: 'Hauptkasse', alreadyExisted: true },
			{ betrag: 1, alreadyExisted: true },
			{ betrag: 2, alreadyExisted: true },
			{ betrag: 4, alreadyExisted: false },
		]);
		expect(warnings(again)).toEqual([
			'Items 1–3: this node remembers the entry from an earlier run, so nothing was sent now. If this is a different purchase, change its booking text',
		]);
		expect(await amounts()).toEqual([1, 2, 3, 4]);
		// A third time: looking has changed nothing.
		const third = await runElsewhere(file(1, 2, 3, 4));
		expect(existed(third)).toEqual([true, true, true, true]);
		expect(await posts()).toBe(4);
	});

	it('are recognized by their day, their lines in any order, and their receipts', async () => {
		const own = {
			transaktionsdatum: '={{ $json.day }}',
			belegzeilenFrom: 'json',
			belegzeilenJson: '={{ $json.lines }}',
		};
		/** Whether an entry, alone in its run, was booked before. */
		const existed = async (day: string, lines: number[], receipt: string) => {
			const json = { day, lines: lines.map((betrag) => ({ betrag })) };
			const data = { content: Buffer.from(receipt), fileName: 'Bon.jpg' };
			return (await run([{ json, files: { data } }], own)).json[0].alreadyExisted;
		};
		expect(await existed('2026-03-02', [1, 2], 'a')).toBe(false);
		expect(await existed('2026-03-02T09:30', [2, 1], 'a'), 'at another time, in another order').toBe(true);
		expect(await existed('2026-03-03', [1, 2], 'a'), 'on another day').toBe(false);
		expect(await existed('2026-03-02', [2], 'a'), 'with another line').toBe(false);
		expect(await existed('2026-03-02', [1, 2], 'b'), 'with another receipt').toBe(false);
	});

	it('are booked once, also when two workers read different files at the same time', async () => {
		install(5);
		const files = [file(1, 2, 3, 4, 5, 6, 7, 8), file(11, 12, 13, 14, 15, 16, 17, 18)];
		const [first, second] = await Promise.all([run(files[0]), runElsewhere(files[1])]);
		expect([first.error, second.error]).toEqual([undefined, undefined]);
		const again = await run(files.flat(), {}, continued);
		expect(again.errors).toEqual([]);
		expect(existed(again)).toEqual(Array(16).fill(true));
	});

	it('are known to be remembered, not to be booked, in the words for an agent in English and in German', async () => {
		await run(file(1));
		const agent = new Agent([{ betrag: 1 }]);
		await run([{}], {}, { agent });
		expect(JSON.parse(agent.heard[0])).toMatchObject([
			{
				alreadyExisted: true,
				warnings: [
					{
						en: 'this node remembers the entry from an earlier run, so nothing was sent now. If this is a different purchase, change its booking text',
						de: 'Der Node kennt den Eintrag aus einem früheren Lauf, darum wurde jetzt nichts gesendet. Ist es ein anderer Kauf, ändern Sie den Text.',
					},
				],
			},
		]);
		expect(await posts()).toBe(1);
	});

	it('that get a 409 are refused with its text, and sent again by the next run', async () => {
		const body = { code: 'DUPLICATE', message: 'Die Buchung existiert bereits' };
		await gateway.fault({ operationId: 'createAdvancedCashBookEntry', kind: 'status', status: 409, body });
		const { errors, json } = await run(file(1), {}, continued);
		expect([json, errors]).toMatchObject([[], [{ details: { outcome: 'refused', httpCode: 409 } }]]);
		expect(errors[0].error).toContain(body.message);
		expect(JSON.stringify(errors[0].details)).not.toContain('by which the node remembers it');
		expect((await run(file(1))).json).toMatchObject([{ alreadyExisted: false }]);
	});

	it.each([
		[
			'the accounting system',
			{ kind: 'alter', set: { acctAntwort: { status: 'FEHLERHAFT', meldungen: [] } } },
		],
		['the gateway, after some of its lines,', { kind: 'status', status: 422 }],
	] as const)('that %s refused are named by each later run, and not sent again', async (_who, refusal) => {
		const two = {
			belegzeilen: { belegzeile: [1, 2].map((nr) => ({ betrag: `={{ $json.betrag * ${nr} }}` })) },
		};
		await gateway.fault({ operationId: 'createAdvancedCashBookEntry', after: 1, ...refusal });
		const { errors } = await run(file(1, 2), two, continued);
		expect(errors[0].error).not.toContain('a new run sends it again');
		expect(errors[0].error).not.toContain('by which the node remembers it');
		for (const later of [run, run]) {
			const again = await later(file(1, 2, 3), two, continued);
			expect(again.errors).toMatchObject([{ details: { outcome: 'incomplete', advice: {} } }]);
			expect(again.errors[0].error).toMatch(
				/^An earlier run sent it, and it was refused, so it was not sent again.*change its booking text/,
			);
			expect(again.json[0]).toMatchObject({ alreadyExisted: true });
		}
		expect(await posts()).toBe(3);
	});

	it('that a retry finds booked without the option promise nothing of a new run', async () => {
		const operationId = 'createAdvancedCashBookEntry';
		const own = { options: { alreadyBooked: `={{ $workflow.name === 'Corrected' }}` } };
		await gateway.fault({ operationId, kind: 'status', status: 422, contains: ':2,', times: 2 });
		const { run: failed } = await run(file(1, 2), own);
		const { error } = await run(file(1, 2), own, { retryOf: failed, workflowName: 'Corrected' });
		expect(error?.description).toContain('"Retry" sends nothing twice. With');
	});

	it('are booked as often as they are in the file', async () => {
		await run(file(5, 5));
		expect(existed(await run(file(5, 5, 5)))).toEqual([true, true, false]);
		expect(await amounts()).toEqual([5, 5, 5]);
	});

	it('of unknown outcome are not sent again: the next run says so once', async () => {
		await gateway.fault({ operationId: 'createAdvancedCashBookEntry', kind: 'drop', point: 'after-handler' });
		const lost = await run(file(1), {}, continued);
		// The option off for the whole file would book its other entries again.
		const alone = 'by hand, or send it alone, with the option turned off by which the node remembers it';
		expect(lost.errors[0].error).toContain(alone);
		expect(lost.errors).toMatchObject([{ details: { advice: { en: expect.stringContaining(alone) } } }]);
		const again = await runElsewhere(file(1, 2), continued);
		expect(again.errors).toMatchObject([{ details: { outcome: 'unknown' } }]);
		expect(again.errors[0].error).toContain('then look it up in the accounting system');
		expect(again.json).toMatchObject([{ betrag: 2, alreadyExisted: false }]);
		const third = await run(file(1, 2));
		expect(third.json).toMatchObject([{ alreadyExisted: true }, { alreadyExisted: true }]);
		// Of the first one, nobody knows whether it was booked.
		expect(third.hints.map(({ message }) => message).join()).not.toMatch(/already booked|there already/);
		expect(await amounts()).toEqual([1, 2]);
	});

	it('whose outcome a defect hides are not sent again either', async () => {
		// It is told the balance that the answer names.
		vi.spyOn(Credits.prototype, 'update').mockImplementationOnce(() => {
			throw new Error('defect');
		});
		expect((await run(file(1, 2))).error?.message).toContain('defect');
		const again = await run(file(1, 2), {}, continued);
		expect(again.errors).toMatchObject([{ details: { outcome: 'unknown' } }]);
		expect(await amounts()).toEqual([1, 2]);
	});

	it('are the same whatever the base URL is called: the connection says where they are', async () => {
		await run(file(1));
		const baseUrl = gateway.credential.baseUrl.replace('127.0.0.1', 'localhost');
		const there = await run(file(1), {}, { credential: { ...gateway.credential, baseUrl } });
		expect(there.json).toMatchObject([{ alreadyExisted: true }]);
		expect(await amounts()).toEqual([1]);
	});

	it('are sent by Retry as the journal says', async () => {
		await gateway.fault({
			operationId: 'createAdvancedCashBookEntry',
			kind: 'status',
			status: 422,
			contains: ':2,',
		});
		const failed = await run(file(1, 2, 3));
		const { error, json } = await run(file(1, 2, 3), {}, { retryOf: failed.run });
		expect(error).toBeUndefined();
		expect(json.map(({ alreadyExisted }) => alreadyExisted)).toEqual([false, false, false]);
		expect(await amounts()).toEqual([1, 2, 3]);
	});

	it.each([400, 404, 409, 422])(
		'of several lines that are refused (%i) may be there in part: only a person sends them again',
		async (status) => {
			const two = {
				belegzeilen: { belegzeile: [1, 2].map((betrag) => ({ betrag, prozent: '19' })) },
				options: {},
			};
			const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			await gateway.fault({ kind: 'status', status, times: null });
			const failed = await run(file(1), two, { settings: retried });
			expect(await posts()).toBe(1);
			expect(failed.error?.description).toContain('may be booked all the same: look it up');
			const { errors } = await run(file(1), two, continued);
			expect(errors).toMatchObject([
				{
					details: {
						outcome: 'refused',
						advice: {
							en: expect.stringContaining('whether a part of it is there'),
							de: expect.stringContaining('ob ein Teil davon schon da ist'),
						},
					},
				},
			]);
			expect(await posts()).toBe(2);
			expect((await run(file(1), two, { retryOf: failed.run })).error?.message).toContain(`HTTP ${status}`);
			expect(await posts()).toBe(3);
		},
	);

	it.each([
		['a line alone', 1, 422],
		['a key that was rejected', 2, 401],
	])('refused because of %s are not there', async (_what, lines, status) => {
		const belegzeile = [1, 2].slice(0, lines).map((betrag) => ({ betrag, prozent: '19' }));
		await gateway.fault({ kind: 'status', status });
		const { error } = await run(file(1), { belegzeilen: { belegzeile }, options: {} });
		expect(error?.description).not.toContain('lines before');
	});

	it("are not sent if n8n can't say what was booked", async () => {
		vi.spyOn(database, 'checkProcessedAndRecord').mockRejectedValue(new Error('database is locked'));
		const { error } = await run(file(1));
		expect(error?.message).toContain(
			"n8n couldn't look up what this node has already sent: database is locked",
		);
		expect(await posts()).toBe(0);
		vi.restoreAllMocks();
	});

	it('that the accounting system refused are sent again by a new run without the option, and the error says so', async () => {
		const set = { acctAntwort: { status: 'FEHLERHAFT', meldungen: [] } };
		await gateway.fault({ operationId: 'createAdvancedCashBookEntry', kind: 'alter', set });
		const { errors } = await run(file(1), { options: {} }, continued);
		expect(errors[0].error).toContain('a new run sends it again');
	});

	it('are booked each time without the option', async () => {
		await run(file(1), { options: {} });
		const { json } = await run(file(1), { options: {} });
		expect(json[0]).not.toHaveProperty('alreadyExisted');
		expect(await amounts()).toEqual([1, 1]);
	});

	it('fail with an error that recommends a new run only if it would recognize what was booked', async () => {
		/** @param wanted the option, of each entry before the one that is refused */
		const failed = async (...wanted: boolean[]) => {
			const rows = [...wanted, true].map((isWanted, i) => ({ json: { betrag: i + 1, isWanted } }));
			await gateway.fault({
				operationId: 'createAdvancedCashBookEntry',
				kind: 'status',
				status: 422,
				after: wanted.length,
			});
			const own = { options: { alreadyBooked: '={{ $json.isWanted }}' } };
			return (await run(rows, own)).error?.description;
		};
		const SENT_AGAIN = '"Retry" sends nothing twice; a new run would send again what was carried out.';
		expect(await failed(false)).toContain(SENT_AGAIN);
		install();
		expect(await failed(true, false)).toContain(SENT_AGAIN);
		install();
		expect(await failed(true)).toContain(
			'nor does a new run with the option "Already Booked Counts as Done", unless',
		);
	});

	describe('of a workflow whose time zone is changed between two runs', () => {
		const dated = { transaktionsdatum: '={{ $json.day }}' };
		const at = (day: string, betrag = 1): TestItem => ({ json: { day, betrag } });
		const runIn = async (timezone: string, ...items: TestItem[]) =>
			await run(items, dated, { ...continued, workflowSettings: { timezone } });
		const days = async () =>
			(await booked()).map(({ transaktionsdatum }) => (transaktionsdatum as string).slice(0, 10));

		it.each([
			['2026-02-20T23:30:00Z', 'UTC', 'Europe/Berlin', '2026-02-20'],
			['2026-02-20T23:30:00Z', 'Europe/Berlin', 'UTC', '2026-02-21'],
			['2026-02-20T04:00:00+01:00', 'America/New_York', 'Europe/Berlin', '2026-02-19'],
			['2026-02-20T10:30:00Z', 'Pacific/Kiritimati', 'Pacific/Midway', '2026-02-21'],
		])('may be booked already, on another day: %s in %s, then in %s', async (day, before, after, sent) => {
			expect((await runIn(before, at(day))).json).toMatchObject([{ alreadyExisted: false }]);
			expect(await days()).toEqual([sent]);
			const again = await runIn(after, at(day), at(day, 2));
			expect(again.errors).toMatchObject([
				{ error: expect.stringContaining('It may be there already'), details: { outcome: 'unknown' } },
			]);
			expect(again.json).toMatchObject([{ betrag: 2, alreadyExisted: false }]);
			// Whoever was told has looked it up.
			const third = await runIn(after, at(day), at(day, 2));
			expect(third.json).toMatchObject([{ alreadyExisted: true }, { alreadyExisted: true }]);
			expect(await amounts()).toEqual([1, 2]);
		});

		it.each([
			['20.02.2026'],
			['20.02.2026 23:30'],
			['2026-02-20T00:00:00'],
			['2026-02-20T00:00:00.000Z'],
			['2026-02-20T00:00:00.000-05:00'],
			['2026-02-20T12:00:00Z'],
		])('are known, where the day is the same: %s', async (day) => {
			await runIn('America/New_York', at(day));
			expect((await runIn('Europe/Berlin', at(day))).json).toMatchObject([{ alreadyExisted: true }]);
			expect(await amounts()).toEqual([1]);
		});

		it('are known by the day that their expression makes of a text, in each zone', async () => {
			const own = { transaktionsdatum: "={{ DateTime.fromFormat('20.02.2026', 'dd.MM.yyyy') }}" };
			await run(file(1), own, { workflowSettings: { timezone: 'America/New_York' } });
			const { json } = await run(file(1), own, { workflowSettings: { timezone: 'Europe/Berlin' } });
			expect(json).toMatchObject([{ alreadyExisted: true }]);
		});

		it('are booked where they are another purchase: of another moment, or of each day anew', async () => {
			await runIn('UTC', at('2026-02-20T23:30:00Z'));
			const { json, errors } = await runIn(
				'Europe/Berlin',
				at('2026-02-21T23:30:00Z'),
				at('2026-02-21T10:00:00Z'),
			);
			expect([errors, json.map(({ alreadyExisted }) => alreadyExisted)]).toEqual([[], [false, false]]);
			expect(await days()).toEqual(['2026-02-20', '2026-02-22', '2026-02-21']);
		});

		it('are booked as often as they are there, in the same zone, in any order', async () => {
			const [early, late] = [at('2026-02-20T10:00:00Z'), at('2026-02-20T11:00:00Z')];
			await runIn('Europe/Berlin', early);
			const { errors } = await runIn('Europe/Berlin', late, early);
			expect(errors).toEqual([]);
			expect(await amounts()).toEqual([1, 1]);
		});

		it('may be booked already, on another day, also where their rows come in another order', async () => {
			const rows = [at('2026-02-20T23:10:00Z'), at('2026-02-20T23:20:00Z', 2)];
			const combined = async (timezone: string, ...items: TestItem[]) =>
				await run(items, { ...dated, combineBy: 'Bon' }, { ...continued, workflowSettings: { timezone } });
			expect((await combined('UTC', ...rows)).json).toMatchObject([{ betrag: 3, alreadyExisted: false }]);
			const { errors } = await combined('Europe/Berlin', ...rows.toReversed());
			expect(errors).toMatchObject([{ details: { outcome: 'unknown' } }]);
			expect((await booked()).map(({ transaktionsdatum }) => transaktionsdatum)).toEqual([
				'2026-02-20T23:10:00Z',
			]);
		});

		it('are sent again once they were certainly refused', async () => {
			await gateway.fault({ operationId: 'createAdvancedCashBookEntry', kind: 'status', status: 422 });
			await runIn('UTC', at('2026-02-20T23:30:00Z'));
			expect([...database.rows].filter(([key]) => key.endsWith('/Node'))).toMatchObject([
				[{}, ['accounting gateway, format 1']],
			]);
			const { json } = await runIn('Europe/Berlin', at('2026-02-20T23:30:00Z'));
			expect(json).toMatchObject([{ alreadyExisted: false }]);
		});
	});

	it('leave no trace in a dry run', async () => {
		await run(file(1), { options: { alreadyBooked: true, dryRun: true } });
		expect([...database.rows.keys()]).toEqual([]);
		expect((await run(file(1))).json).toMatchObject([{ alreadyExisted: false }]);
	});
});
