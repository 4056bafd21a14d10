// What a person sees while something takes its time. Plain JavaScript: it runs before anything is installed.

const TTY = process.stdout.isTTY === true;
const COLOUR = TTY && !process.env.NO_COLOR;
/** Milliseconds between two lines where lines can't be rewritten (CI, a file). */
const LINE_EVERY = 10_000;

/** @param {string} text */
export const bold = (text) => (COLOUR ? `\x1b[1m${text}\x1b[22m` : text);
/** @param {string} text */
export const dim = (text) => (COLOUR ? `\x1b[2m${text}\x1b[22m` : text);
/** @param {string} text */
export const green = (text) => (COLOUR ? `\x1b[32m${text}\x1b[39m` : text);
/** @param {string} text */
export const red = (text) => (COLOUR ? `\x1b[31m${text}\x1b[39m` : text);

/**
 * "0.4 s", "12 s", "2 min 5 s"
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
	const seconds = milliseconds / 1000;
	if (seconds < 10) return `${seconds.toFixed(1)} s`;
	if (seconds < 60) return `${Math.round(seconds)} s`;
	return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/**
 * Runs a piece of work under a heading, shows that it is still going on, and how long it took. A terminal gets one
 * line that is rewritten every second; elsewhere a line is added now and then.
 * @template T
 * @param {string} title what is being done
 * @param {(say: (detail: string) => void) => Promise<T> | T} work `say` tells how far it is
 * @returns {Promise<T>} what the work returns
 */
export async function step(title, work) {
	const start = Date.now();
	let detail = '';
	const show = () => {
		const line = `${title} ${dim(`… ${duration(Date.now() - start)}${detail && `, ${detail}`}`)}`;
		process.stdout.write(TTY ? `\r\x1b[2K◌ ${line}` : `  ${line}\n`);
	};
	const end = (/** @type {string} */ mark) =>
		process.stdout.write(
			`${TTY ? '\r\x1b[2K' : ''}${mark} ${title}${detail && ` – ${detail}`} ${dim(`(${duration(Date.now() - start)})`)}\n`,
		);
	if (TTY) show();
	const timer = setInterval(show, TTY ? 1000 : LINE_EVERY);
	try {
		const result = await work((text) => {
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
}
