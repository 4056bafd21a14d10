/** Why a table can't be read: a sentence for people. */
export class CsvError extends Error {}

/** Characters of one record; the official tables have a thousand at most. */
const MAX_RECORD = 100_000;

const DELIMITERS = [';', ',', '\t', '|'];

const QUOTE = 0x22;
const NEW_LINE = 0x0a;
const RETURN = 0x0d;

/**
 * Reads CSV as any cash register writes it: the delimiter is the one that the first line has most of; fields may be in quotes, and
 * quotes in them are doubled; lines end with CR, LF or both.
 */
export class CsvReader {
	private delimiter = '';
	/** What came before the end of the first line. */
	private start = '';
	private fields: string[] = [];
	private field = '';
	private length = 0;
	private isQuoted = false;
	/** Whether the last character ended a quoted field, or was the first of two quotes. */
	private isAfterQuote = false;
	private isAfterReturn = false;

	constructor(private readonly onRecord: (fields: string[]) => void) {}

	write(piece: string): void {
		if (this.delimiter !== '') return this.read(piece);
		this.start += piece;
		if (/[\r\n]/.test(this.start) || this.start.length > MAX_RECORD) this.begin();
	}

	end(): void {
		if (this.delimiter === '') this.begin();
		if (this.isQuoted && !this.isAfterQuote) throw new CsvError('a quotation mark is never closed');
		this.endRecord();
	}

	private begin(): void {
		const line = /^[^\r\n]*/.exec(this.start)![0].replace(/"[^"]*"/g, '');
		const count = (delimiter: string) => line.split(delimiter).length;
		this.delimiter = DELIMITERS.reduce((most, one) => (count(one) > count(most) ? one : most));
		const { start } = this;
		this.start = '';
		this.read(start);
	}

	private read(text: string): void {
		let from = 0;
		const take = (to: number) => {
			this.field += text.slice(from, to);
			this.length += to - from;
			from = to + 1;
			if (this.length > MAX_RECORD)
				throw new CsvError('a line is too long, or a quotation mark is never closed');
		};
		const delimiter = this.delimiter.charCodeAt(0);
		for (let at = 0; at < text.length; at++) {
			if (this.isQuoted && !this.isAfterQuote) {
				const quote = text.indexOf('"', at);
				if (quote < 0) break;
				at = quote;
				take(at);
				this.isAfterQuote = true;
				continue;
			}
			const character = text.charCodeAt(at);
			const isReturned = this.isAfterReturn;
			this.isAfterReturn = false;
			if (character === delimiter) {
				take(at);
				this.endField();
			} else if (character === QUOTE) {
				// The second of two quotes is one; in the middle of a field without quotes, it is just a character.
				if (this.isAfterQuote) {
					this.isAfterQuote = false;
				} else if (this.field === '' && text.slice(from, at).trim() === '') {
					this.isQuoted = true;
					from = at + 1;
				}
			} else if (character === NEW_LINE && isReturned) {
				from = at + 1;
			} else if (character === NEW_LINE || character === RETURN) {
				take(at);
				this.endRecord();
				this.isAfterReturn = character === RETURN;
			}
		}
		take(text.length);
	}

	private endField(): void {
		this.fields.push(this.field.trim());
		this.field = '';
		this.isQuoted = false;
		this.isAfterQuote = false;
	}

	private endRecord(): void {
		this.endField();
		const { fields } = this;
		this.fields = [];
		this.length = 0;
		if (fields.length > 1 || fields[0] !== '') this.onRecord(fields);
	}
}
