import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';

import {
	sameAccountNumber,
	sameDate,
	sameDay,
	sameDocumentId,
	sameId,
	sameName,
	sameNumber,
	type Same,
} from '../../../../nodes/shared/gateway/same.js';

const UUID = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const OTHER = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f12';
/** Afternoon in Berlin, and half an hour after midnight there. */
const NOON = '2026-03-31T14:30:00.000+02:00';
const NIGHT = '2026-03-31T00:30:00.000+02:00';
const NEW_YORK = '2026-03-31T21:30:00.000-04:00';

describe.each<[string, Same, Array<[unknown, unknown]>, Array<[unknown, unknown]>]>([
	[
		'a name',
		sameName,
		[
			['Hauptkasse', 'Hauptkasse'],
			['Hauptkasse', '  Hauptkasse\n'],
			['Kasse Süd', 'Kasse\u00a0 Süd'],
			['Kasse Süd', 'Kasse Su\u0308d'],
			['Hauptkasse', 'HAUPTKASSE'],
			['EUR', 'eur'],
			['7', 7],
			['straße', 'Straße'],
		],
		[
			['Hauptkasse', 'Nebenkasse'],
			// Although both are STRASSE in capitals.
			['Straße', 'Strasse'],
			[undefined, undefined],
			[null, 'x'],
			['Kasse Süd', 'Kasse Sud'],
			['Kasse 1', 'Kasse 11'],
			['AUSGABE', 'EINNAHME'],
			['EUR', 'USD'],
			['Hauptkasse', { name: 'Hauptkasse' }],
			['true', true],
		],
	],
	[
		'an ID',
		sameId,
		[
			[UUID, UUID.toUpperCase()],
			['K-17', 'K-17 '],
			['20260101', 20260101],
			[42, '42'],
		],
		[
			[UUID, OTHER],
			['K-17', 'k-17'],
			['K-1', 'K-17'],
			['007', 7],
			['x', ['x']],
		],
	],
	[
		"a document's ID",
		sameDocumentId,
		[
			[UUID, UUID.toUpperCase()],
			[UUID, 'DMS-991'],
			[UUID, 991],
		],
		[
			[UUID, OTHER],
			[UUID, OTHER.toUpperCase()],
		],
	],
	[
		"an account's number",
		sameAccountNumber,
		[
			['1000', 1000],
			['0420', '420'],
			['0420', '00420'],
			['0', '000'],
		],
		[
			['1000', '10000'],
			['1000', '1200'],
		],
	],
	[
		'a number',
		sameNumber,
		[
			[12.5, 12.5],
			[12.5, '12.50'],
			[12.5, '12,50'],
			[12.5, '12,50 €'],
			[12.5, '12.50 EUR'],
			[12.5, '  12,50  € '],
			[-12.5, '-12.5'],
			[-12.5, '12,50-'],
			[1234.5, '1.234,50'],
			[1234, '1.234'],
			[1.234, '1.234'],
			[1234, '1,234'],
			[12.5, '12.500'],
			[0.3, 0.1 + 0.2],
			[19, '19 %'],
			[19, '19.00'],
			[0, -0],
			[0, '0,00'],
		],
		[
			[12.5, -12.5],
			[12.5, 1250],
			[1250, '12,50'],
			[12.5, '12.51'],
			[19, 0.19],
			[19, 7],
			[0, ''],
			[0, ' '],
			[0, null],
			[0, []],
			[1, true],
			[1, 'eins'],
		],
	],
	[
		'the day of a time',
		sameDay,
		[
			[NOON, NOON],
			[NOON, '2026-03-31T12:30:00Z'],
			[NOON, '2026-03-31 14:30'],
			[NOON, '2026-03-31'],
			[NOON, '2026-03-31T00:00:00+02:00'],
			[NOON, '2026-03-30T22:00:00Z'],
			[NOON, '2026-03-31T00:00:00Z'],
			[NOON, '2026-03-31T00:00:00'],
			[NOON, '2026-03-31T08:30:00-04:00'],
			[NIGHT, '2026-03-30T22:30:00Z'],
			[NIGHT, '2026-03-30T22:30:00'],
			[NIGHT, '2026-03-30T22:30:00,000'],
			[NIGHT, '2026-03-30T22:30:00.000000+0000'],
			[NIGHT, '2026-03-31'],
			[NEW_YORK, '2026-04-01T01:30:00Z'],
			[NEW_YORK, '2026-03-31T00:00:00Z'],
			[NEW_YORK, '2026-03-31'],
		],
		[
			[NOON, '2026-03-30'],
			[NOON, '2026-04-01T12:30:00Z'],
			[NOON, '2025-03-31T12:30:00Z'],
			[NIGHT, '2026-03-30'],
			[NIGHT, '2026-03-30T00:00:00Z'],
			// Without a zone, another time is that of another day, even if UTC's would do.
			[NOON, '2026-03-30T22:30:00'],
			[NEW_YORK, '2026-04-01'],
			[NEW_YORK, '2026-04-01T21:30:00-04:00'],
			[NOON, '31.03.2026'],
			[NOON, 'gestern'],
			[NOON, 20260331],
			[NOON, {}],
		],
	],
	[
		'a date',
		sameDate,
		[
			['2026-03-31', '2026-03-31'],
			['2026-03-31', '2026-03-31T00:00:00'],
			['2026-03-31', '2026-03-31T23:59:59Z'],
			['2026-03-31', '2026-03-30T22:00:00Z'],
			// The very beginning of that day on Kiritimati.
			['2026-03-31', '2026-03-30T10:00:00Z'],
			['2026-03-31', '2026-03-30T21:00:00-01:00'],
		],
		[
			['2026-03-31', '2026-03-30'],
			['2026-03-31', '2026-04-01'],
			['2026-03-31', '2026-03-30T09:00:00Z'],
			['2026-03-31', '2026-04-01T12:00:00Z'],
			['2026-03-31', '2026-04-01T00:00:00'],
			['2026-03-31', 'x'],
			['2026-03-31', 7],
		],
	],
])('%s', (_what, same, equal, different) => {
	it.each(equal)('%j is %j', (sent, received) => expect(same(sent, received, {})).toBe(true));
	it.each(different)('%j is not %j', (sent, received) => expect(same(sent, received, {})).toBe(false));
});

const moments = fc
	.record({
		millis: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
		zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Kolkata', 'UTC'),
	})
	.map(({ millis, zone }) => DateTime.fromMillis(millis, { zone }));

describe('a point in time', () => {
	it('is the same one in whatever zone it comes back, and its day is', () => {
		const property = fc.property(moments, moments, (sent, { zone }) => {
			const iso = sent.toISO()!;
			for (const received of [sent.setZone(zone).toISO(), sent.toUTC().toISO(), sent.toISODate()]) {
				expect(sameDay(iso, received, {}), `${iso} ${received}`).toBe(true);
			}
		});
		fc.assert(property, { numRuns: 300 });
	});

	it('is not that of the day before or after', () => {
		const property = fc.property(moments, fc.constantFrom(-1, 1), (sent, days) => {
			const other = sent.plus({ days });
			// Between two days of which one has 23 hours, an offset alone can't tell.
			fc.pre(other.offset === sent.offset);
			for (const received of [other.toISO(), other.toUTC().toISO(), other.toISODate()]) {
				const isMidnight = /T00:00:00/.test(received!) && received!.startsWith(sent.toISODate()!);
				if (!isMidnight)
					expect(sameDay(sent.toISO(), received, {}), `${sent.toISO()} ${received}`).toBe(false);
			}
		});
		fc.assert(property, { numRuns: 300 });
	});
});
