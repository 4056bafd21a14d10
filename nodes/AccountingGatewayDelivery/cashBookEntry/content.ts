/**
 * Identifies an entry that has no number by its content. The recipe never changes: an entry that comes again after an
 * update of this package must get the same number as before (`test/nodes/persisted.test.mts` has examples).
 *
 * The content is the SHA-256, in hexadecimal, of a JSON list of texts, in this order: `"entry"`, the connection in
 * lowercase, cash book in lowercase without spaces around it, currency, movement, amount, time as it is meant (`Moment`),
 * tax rate, booking text, contra account, receipt number, and a list of the receipts' SHA-256s, sorted, as the photos of a
 * form may change places. What is missing is an empty text; texts are in Unicode's form NFC. An advanced entry is
 * `"split entry"`, with an empty movement, the day in place of the time, and in place of tax rate, text, account and receipt
 * number a list of its lines, sorted. Its day is the one that was meant; of a moment that was given with a zone, that on which
 * it is sent. Such an entry has a second content, with the moment and that day in place of the day: `<moment> on <day>`.
 *
 * The number is made from the first 150 bits of the SHA-256 of `content/nth`: 30 characters of Crockford's Base32, in
 * groups of six. That is enough to keep anyone from making two receipts with the same number on purpose.
 */
import { createHash } from 'node:crypto';

import type { Body } from '../../shared/gateway';
import type { Moment } from '../../shared/values';

const sha256InHex = (text: string) => createHash('sha256').update(text).digest('hex');

/** Without I, L, O and U, which are misread. */
const BASE32_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RADIX = 32;
const CHARACTERS = 30;
/** 150 bits and two more. */
const HEXADECIMAL_DIGITS = 38;
const SURPLUS_BITS = 2n;
const GROUPS = /.{6}(?=.)/g;

/**
 * The number of an entry.
 * @param nth which of the entries of a run with this content it is, from 1
 */
export function numberOf(content: string, nth: number): string {
	const bits = BigInt(`0x${sha256InHex(`${content}/${nth}`).slice(0, HEXADECIMAL_DIGITS)}`) >> SURPLUS_BITS;
	return bits
		.toString(RADIX)
		.padStart(CHARACTERS, '0')
		.replace(/./g, (digit) => BASE32_DIGITS[parseInt(digit, RADIX)])
		.replace(GROUPS, '$&-');
}

interface Entry<B> {
	query: { connectionId: string };
	body: B;
}

type Simple = Omit<Body<'POST /v2/acct-duo/kassenbuch-einfach'>, 'belegnummer' | 'bewegung'>;
type Advanced = Body<'POST /v2/acct-duo/kassenbuch-advanced'>;

/** @param meant the time, in words that don't depend on the workflow's zone */
export const contentOfEntry = (
	{ query, body }: Entry<Simple & { bewegung: string }>,
	meant: Moment['meant'],
): string =>
	contentOf('entry', { query, body }, body.bewegung, meant, [
		normalized(body.steuersatz),
		normalized(body.belegtext),
		normalized(body.gegenkonto),
		normalized(body.belegNummer),
	]);

/** @param time the day, or the moment and the day */
export function contentOfAdvancedEntry({ query, body }: Entry<Advanced>, time: string): string {
	const lines = body.belegzeilen.map(({ steuersatz, ...line }) =>
		JSON.stringify(
			[
				line.betrag,
				steuersatz?.prozent,
				steuersatz?.buSchluessel,
				line.belegtext,
				line.gegenkonto,
				line.belegNummer,
				line.kostenstelle1,
				line.kostenstelle2,
			].map(normalized),
		),
	);
	return contentOf('split entry', { query, body }, '', time, [lines.sort()]);
}

function contentOf(
	kind: string,
	{ query, body }: Entry<Simple | Advanced>,
	movement: string,
	time: string,
	own: unknown[],
): string {
	const { kassenname, waehrung, betrag, belegbilder = [] } = body;
	const connection = query.connectionId.toLowerCase();
	const receipts = belegbilder.map(({ content }) => content.sha256).sort();
	const shared = [
		kind,
		connection,
		normalized(kassenname).trim().toLowerCase(),
		waehrung,
		movement,
		normalized(betrag),
		time,
	];
	return sha256InHex(JSON.stringify([...shared, ...own, receipts]));
}

const normalized = (value: string | number | undefined): string => String(value ?? '').normalize('NFC');
