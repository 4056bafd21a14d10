/** What the parts of the benchmark share: rounds in which contenders alternate, and the figures that come of them. */

/** A row of the page's table. */
export interface Figure {
	/** What was measured, in a user's words. */
	what: string;
	/** Our value, with its unit. */
	ours: string;
	/** The other one that did the same in the same run, with its value. */
	against?: string;
	/** Our value divided by the other one's. */
	ratio?: number;
	/** The ratio that an earlier version of the package had, measured beside it. */
	earlier?: number;
	/** The greatest ratio that is good enough. Without it, the figure is only reported. */
	goal?: number;
}

/** A section of the page. */
export interface Part {
	title: string;
	/** How it was measured, in a few sentences. */
	method: string;
	figures: Figure[];
}

/** Notes the ratios of an earlier version of the package, which was measured in the same way. */
export function addEarlier(part: Part, earlier: Part): void {
	for (const [i, figure] of part.figures.entries()) figure.earlier = earlier.figures[i]?.ratio;
}

/** Less of a difference is chance. */
const NOISE = 1.15;
export const isWorse = ({ ratio, earlier }: Figure): boolean =>
	ratio !== undefined && earlier !== undefined && ratio > earlier * NOISE;

/** Each contender's value in each round. */
export type Rounds<Name extends string> = Array<Record<Name, number>>;

/** Measures the contenders in turn, so that all have the same load beside them. The first round only warms up. */
export async function alternate<Name extends string>(
	contenders: Record<Name, () => Promise<number>>,
	roundCount: number,
): Promise<Rounds<Name>> {
	const rounds: Rounds<Name> = [];
	for (let round = 0; round <= roundCount; round++) {
		const values: Array<[string, number]> = [];
		for (const [name, measure] of Object.entries<() => Promise<number>>(contenders))
			values.push([name, await measure()]);
		if (round > 0) rounds.push(Object.fromEntries(values) as Record<Name, number>);
	}
	return rounds;
}

/** The middle value; of an even number of values, the upper one of the two. */
export const median = (values: number[]): number =>
	values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export const seconds = (value: number): string => `${value.toFixed(2)} s`;
export const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
export const megabytes = (value: number): string => `${value.toFixed(0)} MB`;

/** Compares two contenders by the median of each round's ratio. @param unit formats a median */
export function compared<Name extends string>(
	what: string,
	rounds: Rounds<Name>,
	[of, to]: [Name, Name],
	unit: (value: number) => string,
	goal?: number,
): Figure {
	const medianOf = (name: Name) => unit(median(rounds.map((round) => round[name])));
	return {
		what,
		ours: medianOf(of),
		against: `${to}: ${medianOf(to)}`,
		ratio: median(rounds.map((round) => round[of] / round[to])),
		goal,
	};
}
