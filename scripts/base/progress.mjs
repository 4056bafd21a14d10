// Shows progress on the terminal. Plain JavaScript: it runs before anything is installed.

const TTY = process.stdout.isTTY === true;
const COLOR = TTY && !process.env.NO_COLOR;
/** Milliseconds between two lines if the output can't rewrite a line (CI, a file). */
const LINE_EVERY = 10_000;

/**
 * @param {number} on ANSI code
 * @param {number} off ANSI code
 * @returns {(text: string) => string}
 */
const style = (on, off) => (text) => (COLOR ? `\x1b[${on}m${text}\x1b[${off}m` : text);
export const bold = style(1, 22);
export const dim = style(2, 22);
export const red = style(31, 39);
export const green = style(32, 39);

/**
 * "0.4 s", "12 s", "2 min 5 s"
 *
 * @param {number} milliseconds
 */
function duration(milliseconds) {
	const seconds = milliseconds / 1000;
	if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
	if (seconds < 60) return `${Math.round(seconds)} s`;
	return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** The steps that are running, the oldest first: it has the terminal's last line. @type {Set<() => string>} */
const running = new Set();

/** Rewrites the terminal's last line: the oldest step's, and how many run beside it. */
function rewrite() {
	const [oldest] = running;
	if (!TTY || !oldest) return;
	const others = running.size > 1 ? ` (+${running.size - 1})` : '';
	// A line that wraps can't be rewritten.
	process.stdout.write(`\r\x1b[2K◌ ${`${oldest()}${others}`.slice(0, process.stdout.columns - 3)}`);
}

/** Prints lines above those of running steps. @param {string[]} lines */
export function print(...lines) {
	process.stdout.write(`${TTY ? '\r\x1b[2K' : ''}${lines.map((line) => `${line}\n`).join('')}`);
	rewrite();
}

/**
 * Runs a task under a heading and shows how long it has been running; several may run at once. A terminal gets one line that is
 * rewritten every second; any other output gets a new line every `LINE_EVERY` milliseconds.
 *
 * The task reports its progress with `say`; the last report stays on the screen.
 *
 * @type {<T>(title: string, task: (say: (detail: string) => void) => Promise<T>) => Promise<T>}
 */
export const step = async (title, task) => {
	const start = Date.now();
	let detail = '';
	let shown = false;
	const elapsed = () => duration(Date.now() - start);
	const state = () => [elapsed(), detail].filter(Boolean).join(', ');
	const line = () => `${title} … ${state()}`;
	const show = () => {
		if (TTY) return rewrite();
		if (running.size > 1) print(`◌ ${line()}`);
		else print(...(shown ? [] : [`◌ ${title} …`]), `    ${state()}`);
		shown = true;
	};
	/** @param {string} mark */
	const end = (mark) => {
		running.delete(line);
		print(`${mark} ${[title, detail].filter(Boolean).join(': ')} ${dim(`(${elapsed()})`)}`);
	};
	running.add(line);
	rewrite();
	const timer = setInterval(show, TTY ? 1000 : LINE_EVERY);
	try {
		const result = await task((text) => {
			detail = text;
		});
		end(green('✓'));
		return result;
	} catch (error) {
		end(red('✗'));
		throw error;
	} finally {
		clearInterval(timer);
	}
};
