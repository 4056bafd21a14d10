/**
 * Invoice numbers in a payment's text. A number is a sequence of words and groups of digits: `RE 4711`, `RE-4711` and
 * `re4711` are the same number, and only a whole one counts: 4711 is in none of 14711, 47110, 2026-4711 and 4711,00.
 */

/** A run of letters, or one of digits. */
interface Run {
	text: string;
	isDigits: boolean;
	/** The characters between this run and the one before. */
	gap: string;
}

/** The most characters that are read; the text of a payment isn't longer. */
export const LONGEST_TEXT = 20_000;

function runsOf(text: string): Run[] {
	// One character may become eighteen.
	const plain = text.slice(0, LONGEST_TEXT).normalize('NFKC').toLowerCase().slice(0, LONGEST_TEXT);
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
const LONGEST_NUMBER = 100;
/** More characters between two runs belong to no number. */
const WIDEST_GAP = 3;

const joined = (runs: Run[]) => runs.map(({ text }) => text).join(' ');

/** A number as all its spellings have it; `undefined` if it isn't telling enough to be looked for in a text. */
export function plainNumber(number: string): string | undefined {
	if (number.length > LONGEST_NUMBER) return undefined;
	const runs = runsOf(number);
	const digits = runs.reduce((count, { text, isDigits }) => count + (isDigits ? text.length : 0), 0);
	return digits >= FEWEST_DIGITS && runs.length <= MOST_RUNS ? joined(runs) : undefined;
}

/**
 * The numbers in a text, each once. One that is a part of another one in the same place isn't meant.
 * @param known the numbers that are looked for, as `plainNumber` gives them
 */
export function numbersIn(text: string, known: ReadonlySet<string>): string[] {
	const runs = runsOf(text);
	const found = new Set<string>();
	let end = 0;
	for (let from = 0; from < runs.length; from++) {
		// Another number may follow at once: `RE-4711/RE-4712`.
		if (from !== end && isContinued(runs, from)) continue;
		const to = longestFrom(runs, from, known);
		if (to <= end) continue;
		found.add(joined(runs.slice(from, to)));
		end = to;
	}
	return [...found];
}

/** @returns where the longest number that begins there ends; 0 if none does */
function longestFrom(runs: Run[], from: number, known: ReadonlySet<string>): number {
	let longest = 0;
	let text = '';
	for (let to = from + 1; to <= runs.length && to - from <= MOST_RUNS; to++) {
		const { text: run, gap } = runs[to - 1];
		if (text !== '' && gap.length > WIDEST_GAP) break;
		if (text.length + run.length > 2 * LONGEST_NUMBER) break;
		text = text === '' ? run : `${text} ${run}`;
		if (known.has(text) && !continues(runs, to)) longest = to;
	}
	return longest;
}

/** The characters that join groups of digits to one number. */
const JOINT = /^[-/._]$/;

/** Whether what stands before belongs to the same number, as in `2026-4711`; letters before it may be `No`. */
const isContinued = (runs: Run[], from: number) =>
	from > 0 && runs[from - 1].isDigits && (runs[from].gap === '' || JOINT.test(runs[from].gap));

/** Whether what follows belongs to the same number or amount, as in `4711a`, `4711-A`, `4711-2` and `4711,00`. */
function continues(runs: Run[], to: number): boolean {
	if (to === runs.length) return false;
	const { text, isDigits, gap } = runs[to];
	if (!isDigits) return gap === '' || (gap === '-' && text.length === 1);
	return gap === '' || JOINT.test(gap) || (gap === ',' && text.length === 2);
}
