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

/** The name of the earlier version of the package, which takes its turn beside this one. */
export const EARLIER = 'the earlier version';

/** A greater ratio to the earlier version isn't chance. */
export const NOISE = 1.15;

/** Whether it got worse than in the earlier version. */
export const isWorse = ({ against, ratio = 0 }: Figure): boolean =>
	against?.startsWith(EARLIER) === true && ratio > NOISE;

/** What each contender took, in each round. */
export type Rounds<Taken> = Array<Partial<Record<string, Taken>>>;
export type Contenders<Taken> = Record<string, (() => Promise<Taken>) | undefined>;

/**
 * Measures the contenders in turn, so that all have the same load beside them.
 * @param warmUps rounds that don't count
 */
export async function alternate<Taken>(
	contenders: Contenders<Taken>,
	roundCount: number,
	warmUps = 1,
): Promise<Rounds<Taken>> {
	const rounds: Rounds<Taken> = [];
	for (let round = -warmUps; round < roundCount; round++) {
		const values: Array<[string, Taken]> = [];
		for (const [name, measure] of Object.entries(contenders))
			if (measure) values.push([name, await measure()]);
		if (round >= 0) rounds.push(Object.fromEntries(values));
	}
	return rounds;
}

/** The middle value; of an even number of values, the upper one of the two. */
export const median = (values: number[]): number =>
	values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export const seconds = (value: number): string => `${value.toFixed(2)} s`;
export const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
export const megabytes = (value: number): string => `${value.toFixed(0)} MB`;

/** What to compare, and with what; of the goals, the greatest ratios that are good enough. */
interface Comparison<Taken> {
	what: string;
	/** The figure among what a contender took. */
	by: (taken: Taken) => number;
	/** Formats a median. */
	unit: (value: number) => string;
	/** Our contender, and the others with their goals. */
	of: string;
	to: Record<string, number | undefined>;
}

/** Compares a contender with others, and with its earlier version, by the median of each round's ratio. */
export function compared<Taken>(
	rounds: Rounds<Taken>,
	{ what, by, unit, of, to }: Comparison<Taken>,
): Figure[] {
	const valuesOf = (name: string) =>
		rounds.flatMap(({ [name]: taken }) => (taken === undefined ? [] : [by(taken)]));
	const own = valuesOf(of);
	return Object.entries({ ...to, [EARLIER]: NOISE }).flatMap(([name, goal]) => {
		const others = valuesOf(name);
		if (others.length === 0) return [];
		return [
			{
				what,
				ours: unit(median(own)),
				against: `${name}: ${unit(median(others))}`,
				ratio: median(own.map((value, i) => value / others[i])),
				...(goal !== undefined && { goal }),
			},
		];
	});
}
