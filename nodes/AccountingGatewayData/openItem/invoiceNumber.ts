/**
 * Invoice numbers in a payment's text. A number is a sequence of words and groups of digits: `RE 4711`, `RE-4711` and
 * `re4711` are the same number, and only a whole one counts: 4711 is in none of 14711, 47110, 2026-4711 and 4711,00.
 */
import { range, uniq, takeRightWhile } from 'lodash';

/** A run of letters, or one of digits. */
interface Run {
	text: string;
	isDigits: boolean;
	/** The characters between this run and the one before. */
	gap: string;
}

/** The most characters that are read; the text of a payment isn't longer. */
const LONGEST_PURPOSE = 4_000;

function runsOf(text: string): Run[] {
	// One character may become eighteen.
	const plain = text.slice(0, LONGEST_PURPOSE).normalize('NFKC').toLowerCase().slice(0, LONGEST_PURPOSE);
	const runs: Run[] = [];
	let end = 0;
	for (const { 0: run, index } of plain.matchAll(/\p{L}+|\p{N}+/gu)) {
		runs.push({ text: run, isDigits: /^\p{N}/u.test(run), gap: plain.slice(end, index) });
		end = index + run.length;
	}
	return runs;
}

/** Fewer digits may be a day, a quantity, or a document number that stands for an opening balance. */
const FEWEST_DIGITS = 3;
const MOST_RUNS = 12;
/** Characters of a number; what is longer is none, and would take long to be looked up. */
const LONGEST_INVOICE_NUMBER = 100;
/** More characters between two runs belong to no number. */
const WIDEST_GAP = 3;

const joinedRuns = (runs: Run[]) => runs.map(({ text }) => text).join(' ');

/** A number as all its spellings have it; `undefined` if it isn't telling enough to be looked for in a text. */
export function plainNumber(number: string): string | undefined {
	if (number.length > LONGEST_INVOICE_NUMBER) return undefined;
	const runs = runsOf(number);
	const digits = runs.reduce((count, { text, isDigits }) => count + (isDigits ? text.length : 0), 0);
	return digits >= FEWEST_DIGITS && runs.length <= MOST_RUNS ? joinedRuns(runs) : undefined;
}

/** A number as it is written, and with its groups of digits in one: `re 20260050` for `re 2026 0050`. */
export const spellingsOf = (number: string): string[] =>
	uniq([number, number.replace(/(?<=\p{N}) (?=\p{N})/gu, '')]);

/** What remains of a number without one or more of its first groups, if it begins with a digit: `2026 0050` and `0050` of `re 2026 0050`. */
export function withoutPrefix(number: string): string[] {
	const runs = number.split(' ');
	return range(1, runs.length)
		.map((from) => runs.slice(from).join(' '))
		.filter((rest) => /^\p{N}/u.test(rest) && rest.replace(/[^\p{N}]/gu, '').length >= FEWEST_DIGITS);
}

/** A place in a text that names an invoice. */
interface Mention {
	/** What it may mean, as `plainNumber` gives it; mostly one number. */
	numbers: string[];
	/** Whether it follows from the number before: `RE-4800, 4801`, `0050 bis 0052`. */
	isImplied: boolean;
}

type Known = Pick<ReadonlySet<string>, 'has'>;

/**
 * The places in a text that name a number. One that is a part of another one in the same place isn't meant.
 * @param known the numbers that are looked for, as `plainNumber` gives them
 */
export function mentionsIn(text: string, known: Known): Mention[] {
	const runs = runsOf(text);
	const ends = endsOf(runs, known);
	const found: Mention[] = [];
	let last: { number: string; end: number } | undefined;
	let end = 0;
	for (let from = 0; from < runs.length; from++) {
		// Another number may follow at once: `RE-4711/RE-4712`.
		if (from !== end && isContinued(runs, from)) continue;
		const to = ends[from];
		const whole = to > end ? joinedRuns(runs.slice(from, to)) : undefined;
		const implied = last && impliedAt(runs, from, last, known);
		if (whole === undefined && implied === undefined) continue;
		const number = (implied ?? whole) as string;
		if (last && isRange(runs, last.end, from))
			found.push(...between(last.number, number, known).map((one) => ({ numbers: [one], isImplied: true })));
		const numbers = [whole, implied].filter((one) => one !== undefined);
		found.push({ numbers: [...new Set(numbers)], isImplied: whole === undefined });
		end = Math.max(to, from + 1);
		last = { number, end };
	}
	return found;
}

/** Where the longest number that begins at each run ends; 0 if none does. */
function endsOf(runs: Run[], known: Known): number[] {
	const ends = Array<number>(runs.length).fill(0);
	// From the right, so that it is known whether a number begins behind a slash.
	for (let from = runs.length - 1; from >= 0; from--) {
		let text = '';
		for (let to = from + 1; to <= runs.length && to - from <= MOST_RUNS; to++) {
			const { text: run, gap } = runs[to - 1];
			if (text !== '' && gap.length > WIDEST_GAP) break;
			if (text.length + run.length > 2 * LONGEST_INVOICE_NUMBER) break;
			text = text === '' ? run : `${text} ${run}`;
			if (known.has(text) && (isFollowed(runs, to, text, known) || !continues(runs, to, ends)))
				ends[from] = to;
		}
	}
	return ends;
}

const lastRunOf = (number: string) => takeRightWhile([...number], (digit) => /\p{N}/u.test(digit)).join('');
const prefixOf = (number: string) => number.slice(0, number.length - lastRunOf(number).length);

/** What stands between a number and one that has its beginning: a comma and the like, or a short word such as "und" and "bis". */
const LONGEST_WORD = 3;

/** The number of which only the last digits stand there, as many as the number before has: 4801 in `RE-4800, 4801`. */
function impliedAt(
	runs: Run[],
	at: number,
	{ number, end }: { number: string; end: number },
	known: Known,
): string | undefined {
	const { text, isDigits, gap } = runs[at];
	const between = runs.slice(end, at);
	const isNext =
		between.length === 0
			? gap.length <= WIDEST_GAP && gap !== '-'
			: between.length === 1 && !between[0].isDigits && between[0].text.length <= LONGEST_WORD;
	if (!isDigits || !isNext || text.length !== lastRunOf(number).length) return undefined;
	const implied = prefixOf(number) + text;
	return prefixOf(number) !== '' && known.has(implied) && !continues(runs, at + 1, []) ? implied : undefined;
}

/** Whether the last digits of another number stand behind a slash: `0050/0051`. */
const isFollowed = (runs: Run[], to: number, number: string, known: Known) =>
	runs[to]?.gap === '/' && impliedAt(runs, to, { number, end: to }, known) !== undefined;

/** Whether two numbers are the ends of a range: "bis" or a dash between them, and maybe the words before the second. */
function isRange(runs: Run[], end: number, from: number): boolean {
	if (end >= runs.length || from - end > LONGEST_WORD) return false;
	const { text, gap } = runs[end];
	return text === 'bis' || /^(?: +-|[ ]*–) *$/.test(gap);
}

const WIDEST_RANGE = 100;

/** The numbers of a range, without its ends. */
function between(first: string, last: string, known: Known): string[] {
	const [from, to] = [lastRunOf(first), lastRunOf(last)];
	const width = Number(to) - Number(from);
	const isOne = prefixOf(first) === prefixOf(last) && from.length === to.length;
	if (!isOne || !(width > 1 && width <= WIDEST_RANGE)) return [];
	return range(1, width)
		.map((step) => prefixOf(first) + String(Number(from) + step).padStart(from.length, '0'))
		.filter((number) => known.has(number));
}

/** The characters that join groups of digits to one number. */
const JOINT = /^[-/._]$/;

/** Whether what stands before belongs to the same number, as in `2026-4711`; letters before it may be `No`. */
const isContinued = (runs: Run[], from: number) =>
	from > 0 && runs[from - 1].isDigits && (runs[from].gap === '' || JOINT.test(runs[from].gap));

/**
 * Whether what follows belongs to the same number or amount, as in `4711a`, `4711-A`, `4711-2` and `4711,00`.
 * @param ends of the numbers that begin there
 */
function continues(runs: Run[], to: number, ends: readonly number[]): boolean {
	if (to === runs.length) return false;
	const { text, isDigits, gap } = runs[to];
	if (!isDigits) return gap === '' || (gap === '-' && text.length === 1);
	// A slash may also stand between two numbers.
	if (gap === '/' && ends[to] > 0) return false;
	return gap === '' || JOINT.test(gap) || (gap === ',' && text.length === 2);
}

/** What a bank puts before the parts of a text (DFÜ-Abkommen, Anlage 3); these two are followed by the payer's own words. */
const OWN_WORDS = ['EREF', 'SVWZ'];
/** Or any other such keyword, as in `RE-4711TAN1+123456`; not the first of two numbers that are added up, as in `R4711+R4712`. */
const BANK_KEYWORD =
	/(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|(?<=^|[\d\s])[A-Z][A-Z0-9]{1,4}(?!\+ *[A-Z]+[- ]?\d))\+/;
/** Where a number ends at a keyword. */
const GLUED = /(?<=\d)(?=[A-Z][A-Z0-9]{1,4}:)/g;

/** A payment's text without what the bank adds, which may stand directly behind a number: `SVWZ+RE-4711ABWA+Anna`. */
export function ownWords(text: string): string {
	const pieces = text.slice(0, LONGEST_PURPOSE).split(BANK_KEYWORD);
	const [before, ...rest] = pieces;
	const own = range(0, rest.length, 2)
		.filter((i) => OWN_WORDS.includes(rest[i]))
		.map((i) => rest[i + 1]);
	// So far apart, no number is in two of them.
	const apart = ' '.repeat(WIDEST_GAP + 1);
	return [before, ...own].join(apart).replace(GLUED, apart);
}
