/** The item indexes from a list of item numbers, e.g. `1–3, 5`. */
export const itemsIn = (list: string): number[] =>
	list.split(', ').flatMap((range) => {
		const [from, to = from] = range.split('–').map(Number);
		return Array.from({ length: to - from + 1 }, (_, i) => from - 1 + i);
	});
