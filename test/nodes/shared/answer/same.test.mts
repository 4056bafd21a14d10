import { describe, expect, it } from 'vitest';

import {
	sameAccountNumber,
	sameNumber,
	sameText,
	sameTime,
	type Same,
} from '../../../../nodes/shared/answer/same.js';

/** Afternoon in Berlin, and half an hour after midnight there. */
const NOON = '2026-03-31T14:30:00.000+02:00';
const NIGHT = '2026-03-31T00:30:00.000+02:00';
const NEW_YORK = '2026-03-31T21:30:00.000-04:00';

describe.each<[string, Same, Array<[unknown, unknown]>, Array<[unknown, unknown]>]>([
	[
		'a name, a number or an ID',
		sameText,
		[
			['Hauptkasse', 'Hauptkasse'],
			['Hauptkasse', '  Hauptkasse\n'],
			['Kasse Süd', 'Kasse\u00a0 Süd'],
			['Kasse Süd', 'Kasse Su\u0308d'],
			['Hauptkasse', 'HAUPTKASSE'],
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
			['Hauptkasse', { name: 'Hauptkasse' }],
			['true', true],
			['007', 7],
			['x', ['x']],
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
			[0, -0],
			[0, '0,00'],
		],
		[
			[12.5, -12.5],
			[12.5, 1250],
			[1250, '12,50'],
			[12.5, '12.51'],
			[19, 0.19],
			[0, ''],
			[0, null],
			[0, []],
			[1, true],
			[1, 'eins'],
		],
	],
	[
		'a time',
		sameTime,
		[
			[NOON, NOON],
			[NOON, '2026-03-31T12:30:00Z'],
			[NOON, '20260331T123000Z'],
			[NOON, '2026-03-31T14:30:00+02'],
			[NOON, '2026-03-31T12:30:00,000+0000'],
			[NOON, '2026-03-31 14:30'],
			[NOON, '2026-03-31 14:30 +02:00'],
			[NOON, '2026-03-31'],
			[NOON, '20260331'],
			[NOON, '2026-W14-2'],
			[NOON, '2026-03-31T00:00:00+02:00'],
			// Local midnight in UTC, and UTC's.
			[NOON, '2026-03-30T22:00:00Z'],
			[NOON, '2026-03-31T00:00:00Z'],
			[NIGHT, '2026-03-30T22:30:00Z'],
			[NIGHT, '2026-03-30T22:30:00'],
			[NIGHT, '2026-03-30'],
			[NIGHT, '2026-03-31'],
			[NEW_YORK, '2026-04-01T01:30:00Z'],
			[NEW_YORK, '2026-03-31'],
			['2026-03-31', '2026-03-31T00:00:00'],
			['2026-03-31', '2026-03-30T22:00:00Z'],
		],
		[
			[NOON, '2026-03-30'],
			[NOON, '2026-03-30T14:30:00+02:00'],
			['2026-03-31T12:00:00+02:00', '2026-04-01'],
			['2026-03-31', '2026-04-01'],
			['2026-03-31', '2026-03-30'],
			// Without a zone, a time is that of the office.
			[NOON, '2026-03-30T14:30:00'],
			[NEW_YORK, '2026-04-01T21:30:00'],
			[NOON, 'gestern'],
			[NOON, {}],
		],
	],
])('%s', (_what, same, equal, different) => {
	it.each(equal)('%j is %j', (sent, received) => expect(same(sent, received, {})).toBe(true));
	it.each(different)('%j is not %j', (sent, received) => expect(same(sent, received, {})).toBe(false));
});
