import { isNil } from 'lodash';

import { recordOf } from '../../shared/transport/records';

/** Fields of the answer to an entry; any of them shows that there is an entry. */
const FIELDS = [
	'belegnummer',
	'kassenname',
	'transaktionsdatum',
	'erstellungsdatum',
	'bewegung',
	'betrag',
	'waehrung',
	'belegtext',
	'belegzeilen',
];

/** What an entry's answer must repeat if it has the field. */
interface Expected {
	belegnummer?: string;
	/** Signed. */
	betrag: number;
	/** How many lines the entry has. */
	lines?: number;
}

/** @returns what shows that the entry wasn't booked as it was sent, see `verifyResponse` of an operation */
export function verifyEntry(answer: unknown, { belegnummer, betrag, lines }: Expected): string | undefined {
	const entry = recordOf(answer);
	if (FIELDS.every((field) => isNil(entry[field]))) return 'has none of the fields of an entry';
	if (belegnummer !== undefined && !isNil(entry.belegnummer) && String(entry.belegnummer) !== belegnummer) {
		return `names the belegnummer "${String(entry.belegnummer)}" in place of "${belegnummer}"`;
	}
	if (!isNil(entry.betrag) && Number(entry.betrag) !== betrag) {
		return `names the amount ${String(entry.betrag)} in place of ${betrag}`;
	}
	const { belegzeilen } = entry;
	if (lines !== undefined && Array.isArray(belegzeilen) && belegzeilen.length !== lines) {
		return `names ${belegzeilen.length} lines in place of ${lines}`;
	}
	return undefined;
}
