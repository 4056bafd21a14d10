/** Keeps only the first records of a list, and says how many more there are. */
import type { IDataObject } from 'n8n-workflow';

import { listIn, untouched } from '../../answer';
import { both, isObject } from '../../values';
import type { Bilingual } from '../../values';

interface Limited {
	records: IDataObject[];
	/** What was left out. */
	warning?: Bilingual;
}

const leftOut = (limit: number, total: number) =>
	both(
		`only the first ${limit} of ${total} are here (Limit): ${total - limit} more were left out. Ask for fewer with the other fields, or raise the limit`,
		`Das sind nur die ersten ${limit} von ${total} (Limit): ${total - limit} weitere fehlen. Fragen Sie mit den anderen Feldern nach weniger, oder erhöhen Sie das Limit.`,
	);

/** @param limit none: all of them */
export const limited = (records: IDataObject[], limit = Infinity): Limited =>
	records.length <= limit
		? { records }
		: { records: records.slice(0, limit), warning: leftOut(limit, records.length) };

/** The gateway's answer as it is, but with no more than that many rows in its list. */
export function limitedAnswer(body: unknown, limit = Infinity): Limited {
	const list = listIn(body);
	if (!list || list.length <= limit) return { records: untouched(body) };
	return { records: untouched(withShortList(body, list, limit)), warning: leftOut(limit, list.length) };
}

/** A copy of the answer with the beginning of one list, which is the answer itself or below its objects. */
function withShortList(value: unknown, list: unknown[], limit: number): unknown {
	if (value === list) return list.slice(0, limit);
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, withShortList(one, list, limit)]),
	);
}
