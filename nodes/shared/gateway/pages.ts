/** Whether an answer is only a part of a list. The contract shows no pages, so none are asked for; but none are dropped silently. */
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';
import { listIn } from './records';

/** What gateways call the object about the page, without case and `_`. */
const ABOUT_PAGE = ['meta', 'metadata', 'pagination', 'paging', 'page', 'pageinfo', 'links'];
/** What leads to the next page, or says that there is one. */
const NEXT =
	/^(?:next|next(?:page|id|cursor|token|link|url|uri|offset|pagetoken|pageurl)|continuation(?:token)?|hasmore|hasnext|hasnextpage|morepages)$/;
/** How many entries there are on all pages. */
const TOTAL = /^total(?:count|items|elements|records|results|entries)$/;

const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

/** @returns a warning; `undefined` if the answer has no list, or all of it */
export function furtherPages(body: unknown): string | undefined {
	const list = listIn(body);
	if (!list || !isObject(body)) return undefined;
	const about = Object.entries(body).flatMap(([name, value]) =>
		ABOUT_PAGE.includes(plain(name)) && isObject(value) ? [value] : [],
	);
	const found = [body, ...about].flatMap((fields) => signsIn(fields, list.length));
	return found.length > 0
		? `the gateway sent only one page of its list (${found[0]}), so the rest is missing here: enter a shorter period if you can, or ask the provider of the gateway how to get all of it`
		: undefined;
}

const signsIn = (fields: IDataObject, length: number): string[] =>
	Object.keys(fields).filter((name) => {
		const { [name]: value } = fields;
		if (TOTAL.test(plain(name))) return Number(value) > length;
		// `null`, `false`, an empty text or object: this was the last one.
		return NEXT.test(plain(name)) && Boolean(isObject(value) ? Object.keys(value).length : value);
	});
