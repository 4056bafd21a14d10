import { dayOfSerial, isEuro } from '../../../shared/values';
import { OddCell, Rows, cellText, serialOf, tooLong } from './table';
import { FLOAT_NOISE, dayAsShown } from './numberFormat';
import { countIn } from './parts';
import type { Attributes, Parts } from './parts';
import { isSheet, named } from './sheets';
import type { Cell, Table } from './table';
import { TABLE_LIMITS } from './limits';

/** Reads an OpenDocument spreadsheet (ISO/IEC 26300). Throws `TableError`. */
export async function readOds(parts: Parts, wanted = ''): Promise<Table> {
	const sheet = new Sheet(wanted || (await activeTable(parts)));
	await parts.parse('content.xml', {
		open: (name, attributes) => sheet.open(name, attributes),
		text: (part) => sheet.add(part),
		close: (name) => sheet.close(name),
	});
	const { names, index, rows, offset } = sheet;
	return { rows: rows.rows, ...named(names, index, wanted), dayOf: (serial) => dayOfSerial(serial + offset) };
}

/** The name of the sheet that the file opens on; empty if it doesn't say. */
async function activeTable(parts: Parts): Promise<string> {
	let [active, isHere] = ['', false];
	await parts.parse('settings.xml', {
		open: (_, { name }) => (isHere = name === 'ActiveTable' && active === ''),
		text: (part) => (active += isHere ? part.slice(0, TABLE_LIMITS.cell - active.length) : ''),
		close: () => void (isHere = false),
	});
	return active;
}

/** The sheet that is read, among those of the file. */
class Sheet {
	readonly names: string[] = [];
	/** Which one is read; -1 before it begins. */
	index = -1;
	readonly rows = new Rows();
	/** Days from Excel's first day to that of the file. */
	offset = 0;

	/** How deep tables are nested; a table in a table is a part of its cell. */
	private depth = 0;
	private row = { number: 0, repeated: 1, cells: [] as Cell[], width: 0 };
	private cell?: { attributes: Attributes; paragraphs: string[]; length: number };
	/** How deep a comment on a cell is, which has paragraphs, too. */
	private aside = 0;

	/** @param wanted the name of the sheet to read; empty for the first one */
	constructor(private readonly wanted: string) {}

	/** Whether what comes belongs to a cell of the sheet, and not to a table in it. */
	private get isRead(): boolean {
		return this.depth === 1 && this.index >= 0 && this.index === this.names.length - 1;
	}

	open(name: string, attributes: Attributes): void {
		if (name === 'null-date') this.offset = serialOf((attributes['date-value'] ?? '').slice(0, 10)) || 0;
		if (name === 'table' && ++this.depth === 1 && this.names.length < TABLE_LIMITS.sheets) {
			this.names.push(attributes.name ?? '');
			const isMeant = this.wanted === '' || isSheet(attributes.name ?? '', this.wanted);
			if (this.index === -1 && isMeant) this.index = this.names.length - 1;
		}
		if (!this.isRead) return;
		switch (name) {
			case 'table-row': {
				const { number, repeated } = this.row;
				const next = countIn(attributes['number-rows-repeated']);
				this.row = { number: number + repeated, repeated: next, cells: [], width: 0 };
				break;
			}
			case 'table-cell':
			case 'covered-table-cell':
				this.cell = { attributes, paragraphs: [], length: 0 };
				break;
			case 'annotation':
				this.aside++;
				break;
			case 'p':
				if (this.aside === 0) this.cell?.paragraphs.push('');
				break;
			case 's':
				this.add(' '.repeat(Math.min(countIn(attributes.c), TABLE_LIMITS.spaces)));
				break;
			case 'tab':
				this.add(' ');
				break;
			case 'line-break':
				this.add('\n');
		}
	}

	add(text: string): void {
		if (!this.isRead || this.aside > 0 || !this.cell) return;
		const { paragraphs } = this.cell;
		if (paragraphs.length > 0) paragraphs[paragraphs.length - 1] += text;
		this.cell.length += text.length;
		if (this.cell.length > TABLE_LIMITS.cell) throw tooLong(this.row.number);
	}

	close(name: string): void {
		if (name === 'table') this.depth--;
		if (!this.isRead) return;
		if (name === 'annotation') this.aside--;
		if (name === 'table-cell') this.endCell(false);
		if (name === 'covered-table-cell') this.endCell(true);
		if (name !== 'table-row') return;
		const { number, repeated, cells } = this.row;
		// Empty rows to the sheet's end are one row, repeated.
		for (let i = 0; i < (cells.length > 0 ? repeated : 0); i++) this.rows.add(number + i, cells);
	}

	/** @param isCovered whether it is under a merged one, so that nobody sees what it holds */
	private endCell(isCovered: boolean): void {
		const { attributes = {}, paragraphs = [] } = this.cell ?? {};
		this.cell = undefined;
		const { row } = this;
		const times = countIn(attributes['number-columns-repeated']);
		const text = cellText(paragraphs.join('\n'));
		const value = isCovered ? '' : valueOf(attributes, text, this.offset);
		const kept = value === '' ? 0 : Math.min(times, TABLE_LIMITS.columns - row.width);
		for (let i = 0; i < kept; i++) row.cells[row.width + i] = value;
		row.width += times;
	}
}

/** What a cell shows is in the file, beside what it holds. Without it, a program would show all that it holds. */
function valueOf(attributes: Attributes, text: string, offset: number): Cell {
	const type = attributes['value-type'];
	// Newer programs say that a formula failed; older ones only show it, and give 0.
	const isFailed = attributes['calcext:value-type'] === 'error' || /^(?:#[A-Z]|Err:\d)/.test(text);
	if (attributes.formula !== undefined && (isFailed || (type === undefined && text === '')))
		return new OddCell(text);
	switch (type) {
		case 'float':
		case 'currency':
			return shownNumber(Number(attributes.value ?? NaN), text, offset);
		case 'percentage': {
			const percent = Number((Number(attributes.value ?? NaN) * 100).toPrecision(12));
			const shown = shownNumber(percent, text.replace('%', ''), offset);
			return shown instanceof OddCell ? shown : `${percent} %`;
		}
		case 'date':
			return shownDay(attributes['date-value'] ?? '', text);
		case 'string':
			return attributes['string-value'] === undefined ? text : cellText(attributes['string-value']);
		default:
			return text;
	}
}

/** Groups of three, by point or comma, and decimals behind the other one. */
const NOTATIONS: Array<[pattern: RegExp, group: string]> = [
	[/^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/, '.'],
	[/^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/, ','],
];
function shownNumber(value: number, shown: string, offset: number): Cell {
	if (Number.isNaN(value) || shown === '') return shown === '' && !Number.isNaN(value) ? value : shown;
	const text = shown.slice(0, TABLE_LIMITS.shown);
	const digits = text.replace(/[^\d.,]/g, '');
	if (digits === '') return shown;
	const isNegative = /[-\u2212(]/.test(text);
	const isSame = NOTATIONS.some(([pattern, group]) => {
		const number = Number(digits.replaceAll(group, '').replace(',', '.'));
		return pattern.test(digits) && Math.abs((isNegative ? -number : number) - value) <= FLOAT_NOISE;
	});
	if (!isSame) {
		// Some programs store a day as a number alone.
		const day = shownDay(dayOfSerial(value + offset) ?? '', text);
		return dayOfSerial(value + offset) === undefined || day instanceof OddCell
			? new OddCell(text, value)
			: day;
	}
	const others = text.match(/\p{Sc}|\p{L}+/gu) ?? [];
	return others.every(isEuro) && !/^0\d+$/.test(text) ? value : shown;
}

function shownDay(given: string, shown: string): Cell {
	const { day, time = '' } =
		/^(?<day>\d{4}-\d\d-\d\d)(?:T(?<time>\d\d:\d\d:\d\d))?/.exec(given)?.groups ?? {};
	if (!day) return shown;
	if (shown === '') return dayAsShown(day, { hasYear: true, time });
	const text = shown.slice(0, TABLE_LIMITS.shown);
	const clock = /\d{1,2}:\d\d(?<seconds>:\d\d)?/.exec(text);
	const numbers =
		text
			.replace(clock?.[0] ?? '', '')
			.match(/\d+/g)
			?.map(Number) ?? [];
	const at = numbers.indexOf(Number(day.slice(8)));
	if (at === -1) return new OddCell(text);
	const others = numbers.filter((_, i) => i !== at);
	const hasYear = others.some((one) => one === Number(day.slice(0, 4)) || one === Number(day.slice(2, 4)));
	return dayAsShown(day, { hasYear, time: clock ? time.slice(0, clock.groups?.seconds ? 8 : 5) : '' });
}
