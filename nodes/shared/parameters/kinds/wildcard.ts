/**
 * Whether a whole text matches a pattern in which `*` stands for any characters, or none. Ignores case: cameras and
 * scanners often write extensions in capital letters. `ü` is one character, however it is encoded: file names from a
 * Mac have it as `u` and two dots.
 *
 * Not a regular expression: file names come from others, and `*Rechnung*2026*.pdf` as `.*` would take time proportional
 * to the cube of their length.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
	const [start, ...parts] = comparable(pattern).split('*');
	const whole = comparable(text);
	const end = parts.pop();
	if (end === undefined) return whole === start;
	const last = whole.length - end.length;
	if (!whole.startsWith(start) || !whole.endsWith(end)) return false;
	// Matching each part as early as possible leaves the most text to the parts that follow.
	let from = start.length;
	for (const part of parts) {
		const at = whole.indexOf(part, from);
		if (at === -1) return false;
		from = at + part.length;
	}
	return from <= last;
}

/** In capital letters, where `ß` is `SS`, as scanners write it. */
const comparable = (text: string) => text.normalize('NFC').toUpperCase();
