import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
	compare,
	type Expected,
	expectedOf,
	isCalled,
	readExample,
	readExamples,
	runBefore,
	runExample,
	withErrorWorkflow,
} from '../../demo/examples.mjs';
import type { Execution, N8nClient } from '../../host/client.mjs';
import { earlierPorts, keepPort } from '../../demo/userFolder.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';

describe('a comparison of what an example delivers with what it should', () => {
	const entry = {
		belegnummer: 'A1',
		fields: { betrag: 12.5, bewegung: 'AUSGABE' },
		belegbilder: [{ sha256: 'f0' }],
	};

	it('finds nothing wrong with the same records in another order, with additional fields', () => {
		const arrived = [
			{ belegnummer: 'A2', id: '2' },
			{ ...entry, id: '1', receivedAt: 'now' },
		];
		expect(compare({ entries: [entry, { belegnummer: 'A2' }] }, { entries: arrived })).toEqual([]);
	});

	it('finds nothing wrong with the files of an entry in another order', () => {
		const [one, two] = ['1.jpg', '2.jpg'].map((dateiname) => ({ dateiname, sha256: dateiname }));
		const [wanted, arrived] = [
			[one, two],
			[two, one],
		].map((belegbilder) => ({ entries: [{ ...entry, belegbilder }] }));
		expect(compare(wanted, arrived)).toEqual([]);
	});

	it('names missing and surplus records', () => {
		const problems = compare({ entries: [{ belegnummer: 'A1' }] }, { entries: [{ belegnummer: 'B1' }] });
		expect(problems).toEqual([
			'entries: missing {"belegnummer":"A1"}',
			'entries: unexpected {"belegnummer":"B1"}',
		]);
	});

	it('counts: one record does not stand for two, and a second one is surplus', () => {
		const one = { belegnummer: 'A1' };
		expect(compare({ entries: [one, one] }, { entries: [one] })).toHaveLength(1);
		expect(compare({ entries: [one] }, { entries: [one, one] })).toHaveLength(1);
		expect(compare({ entries: [] }, { entries: [one] })).toHaveLength(1);
		expect(compare({ entries: [one] }, {})).toHaveLength(1);
	});

	it.each([
		['another value inside', { fields: { betrag: 12.51, bewegung: 'AUSGABE' } }],
		['a field missing inside', { fields: { betrag: 12.5 } }],
		['a field too many inside', { fields: { betrag: 12.5, bewegung: 'AUSGABE', gegenkonto: '1' } }],
		['a number as text', { fields: { betrag: '12.5', bewegung: 'AUSGABE' } }],
		['a file too many', { belegbilder: [{ sha256: 'f0' }, { sha256: 'f1' }] }],
		['no file', { belegbilder: [] }],
	])('rejects %s', (_, change) => {
		expect(compare({ entries: [entry] }, { entries: [{ ...entry, ...change }] })).toHaveLength(2);
	});
});

it('an example that runs again is expected to deliver nothing that n8n remembers of a gateway at the same address', async () => {
	const { expected } = await readExample('cash-register-export');
	const arrivals = (existed: boolean, isElsewhere: boolean) =>
		expectedOf(expected!, existed, isElsewhere).arrives.entries.length;
	expect(arrivals(false, false)).toBe(4);
	expect(arrivals(true, false)).toBe(0);
	expect(arrivals(true, true)).toBe(4);
});

it('an example runs after those with which it shares a table, and beside all others', async () => {
	const examples = await readExamples();
	const before = (wanted: string) =>
		runBefore(examples.find(({ name }) => name === wanted)!, examples).map(({ name }) => name);
	expect(before('approve-booking')).toEqual([]);
	expect(before('trial-balance')).toEqual([]);
	expect(before('chase-missing')).toEqual(expect.arrayContaining(['chase-form', 'clients']));
	expect(before('receipts-folder')).toEqual(expect.arrayContaining(['chase-missing', 'e-invoices-rewe']));
	expect(before('close-month')).toContain('clients');
	// The table is in the workflow that it calls.
	expect(before('receipts-email-clients')).toContain('clients');
});

it('what is published when it is imported is what another example calls, and nothing that only calls itself', async () => {
	const examples = await readExamples();
	const called = examples.filter((example) => isCalled(example, examples)).map(({ name }) => name);
	expect(called.sort()).toEqual([
		'approve-booking',
		'client',
		'close-month-client',
		'payment-reminders-client',
	]);
});

it.each([
	['list-to-cash-book', 'Send the rows'],
	// It calls itself, and gets what the last node put out there.
	['chase-missing', 'Each client'],
])(
	'what other workflows book and send while an example runs isn’t taken for its own: %s',
	async (example, sender) => {
		const { name, workflow } = await readExample(example);
		const entry = (quelle: string) => ({ belegnummer: '1', quelle });
		const email = (messageId: string) => ({ subject: 'Kassenliste', messageId });
		const arrived: Record<string, Array<Record<string, unknown>>> = {
			entries: [entry(workflow.name)],
			emails: [email('earlier')],
			tickets: [],
		};
		const run = {
			status: 'success',
			data: {
				resultData: { runData: { [sender]: [{ data: { main: [[{ json: { messageId: 'own' } }]] } }] } },
			},
		};
		// The rest of an execution isn't read.
		const execution = run as unknown as Execution;
		const functions = {
			workflow: async () => await Promise.resolve({ name: workflow.name }),
			run: async () => {
				arrived.entries.push(entry('Approve before booking'), entry(workflow.name));
				arrived.emails.push(email('other'), email('own'));
				arrived.tickets.push({ id: 't' });
				return await Promise.resolve(execution);
			},
		};
		// The client's other functions aren't called.
		const client = functions as unknown as N8nClient;
		const expected = {
			arrives: { entries: [{ belegnummer: '1' }], emails: [{ messageId: 'own' }], tickets: [{ id: 't' }] },
			shows: {},
		} as Expected;
		const arrivals = (list: string) => [...arrived[list]];
		const { problems } = await runExample(client, arrivals, { name, workflow, workflowId: 'w' }, expected);
		expect(problems).toEqual([]);
	},
);

/**
 * Runs *Receipts by e-mail* in an n8n in which its trigger puts out two items, in an execution of its own.
 * @param items that it should put out
 * @param on called when the workflow is published, its manual trigger runs, and the execution is looked at
 */
async function runTriggered(
	items: number,
	arrivals: Parameters<typeof runExample>[1],
	on: Partial<Record<'publish' | 'run' | 'execution', () => void>>,
) {
	const { name, workflow } = await readExample('receipts-email');
	const done = async (what: keyof typeof on, id: string, put: object[]) => {
		on[what]?.();
		const data = { resultData: { runData: { IMAP: [{ data: { main: [put] } }] } } };
		return await Promise.resolve({ id, status: 'success', data });
	};
	const functions = {
		workflow: async () => await Promise.resolve({ name: workflow.name, active: false }),
		executionIds: async () => await Promise.resolve([]),
		startedSince: async () => await Promise.resolve(['2']),
		execution: async () => await done('execution', '2', [{ json: {} }, { json: {} }]),
		publish: async () => await Promise.resolve(on.publish?.()),
		run: async () => await done('run', '1', []),
	};
	// The rest of an execution isn't read, and the client's other functions aren't called.
	const client = functions as unknown as N8nClient;
	const wanted: Expected = { arrives: {}, shows: {}, triggered: { node: 'IMAP', items } };
	return await runExample(client, arrivals, { name, workflow, workflowId: 'w' }, wanted);
}

it('e-mails are sent when n8n has opened the mailbox: it doesn’t read what came before', async () => {
	let opened = 3;
	const openedWhenSent: number[] = [];
	const arrivals = Object.assign(() => [], { opened: () => opened });
	await runTriggered(2, arrivals, {
		publish: () => void setTimeout(() => opened++, 300),
		run: () => void openedWhenSent.push(opened),
	});
	expect(openedWhenSent).toEqual([4]);
});

it('a trigger that puts out too few items is waited for until it has been quiet for a minute, and is named', async () => {
	vi.useFakeTimers({ toFake: ['performance'] });
	onTestFinished(() => void vi.useRealTimers());
	let looks = 0;
	const ran = runTriggered(3, () => [], { execution: () => void looks++ });
	const said = expect(ran).rejects.toThrow(
		'“IMAP” has put out 2 of 3 items, and no further one within 60 seconds.',
	);
	const looksAgain = async () => {
		const before = looks;
		await waitFor(() => looks > before);
	};
	await looksAgain();
	// The first look, which found two, isn't the one that waits.
	await looksAgain();
	vi.advanceTimersByTime(59_000);
	await looksAgain();
	await looksAgain();
	vi.advanceTimersByTime(2_000);
	await said;
});

it('the sandbox’s ports of earlier starts are known, the last one first', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'ports-'));
	expect(earlierPorts(folder)).toEqual([]);
	for (const port of [4010, 4711, 4010]) keepPort(folder, port);
	expect(earlierPorts(folder)).toEqual([4010, 4711]);
});

it('an example has the error workflow of this n8n, or none', () => {
	const workflow = {
		name: 'A',
		nodes: [],
		connections: {},
		settings: { timezone: 'Europe/Berlin', errorWorkflow: 'watchdog' },
	};
	expect(withErrorWorkflow(workflow, { watchdog: 'id' }).settings).toEqual({
		timezone: 'Europe/Berlin',
		errorWorkflow: 'id',
	});
	expect(withErrorWorkflow(workflow, {}).settings).toEqual({ timezone: 'Europe/Berlin' });
});
