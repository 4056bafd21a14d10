import fc from 'fast-check';
import { IANAZone } from 'luxon';
import { expect, it, vi } from 'vitest';

import { parseDateTime } from '../../../../nodes/shared/values/dates.js';
import { zoneOf } from '../../../../nodes/shared/values/zone.js';

const HOUR = 3_600_000;
// One that changes its clocks by half an hour, one that does so at midnight, one that has skipped a day.
const NAMES = ['Europe/Berlin', 'Australia/Lord_Howe', 'America/Asuncion', 'Pacific/Apia', 'Asia/Kolkata'];

it('has the offsets of luxon, also where days of it are remembered', () => {
	const first = Date.UTC(1880, 0);
	const hours = fc.integer({ min: 0, max: (Date.UTC(2060, 0) - first) / HOUR });
	fc.assert(
		fc.property(fc.constantFrom(...NAMES), hours, (name, hour) => {
			const usual = IANAZone.create(name);
			for (let near = hour - 36; near <= hour + 36; near += 6) {
				const at = first + near * HOUR + 1;
				expect(zoneOf(name).offset(at)).toBe(usual.offset(at));
			}
		}),
	);
});

it.each(NAMES)('has the offsets of luxon in each hour of the days on which the clocks change: %s', (name) => {
	const usual = IANAZone.create(name);
	for (let at = Date.UTC(2011, 0); at < Date.UTC(2012, 1); at += 24 * HOUR) {
		if (usual.offset(at) === usual.offset(at + 24 * HOUR)) continue;
		for (let half = 0; half < 48; half++) {
			const moment = at + (half * HOUR) / 2;
			expect(zoneOf(name).offset(moment)).toBe(usual.offset(moment));
		}
	}
});

it('is as luxon has it where it is no place', () => {
	expect(['utc', 'GMT'].map((name) => zoneOf(name).type)).toEqual(['fixed', 'fixed']);
	expect(['Etc/UTC', 'GMT0'].map((name) => zoneOf(name).type)).toEqual(['iana', 'iana']);
	expect(zoneOf('Mars/Olympus').isValid).toBe(false);
	expect(zoneOf('Europe/Berlin').offset(NaN)).toBeNaN();
	expect(zoneOf('Europe/Berlin').equals(IANAZone.create('Europe/Berlin'))).toBe(true);
});

it('asks Intl only for the first date of a day, also where several days take turns', () => {
	const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
	const read = (minute: number) =>
		['15', '20'].map((day) =>
			parseDateTime(`2026-07-${day}T09:${String(minute).padStart(2, '0')}:00`, 'Europe/Vienna'),
		);
	read(0);
	asked.mockClear();
	const value = expect.any(String) as string;
	for (let minute = 1; minute < 60; minute++) expect(read(minute)).toEqual([{ value }, { value }]);
	expect(asked).not.toHaveBeenCalled();
});

it('forgets days, so that it does not grow with what it reads', () => {
	// Both are private.
	const zone = zoneOf('Europe/Paris') as unknown as {
		offset(at: number): number;
		offsets: Map<number, number>;
	};
	let most = 0;
	for (let day = 0; day < 10_100; day++) {
		zone.offset(day * 24 * HOUR);
		most = Math.max(most, zone.offsets.size);
	}
	expect(most).toBe(10_000);
});
