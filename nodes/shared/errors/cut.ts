/**
 * The beginning of a text, with at most this many UTF-16 units. An emoji at the end is left out rather than cut in
 * half.
 */
export function cut(text: string, units: number): string {
	const isHalf = text.length > units && /[\uD800-\uDBFF]/.test(text[units - 1] ?? '');
	return text.slice(0, isHalf ? units - 1 : units);
}
