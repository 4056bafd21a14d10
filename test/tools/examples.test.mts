import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compare, expectedOf, readExample, withErrorWorkflow } from '../../tools/examples.mjs';
import { earlierPorts, keepPort } from '../../scripts/start/userFolder.mjs';

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
