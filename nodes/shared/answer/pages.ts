import type { IDataObject } from 'n8n-workflow';

import { both, isObject } from '../values';
import type { Bilingual } from '../values';
import { CREDITS_FIELD } from '../thisGateway';
import { listIn } from './records';
import { hasNextLink } from '../gateway';

/** A field that ends in `_at` is a time: a bank connection has `next_refresh_possible_at`. */
const NEXT_FIELD = /(?:next|cursor|n(?:ä|ae)chste)(?!.*_at$)/i;
/** Cursors to what was read already. */
const BEHIND = /prev|start|first|before|current/i;
const MORE = /more|weitere/i;
const LAST_PAGE = /\b(?:last_?page|(?:total_?)?pages|page_?count|seiten)$/i;
const THIS_PAGE = /\b(?:current_?)?(?:page|page\.number|seite)$/i;
const TOTAL =
	/\b(?:records?_?)?(?:total|count|gesamt|anzahl)_?(?:count|items|elements|records|results|entries)?$/i;

/** Fields about the page aren't nested more deeply than this. */
const PAGE_DEPTH = 5;
const MAX_PATH = 100;

/**
 * Whether an answer is only a part of a list: it has a "next", "more" or cursor with a value, a last page after this
 * one, or a total above the number of entries, wherever these stand outside the entries, or a header that names a next
 * page. Further pages aren't requested, as the contract shows none.
 * @returns a warning; `undefined` if the answer has no list, or contains the whole list
 */
export function furtherPages(body: unknown): Bilingual | undefined {
	const list = listIn(body);
	if (!list) return undefined;
	const fields = isObject(body) ? fieldsBeside(list, body) : [];
	if (hasNextLink(body)) fields.push(['Link.next', true]);
	const page = Number(fields.find(([path]) => THIS_PAGE.test(path))?.[1]) || 1;
	// A flag says more than a cursor, which may also stand on the last page.
	const isLast = fields.some(
		([path, value]) => value === false && (NEXT_FIELD.test(path) || MORE.test(path)),
	);
	const sign = fields.find(
		([path, value]) =>
			(NEXT_FIELD.test(path) && !BEHIND.test(path) && !isLast && Boolean(value) && value !== 'false') ||
			// A text may be a link to an explanation.
			(MORE.test(path) && /^(?:true|[1-9]\d*)$/i.test(String(value))) ||
			(/\blast$/i.test(path) && value === false) ||
			(LAST_PAGE.test(path) && Number(value) > page) ||
			// A sum of money may be called a total, too.
			(TOTAL.test(path) && Number(value) > list.length && !(Number(value) % 1)),
	);
	return (
		sign &&
		both(
			`the gateway sent only one page of its list (${sign[0]}), so the rest is missing here: enter a shorter period if you can, or ask the provider of the gateway how to get all of it`,
			`Das Gateway hat nur eine Seite seiner Liste gesendet (${sign[0]}), der Rest fehlt hier: Wählen Sie, wenn möglich, einen kürzeren Zeitraum, oder fragen Sie den Anbieter des Gateways, wie man alles bekommt.`,
		)
	);
}

/** The texts, numbers and flags of an answer outside its list, with their paths. */
function fieldsBeside(
	list: unknown[],
	fields: IDataObject,
	within = '',
	depth = 0,
): Array<[string, unknown]> {
	if (depth > PAGE_DEPTH || CREDITS_FIELD in fields) return [];
	return Object.entries(fields).flatMap(([name, value]) => {
		// Its end, so that long names nested in each other take no time squared.
		const path = (within + name).slice(-MAX_PATH);
		if (isObject(value)) return fieldsBeside(list, value, `${path}.`, depth + 1);
		if (!Array.isArray(value)) return [[path, value] satisfies [string, unknown]];
		const isLink = value !== list && value.some((link) => isObject(link) && link.rel === 'next');
		return isLink ? [[`${path}.next`, true] satisfies [string, unknown]] : [];
	});
}
