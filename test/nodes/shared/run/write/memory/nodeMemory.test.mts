/** What a node remembers of entries without a number, while n8n's record fails or other processes write it. */
import { setTimeout as sleep } from 'node:timers/promises';
import sortBy from 'lodash/sortBy.js';
import range from 'lodash/range.js';
import sum from 'lodash/sum.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { logger } from '../../../../../../host/engine.mjs';
import { FakeDatabase } from '../../../../../support/fakeDatabase.mjs';
import type { RunOptions } from '../../../../../../host/harness.mjs';
import { settled } from '../../../../../../scripts/base/waiting.mjs';
import { useGateway } from '../../../../../support/useSandbox.mjs';
import { simpleEntry } from '../../../../../../host/workflows.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
let database: FakeDatabase;
/** A workflow for each test: its row is written in the background, also after the test has ended. */
let workflowId: string;
let nr = 0;

beforeEach(() => {
	database = new FakeDatabase();
	database.install();
	workflowId = `remembered ${++nr}`;
});

/** Entries of these amounts: in one cash book, unless another one is given. */
type Amount = number | [kasse: string, betrag: number];
const OTHER = 'Kasse Filiale Süd';
/** Of another day in UTC than in Berlin. */
const MOMENT = '2026-02-20T23:30:00Z';

interface Details {
	outcome: string;
	reason: { en: string; de: string };
}

/** Of an entry with the cash book and amount of the item. */
const parametersOf = () =>
	simpleEntry(gateway.connectionId('duo'), {
		operation: 'createAdvanced',
		kassenname: '={{ $json.kasse }}',
		bewegung: '',
		betrag: '',
		belegzeilen: {
			belegzeile: [{ betrag: '={{ $json.betrag }}', belegtext: 'Tag', prozent: '19' }],
		},
		options: { alreadyBooked: true },
	});

/**
 * Books entries, and says for each of them whether it was booked before, or why it wasn't booked.
 * @param onError what the node does after a failure
 */
async function book(
	amounts: Amount[],
	onError: 'stopWorkflow' | 'continueErrorOutput' = 'continueErrorOutput',
	{ cancel, moment, timezone }: { cancel?: Promise<unknown>; moment?: string; timezone?: string } = {},
) {
	const parameters = { ...parametersOf(), ...(moment !== undefined && { transaktionsdatum: moment }) };
	const items = amounts
		.map((one) => (typeof one === 'number' ? (['Hauptkasse', one] as const) : one))
		.map(([kasse, betrag]) => ({ json: { kasse, betrag } }));
	const options: Partial<RunOptions> = {
		items,
		workflowId,
		workflowName: 'Cash',
		settings: { onError },
		...(timezone !== undefined && { workflowSettings: { timezone } }),
		cancel,
	};
	const { main } = await gateway.run(node, parameters, options);
	return sortBy(main.flat(), ({ pairedItem }) => (pairedItem as { item: number }).item).map(
		({ json: { alreadyExisted, details } }) =>
			alreadyExisted ?? (details as { outcome: string } | undefined)?.outcome,
	);
}
/** Books entries of a moment whose day depends on the time zone. */
const bookIn = async (timezone: string, amounts: number[], onError?: 'stopWorkflow') =>
	await book(amounts, onError, { moment: MOMENT, timezone });
const fault = async (betrag: number, kind: object) =>
	await gateway.fault({
		operationId: 'createAdvancedCashBookEntry',
		contains: `"betrag":${betrag},`,
		...kind,
	} as Parameters<typeof gateway.fault>[0]);
const refuse = async (betrag: number) => await fault(betrag, { kind: 'status', status: 422 });

const rowOf = () => `${workflowId}/Node`;
/** What each mark of the row says, without that of the format. */
const marked = () =>
	database.rows
		.get(rowOf())!
		.slice(1)
		.map((mark) => mark.split(' ')[0]);
const writes = () => database.writes.get(rowOf());
/** With it, each row begins. */
const MARK = 'accounting gateway, format 1';
/** Has something happen before n8n is asked about entries of the node, besides the mark. */
function beforeAsking(happens: (call: number, marks: string[]) => void): void {
	const ask = database.checkProcessedAndRecord.bind(database);
	let call = 0;
	vi.spyOn(database, 'checkProcessedAndRecord').mockImplementation(async (...given) => {
		if (given[1] === 'node' && given[0][0] !== MARK) happens(++call, given[0]);
		return await ask(...given);
	});
}

it('keeps what an entry ends with while n8n is removing the mark of another', async () => {
	const file: Amount[] = [1, [OTHER, 2], ['Nebenkasse', 3], 4];
	for (const betrag of [2, 3]) await fault(betrag, { kind: 'latency', ms: 150 });
	const remove = database.removeProcessed.bind(database);
	// That of the first entry, before the last one is sent.
	vi.spyOn(database, 'removeProcessed').mockImplementationOnce(async (...given) => {
		await sleep(500);
		await remove(...given);
	});
	expect(await book(file)).toEqual([false, false, 'refused', false]);
	expect(await book(file)).toEqual([true, true, 'refused', true]);
});

describe('n8n fails', () => {
	const locked = () => new Error('database is locked');

	it('to remove something once: that is tried again', async () => {
		vi.spyOn(database, 'removeProcessed').mockRejectedValueOnce(locked());
		expect(await book([1, 2])).toEqual([false, 'notSent']);
		expect(await book([1, 2])).toEqual([true, false]);
	});

	it('to remove anything: the log says that the next run will report it as unknown', async () => {
		const warn = vi.spyOn(logger, 'warn').mockReturnValue();
		vi.spyOn(database, 'removeProcessed').mockRejectedValue(locked());
		expect(await book([1])).toEqual([false]);
		expect(warn).toHaveBeenCalledExactlyOnceWith(
			'n8n could not record what a node of workflow "Cash" has written: database is locked. The next run will report it as unknown.',
			expect.objectContaining({ workflowId, node: 'Node' }),
		);
		vi.restoreAllMocks();
		expect(await book([1])).toEqual(['unknown']);
		expect(await book([1])).toEqual([true]);
	});

	it('to say once what was booked: it is asked once more', async () => {
		beforeAsking((call) => {
			if (call === 1) throw locked();
		});
		expect(await book([1])).toEqual([false]);
	});
});

it('An entry whose execution is canceled before it is sent was not sent, and is sent by another one', async () => {
	const cancel = new Promise<void>((resolve) => beforeAsking(() => resolve()));
	await book([1], 'continueErrorOutput', { cancel });
	await expect.poll(() => database.rows.get(rowOf())).toEqual([MARK]);
	vi.restoreAllMocks();
	expect(await gateway.requests()).toEqual([]);
	expect(await book([1])).toEqual([false]);
});

it('An entry that was booked before stays so, however often it is looked up', async () => {
	expect(await book([1])).toEqual([false]);
	// To open the row, to mark it, and to make sure that it is marked.
	expect(writes()).toBe(3);
	for (const lookups of [5, 7]) {
		expect(await book([1])).toEqual([true]);
		expect(writes()).toBe(lookups);
	}
});

describe('Many entries', () => {
	const many = range(1, 121);

	it('are marked three at a time, each once, and only in the cash books that are being sent to', async () => {
		const batches: number[] = [];
		let ahead = 0;
		beforeAsking((_, marks) => {
			batches.push(marks.length / 2);
			ahead = Math.max(ahead, sum(batches) - gateway.sandbox.log.entries.length);
		});
		await book(many.map((betrag): Amount => [`Kasse ${betrag % 6}`, betrag]));
		expect([Math.min(...batches), Math.max(...batches), sum(batches)]).toEqual([2, 3, 120]);
		expect(ahead).toBeLessThanOrEqual(4 * 3);
	});

	it('are at most twenty at a time, and push nothing out', async () => {
		const ask = vi.spyOn(database, 'checkProcessedAndRecord');
		const remove = vi.spyOn(database, 'removeProcessed');
		await refuse(1);
		await book(range(1, 1101), 'stopWorkflow');
		const [[marks, , , options]] = ask.mock.calls.filter(([marks]) => marks.length > 2);
		expect(marks).toHaveLength(2 * 20);
		expect(options).toEqual({ mode: 'entries', maxEntries: 60_000 });
		expect(remove).toHaveBeenCalledWith(expect.anything(), 'node', expect.anything(), { mode: 'entries' });
	});

	it('are known by what they ended with as soon as the next one is marked, in case n8n is killed then', async () => {
		await fault(1, { kind: 'alter', set: { acctAntwort: { status: 'FEHLERHAFT' } } });
		const known: string[][] = [];
		beforeAsking(() => known.push(marked()));
		expect(await book([1, 2, 3])).toEqual(['incomplete', false, false]);
		// Of the first one, "open" alone; of the second one, "written".
		expect(known.slice(0, 3)).toEqual([[], ['open'], ['open', 'written']]);
	});

	it('that were marked in advance and not sent are forgotten', async () => {
		await refuse(2);
		await book(many, 'stopWorkflow');
		expect(await book(many)).toEqual(many.map((betrag) => betrag === 1));
	});
});

it('An entry of which another day is known stays so, if the run that was about to report it stops before', async () => {
	// Two are marked at a time.
	const amounts = range(1, 61);
	await bookIn('UTC', amounts);
	await bookIn('Europe/Berlin', amounts, 'stopWorkflow');
	const sent = (await gateway.requests()).length;
	expect((await bookIn('Europe/Berlin', amounts)).slice(0, 3)).toEqual([true, 'unknown', 'unknown']);
	expect((await gateway.requests()).length).toBe(sent);
});

describe('A full memory', () => {
	/** Fills n8n's row up to so many entries; what it has stays. */
	const fillTo = (size: number) => {
		const row = database.rows.get(rowOf()) ?? [MARK];
		database.rows.set(rowOf(), [...row, ...range(size + 1 - row.length).map((i) => `written ${i}`)]);
	};

	it.each([
		['it is full', 50_000],
		['a run has more entries than it still holds', 50_000 - 160 - 2],
	])('sends nothing, and forgets nothing, if %s', async (_when, size) => {
		fillTo(size);
		const before = [...database.rows.get(rowOf())!];
		expect(await book([1, 2, 3])).toEqual(['notSent', 'notSent', 'notSent']);
		expect(await gateway.requests()).toEqual([]);
		expect(database.rows.get(rowOf())).toEqual(before);
	});

	it('takes as many entries as it still holds', async () => {
		fillTo(50_000 - 160 - 3);
		expect(await book([1, 2, 3])).toEqual([false, false, false]);
		expect(database.rows.get(rowOf())).toHaveLength(1 + 50_000 - 160);
	});

	it('takes as many new ones, however many it knows already', async () => {
		expect(await book([1, 2])).toEqual([false, false]);
		fillTo(50_000 - 160 - 1);
		expect(await book([1, 2, 3])).toEqual([true, true, false]);
		expect(await book([1, 2, 3, 4])).toEqual(Array(4).fill('notSent'));
	});

	it.each([
		[4, [false, false]],
		[3, ['notSent', 'notSent']],
	])(
		'with room for %i marks and two entries whose day depends on the time zone: %j',
		async (room, outcomes) => {
			fillTo(50_000 - 160 - room);
			expect(await book([1, 2], 'continueErrorOutput', { moment: MOMENT })).toEqual(outcomes);
		},
	);

	it('reports an entry of which another day is known once, however full it is', async () => {
		expect(await bookIn('UTC', [1])).toEqual([false]);
		expect(await bookIn('Europe/Berlin', [2])).toEqual([false]);
		fillTo(50_000 - 160 - 2);
		expect(await bookIn('Europe/Berlin', [1, 2])).toEqual(['unknown', true]);
		expect(await bookIn('Europe/Berlin', [1, 2])).toEqual([true, true]);
	});

	it('still knows what was booked, refused or may have been, when a file is read again', async () => {
		await fault(2, { kind: 'alter', set: { acctAntwort: { status: 'FEHLERHAFT' } } });
		await fault(3, { kind: 'drop', point: 'after-handler' });
		expect(await book([1, 2, 3])).toEqual([false, 'incomplete', 'unknown']);
		fillTo(50_000);
		expect(await book([1, 2, 3])).toEqual([true, 'incomplete', 'unknown']);
		expect(await book([1, 2, 3])).toEqual([true, 'incomplete', true]);
		expect(await book([1, 2, 3, 4])).toEqual(Array(4).fill('notSent'));
	});
});

describe('When another process writes the row that it read before', () => {
	/** Books two entries, of which the second one's answer is lost. @param overwrite what happens before each check of the end */
	async function bookBoth(overwrite: (check: number, early: string[]) => void) {
		let early: string[] = [];
		beforeAsking((call, marks) => {
			// Both marks of the first one, in flight.
			if (call === 1) early = [MARK, ...marks];
			if (call > 2) overwrite(call - 2, early);
		});
		await fault(2, { kind: 'drop', point: 'after-handler' });
		expect(await book([1, 2])).toEqual([false, 'unknown']);
		const checks = writes()! - 3;
		vi.restoreAllMocks();
		return checks;
	}

	it.each([
		['asks once if all marks are still there', 0, 1],
		['marks again what was lost, until it stays', 2, 3],
	])('%s', async (_, overwritten, checks) => {
		const overwrite = (check: number, early: string[]) =>
			void (check <= overwritten && database.rows.set(rowOf(), early));
		expect(await bookBoth(overwrite)).toBe(checks);
		expect(await book([1, 2])).toEqual([true, 'unknown']);
	});

	it('marks again the day of an entry, too', async () => {
		let isOver = false;
		beforeAsking((call) => {
			if (call !== 2 || isOver) return;
			isOver = true;
			database.rows.set(rowOf(), [MARK]);
		});
		await book([1], 'continueErrorOutput', { moment: MOMENT });
		vi.restoreAllMocks();
		expect(marked().sort()).toEqual(['at', 'written']);
	});

	it('removes once more at the end what has come back', async () => {
		let early: string[] = [];
		beforeAsking((call, marks) => {
			if (call === 1) early = [MARK, ...marks];
			if (call === 2) database.rows.set(rowOf(), early);
		});
		expect(await book([1, 2])).toEqual([false, false]);
		expect(await book([1, 2])).toEqual([true, true]);
	});

	it.each([
		['', 1, 200],
		[', on a slow database', 40, 600],
	])(
		'knows what it has booked although that process writes only after the run has looked%s',
		async (...[, latency, afterMs]) => {
			database = new FakeDatabase(latency);
			database.install();
			beforeAsking((call) => {
				const read = [...(database.rows.get(rowOf()) ?? [])];
				// The last entry is marked, and booked, while the other process still has the row.
				if (call === 2) setTimeout(() => void database.rows.set(rowOf(), read), afterMs);
			});
			expect(await book([1, 2])).toEqual([false, false]);
			await settled(() => String(database.rows.get(rowOf())), 300);
			vi.restoreAllMocks();
			expect(await book([1, 2])).toEqual([true, true]);
		},
	);

	it('gives up in the end, so that the execution ends', async () => {
		expect(await bookBoth(() => void database.rows.set(rowOf(), [MARK]))).toBe(10);
	});
});

describe('A row that another version of the package has written', () => {
	/** What the package of 26 November kept of an entry, and of one in flight. */
	const OLDER = ['split entry 0f0a 1', 'split entry 0f0b 1', 'open split entry 0f0b 1'];
	const bookOne = async (executionId: string) => {
		const { main } = await gateway.run(node, parametersOf(), {
			items: [{ json: { kasse: 'Hauptkasse', betrag: 1 } }],
			workflowId,
			executionId,
			settings: { onError: 'continueErrorOutput' },
		});
		return main.flat().map(({ json }) => json as { error: string; details: Details });
	};

	it('sends nothing, says what to do, and stays as it is', async () => {
		database.rows.set(rowOf(), [...OLDER]);
		for (const executionId of ['1', '2']) {
			const [{ error, details }] = await bookOne(executionId);
			expect(error).toContain('was written by another version of the package');
			expect(details.outcome).toBe('notSent');
			expect(details.reason.en).toContain('Put a new node in its place');
			expect(details.reason.de).toContain('Setzen Sie einen neuen Node an seine Stelle');
			expect(database.rows.get(rowOf())).toEqual(OLDER);
		}
		expect(await gateway.requests()).toEqual([]);
	});

	it('sends nothing in any of the runs that ask at once', async () => {
		database.rows.set(rowOf(), [...OLDER]);
		const outcomes = await Promise.all(['1', '2'].map(bookOne));
		expect(outcomes.flat().map(({ details }) => details.outcome)).toEqual(['notSent', 'notSent']);
		expect(database.rows.get(rowOf())).toEqual(OLDER);
	});

	it('that holds nothing any more is a new one', async () => {
		database.rows.set(rowOf(), []);
		expect(await book([1])).toEqual([false]);
		expect(database.rows.get(rowOf())?.[0]).toBe(MARK);
	});
});

describe('An empty memory', () => {
	const hints = async () => {
		const { hints } = await gateway.run(node, parametersOf(), {
			items: [{ json: { kasse: 'Hauptkasse', betrag: 1 } }],
			workflowId,
		});
		return hints.filter(({ message }) => message.includes('memory was empty'));
	};

	it('is said once: it may have stayed where the workflow came from', async () => {
		expect(await hints()).toMatchObject([{ type: 'info', location: 'outputPane' }]);
		expect(await hints()).toEqual([]);
	});
});
