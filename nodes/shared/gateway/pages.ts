/**
 * Whether an answer is only a part of a list: it has a "next", "more" or cursor with a value, a last page after this one, or a
 * total above the number of entries, wherever these stand outside the entries. Further pages aren't requested, as the
 * contract shows none; a warning says so.
 */
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';
import { CREDITS_FIELD, listIn } from './records';

/** Names of fields that lead to the next page. */
const NEXT = /next|n(?:ä|ae)chste|cursor|continu/i;
const BEHIND = /prev|self|current|start|first|before|vorherig/i;
/** Names of fields that say that there are more entries; a text in them may be a link to an explanation. */
const MORE = /more|weitere|remaining|truncated|next/i;
const LAST_PAGE = /^(?:last_?page|(?:total_?)?pages|page_?count|letzte_?seite|seiten)$/i;
const THIS_PAGE = /^(?:(?:current_?)?page|(?:page_?)?number|seite)$/i;
const TOTAL =
	/^(?:(?:all|items?|records?|x)?_?(?:total|count|gesamt|anzahl)_?(?:of)?_?(?:count|items|elements|records|results|entries|hits|rows|gesamt)?|gesamtzahl)$/i;

/** Fields about the page aren't nested more deeply than this. */
const MAX_DEPTH = 5;
/** Texts that mean "no". */
const NO = /^(?:false|no|nein|null|none|0)?$/i;
const isTrue = (value: unknown) => (typeof value === 'string' ? !NO.test(value.trim()) : Boolean(value));
/** The number in a field; `NaN` if it has none, which makes every comparison false. */
const numberIn = (value: unknown) =>
	typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;

/** @returns a warning; `undefined` if the answer has no list, or contains the whole list */
export function furtherPages(body: unknown): string | undefined {
	const list = listIn(body);
	const sign = list && isObject(body) ? signIn(body, list, '', 0) : undefined;
	return sign === undefined
		? undefined
		: `the gateway sent only one page of its list (${sign}), so the rest is missing here: enter a shorter period if you can, or ask the provider of the gateway how to get all of it`;
}

/**
 * The field that shows that there are more entries.
 * @param within the name of the enclosing object, if it leads to the next page
 */
function signIn(fields: IDataObject, list: unknown[], within: string, depth: number): string | undefined {
	if (depth > MAX_DEPTH || CREDITS_FIELD in fields) return undefined;
	const entries = Object.entries(fields).filter(([, value]) => value !== list);
	const find = (name: RegExp) => entries.find(([key]) => name.test(key))?.[1];
	// A flag says more than a cursor, which may also stand on the last page.
	const isLast = entries.some(([name, value]) => MORE.test(name) && value === false);
	for (const [name, value] of entries) {
		const path = within || name;
		if (isObject(value)) {
			const inside = signIn(value, list, NEXT.test(path) && !BEHIND.test(name) ? path : '', depth + 1);
			if (inside !== undefined) return inside;
		} else if (Array.isArray(value)) {
			if (value.some((link) => isObject(link) && link.rel === 'next')) return name;
		} else if (NEXT.test(path) && !BEHIND.test(name)) {
			if (isTrue(value) && !isLast) return path;
		} else if (
			(MORE.test(name) && isTrue(value) && (typeof value !== 'string' || /^(?:true|\d+)$/i.test(value))) ||
			(/last/i.test(name) && value === false) ||
			(LAST_PAGE.test(name) && numberIn(value) > (numberIn(find(THIS_PAGE)) || 1)) ||
			(TOTAL.test(name.replace(/^.*\./, '')) && numberIn(value) > list.length)
		)
			return name;
	}
	return undefined;
}
