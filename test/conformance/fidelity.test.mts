/** What the tests of conformance take for right. */
import { expect, it } from 'vitest';

import { parseDateTime } from '../../nodes/shared/values/dates.js';
import { differences } from './fidelity.mjs';
import { writes } from './operations.mjs';

const upload = writes.find(({ contract }) => contract.id === 'uploadReweDocument')!;
const zone = 'Europe/Berlin';

it.each([
	['whose local mean time has seconds', '1849-05-05T10:00:00Z', '1849-05-05T10:00:00Z'],
	['of our time', '2026-05-05T10:00:00Z', '2026-05-05T12:00:00+02:00'],
])('a moment %s arrives as it was meant', (_, given, arrived) => {
	expect(parseDateTime(given, zone)).toMatchObject({ value: arrived });
	const { path } = upload.fields.find(({ name }) => name === 'belegdatum')!;
	const found = (belegdatum: string) =>
		differences(
			upload,
			{ given: { [path]: given }, lines: 0, files: {}, zone, workflowName: '' },
			{ method: 'POST', url: '', headers: {}, text: JSON.stringify({ belegdatum }) },
		).filter((text) => text.startsWith('body.belegdatum'));
	expect(found(arrived)).toEqual([]);
	expect(found(arrived.replace('05T', '06T'))).toHaveLength(1);
});
