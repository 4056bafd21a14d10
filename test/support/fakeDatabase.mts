/** n8n's table of what has run, in memory: for what a node or trigger remembers, and for two processes that write at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import without from 'lodash/without.js';
import { onTestFinished } from 'vitest';

import { DataDeduplicationService } from '../../host/engine.mjs';

/** The owner of a row in n8n's record. */
interface RecordPlace {
	workflow: { id: string };
	node: { id: string };
}
const rowOf = (scope: string, { workflow, node }: RecordPlace) =>
	`${workflow.id}/${scope === 'node' ? node.id : ''}`;

/**
 * n8n's record of what has run, written as n8n does: read, then update, or insert the first time.
 * @param latency milliseconds that each of the two steps takes
 */
export class FakeDatabase {
	static installed?: FakeDatabase;

	readonly rows = new Map<string, string[]>();
	/** How often a row was written. */
	readonly writes = new Map<string, number>();
	private meeting?: { row: string; missing: number; over: Promise<void>; end: () => void };

	constructor(private readonly latency = 1) {}

	/** Makes the next two calls for a row both read it before either of them writes. */
	meet(row: string): void {
		let end = () => {};
		const over = new Promise<void>((resolve) => (end = resolve));
		this.meeting = { row, missing: 2, over, end };
	}

	async checkProcessedAndRecord(
		items: string[],
		scope: string,
		place: RecordPlace,
		{ maxEntries }: { maxEntries: number },
	): Promise<{ new: string[]; processed: string[] }> {
		const key = rowOf(scope, place);
		const row = this.rows.get(key);
		const meeting = this.meeting?.row === key ? this.meeting : undefined;
		if (meeting && --meeting.missing === 0) {
			meeting.end();
			this.meeting = undefined;
		}
		await (meeting?.over ?? sleep(this.latency));
		if (!row && this.rows.has(key)) throw new Error('UNIQUE constraint failed');
		this.writes.set(key, (this.writes.get(key) ?? 0) + 1);
		const known = row ?? [];
		const fresh = items.filter((item) => !known.includes(item));
		this.rows.set(key, [...known, ...fresh].slice(-maxEntries));
		await sleep(this.latency);
		return { new: fresh, processed: items.filter((item) => known.includes(item)) };
	}

	async removeProcessed(
		items: string[],
		scope: string,
		place: RecordPlace,
		_options: { mode: 'entries' },
	): Promise<void> {
		const key = rowOf(scope, place);
		const row = this.rows.get(key);
		await sleep(this.latency);
		if (row) this.rows.set(key, without(row, ...items));
		await sleep(this.latency);
	}

	async getProcessedDataCount(scope: string, place: RecordPlace): Promise<number> {
		await sleep(this.latency);
		return this.rows.get(rowOf(scope, place))?.length ?? 0;
	}

	/** Installs it in n8n for all executions that begin before the test has finished. */
	install(): void {
		FakeDatabase.installed = this;
		Object.assign(DataDeduplicationService, { instance: undefined });
		// n8n's class has members that no node calls.
		void DataDeduplicationService.init(BY_EXECUTION as never);
		onTestFinished(() => void (FakeDatabase.installed = undefined));
	}
}

/** What a test has recorded is looked after a moment later, when another test may run: that goes to the test's own database. */
const owners = new WeakMap<object, FakeDatabase>();

function ownerOf({ workflow }: RecordPlace): FakeDatabase {
	const owner = owners.get(workflow) ?? FakeDatabase.installed;
	if (!owner) throw new Error('The test has no database');
	owners.set(workflow, owner);
	return owner;
}

const BY_EXECUTION: Pick<
	FakeDatabase,
	'checkProcessedAndRecord' | 'removeProcessed' | 'getProcessedDataCount'
> = {
	checkProcessedAndRecord: async (items, scope, place, options) =>
		await ownerOf(place).checkProcessedAndRecord(items, scope, place, options),
	removeProcessed: async (items, scope, place, ...rest) =>
		await ownerOf(place).removeProcessed(items, scope, place, ...rest),
	getProcessedDataCount: async (scope, place) => await ownerOf(place).getProcessedDataCount(scope, place),
};
