import { escapeRegExp } from 'lodash';

import type { Bilingual } from '../../shared/values';

/** Why a table can't be read: the end of a sentence for people. */
export class CsvError extends Error {
	constructor(readonly reason: Bilingual) {
		super(reason.en);
	}
}

/** Characters of a field, and fields of a record: many times what the official tables of cash registers have. */
const MAX_FIELD = 1_000;
const MAX_FIELDS = 1_000;
/** Characters of the first line that are searched for the delimiter. */
const MAX_HEADER = 10_000;

const DELIMITERS = [';', ',', '\t', '|'];

const TOO_LONG: Bilingual = {
	en: 'a field is too long, or a quotation mark is never closed',
	de: 'ein Feld ist zu lang, oder ein Anführungszeichen wird nicht geschlossen',
};

/**
 * Reads CSV as any program writes it: fields may be in quotes, and quotes in them are doubled; lines end with CR, LF or both. An
 * empty line is a record, too, so that its reader can count it.
 * @param delimiter by default, the one that the first line has most of
 * @param most characters of a field
 */
export function* recordsIn(
	text: string,
	delimiter = delimiterOf(/^[^\r\n]*/.exec(text.slice(0, MAX_HEADER))![0]),
	most = MAX_FIELD,
): Generator<string[]> {
	const endOfField = new RegExp(`[${escapeRegExp(delimiter)}\r\n]`, 'g');
	let fields: string[] = [];
	for (let at = 0; at <= text.length; at++) {
		const closing = isQuoted(text, at) ? closingQuote(text, text.indexOf('"', at), most) : at;
		endOfField.lastIndex = closing;
		const end = endOfField.exec(text)?.index ?? text.length;
		if (end - at > most) throw new CsvError(TOO_LONG);
		if (fields.length === MAX_FIELDS)
			throw new CsvError({ en: 'a line has too many columns', de: 'eine Zeile hat zu viele Spalten' });
		const field = text.slice(at, end).trim();
		// What follows the quotes belongs to the field, so these are a part of it.
		const isWhole = closing > at && text.slice(closing + 1, end).trim() === '';
		// A quotation mark that is never closed takes what follows it up to the next one.
		if (closing > at && !isWhole && /[\r\n]/.test(field)) throw new CsvError(TOO_LONG);
		fields.push(isWhole ? field.slice(1, -1).replaceAll('""', '"').trim() : field);
		at = text.startsWith('\r\n', end) ? end + 1 : end;
		if (text[end] === delimiter) continue;
		yield fields;
		fields = [];
	}
}

/** The delimiter that some lines have most of, outside of quotes. */
export function delimiterOf(lines: string): string {
	const plain = lines.replace(/"[^"]*"/g, '');
	const count = (delimiter: string) => plain.split(delimiter).length;
	return DELIMITERS.reduce((most, one) => (count(one) > count(most) ? one : most));
}

/** Whether a field begins with a quote, maybe after spaces. */
function isQuoted(text: string, start: number): boolean {
	let at = start;
	while (text[at] === ' ') at++;
	return text[at] === '"';
}

/** Finds the quote that ends a field, which is not one of two. */
function closingQuote(text: string, start: number, most: number): number {
	for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
		if (at - start > most) break;
		if (text[at + 1] !== '"') return at;
	}
	throw new CsvError(TOO_LONG);
}
