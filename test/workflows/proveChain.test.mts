/** The chain of hashes of the audit log, as its own expressions make and check it. */
import type { IDataObject } from 'n8n-workflow';
import { beforeAll, describe, expect, it } from 'vitest';

import { fieldsOf } from '../support/exampleNode.mjs';
import { jsonAs } from '../support/partial.mjs';

interface Row extends IDataObject {
	id: number;
	vorgaenger?: number | null;
	siegel?: string | null;
}
interface Check extends IDataObject {
	rows: Row[];
	changed: Row[];
	missing: number[];
	last: { id: number; siegel: string };
}

const FIELDS = ['zeit', 'workflow', 'ausfuehrung', 'vorgang', 'datei', 'pruefsumme', 'freigabe', 'antwort'];
const row = (id: number): Row => ({
	id,
	...Object.fromEntries(FIELDS.map((field) => [field, `${field} ${id}`])),
	vorgaenger: null,
	siegel: null,
	createdAt: '2026-11-20T10:00:00Z',
});

const check = async (rows: Row[]) =>
	jsonAs<Check>(await checked(await Promise.all(rows.map(withContent))));

const withContent = async (one: Row): Promise<Row> => ({
	...one,
	...(await fieldsOf('prove-chain', 'What each holds', { json: one })),
});

async function checked(rows: Row[]): Promise<IDataObject> {
	const byNumber = await fieldsOf('prove-chain', 'By number', { json: { rows } });
	return await fieldsOf('prove-chain', 'Check the seals', { json: byNumber });
}

/** What the workflow does with these rows: nothing where the chain is broken. */
async function seal(rows: Row[]): Promise<Row[]> {
	const found = await check(rows);
	if (found.changed.length + found.missing.length > 0) return rows;
	const made = await fieldsOf('prove-chain', 'New seals', { json: found });
	const { seals } = jsonAs<{ seals: Row[] }>(made);
	return rows.map((one) => {
		const { siegel, vorgaenger } = seals.find(({ id }) => id === one.id) ?? {};
		return one.siegel ? one : { ...one, siegel, vorgaenger };
	});
}

let rows: Row[];
beforeAll(async () => {
	// In two runs, as on two days.
	rows = await seal([...(await seal([row(1), row(2)])), row(3), row(5)]);
});

it('seals each row once, with the one before it', async () => {
	expect(rows.map(({ vorgaenger }) => vorgaenger)).toEqual([0, 1, 2, 3]);
	expect(new Set(rows.map(({ siegel }) => siegel)).size).toBe(4);
	for (const { siegel } of rows) expect(siegel).toMatch(/^[0-9a-f]{64}$/);
	expect(await seal(rows)).toEqual(rows);
	expect(await check(rows)).toMatchObject({ changed: [], missing: [], last: { id: 5, siegel: rows[3].siegel } });
});

it('an empty table, and one whose rows have no seal yet, are intact', async () => {
	expect(await check([])).toMatchObject({ changed: [], missing: [], last: { id: 0, siegel: '' } });
	expect(await check([row(1)])).toMatchObject({ changed: [], missing: [] });
	// n8n gives an empty item where there is no row.
	expect(await check([{} as Row])).toMatchObject({ rows: [], changed: [], missing: [] });
});

describe('names the row', () => {
	const altered = (id: number, change: Partial<Row>) =>
		rows.map((one) => (one.id === id ? { ...one, ...change } : one));

	it.each(FIELDS)('whose %s was changed', async (field) => {
		for (const { id } of rows) {
			const { changed, missing } = await check(altered(id, { [field]: 'another' }));
			expect([changed.map((one) => one.id), missing]).toEqual([[id], []]);
		}
	});

	it('whose fields were exchanged, or moved from one into the next', async () => {
		const { zeit, workflow } = rows[1] as Row & { zeit: string; workflow: string };
		for (const change of [
			{ zeit: workflow, workflow: zeit },
			{ zeit: `${zeit}${workflow}`, workflow: '' },
		]) {
			expect((await check(altered(2, change))).changed.map(({ id }) => id)).toEqual([2]);
		}
	});

	it('that was given another predecessor or seal', async () => {
		expect((await check(altered(3, { vorgaenger: 1 }))).changed.map(({ id }) => id)).toEqual([3]);
		expect((await check(altered(5, { siegel: 'f'.repeat(64) }))).changed.map(({ id }) => id)).toEqual([5]);
		// The one behind it doesn't fit, either.
		expect((await check(altered(2, { siegel: 'f'.repeat(64) }))).changed.map(({ id }) => id)).toEqual([2, 3]);
	});

	it('behind one that was changed and sealed anew', async () => {
		const forged = await seal([rows[0], { ...row(2), antwort: 'another' }]);
		expect((await check([...forged, ...rows.slice(2)])).changed.map(({ id }) => id)).toEqual([3]);
	});

	it.each([1, 2, 3])('that is missing: %s', async (id) => {
		const { changed, missing } = await check(rows.filter((one) => one.id !== id));
		expect([changed, missing]).toEqual([[], [id]]);
	});
});

it('does not see that the newest rows are gone, or all were rewritten: the seal in the e-mail does', async () => {
	const without = await check(rows.slice(0, 3));
	expect([without.changed, without.missing]).toEqual([[], []]);
	expect(without.last.siegel).not.toBe(rows[3].siegel);
	const rewritten = await check(await seal(rows.map(({ id }) => ({ ...row(id), antwort: 'another' }))));
	expect([rewritten.changed, rewritten.missing]).toEqual([[], []]);
	expect(rewritten.last.siegel).not.toBe(rows[3].siegel);
});

it('seals nothing new behind a broken chain', async () => {
	const broken = [...rows.filter(({ id }) => id !== 2), row(6)];
	expect((await seal(broken)).at(-1)?.siegel).toBeNull();
});

it('reads each row a few times, however many there are: n8n ends an expression after five seconds', async () => {
	let reads = 0;
	const many = Array.from({ length: 500 }, (_, index): Row => {
		const one: Row = { ...row(index + 1), vorgaenger: index, siegel: 'any', inhalt: 'any' };
		return Object.defineProperty(one, 'id', { enumerable: true, get: () => (reads++, index + 1) });
	});
	expect(jsonAs<Check>(await checked(many)).last.id).toBe(500);
	expect(reads).toBeGreaterThan(500);
	expect(reads).toBeLessThan(20 * 500);
});
