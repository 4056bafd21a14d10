/** Types and calculations that the parts of the benchmark share. */
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

import { hostNode } from '../host/n8n.mjs';

/** A figure of a run, and the goal that it must meet. */
export interface Measurement {
	/** What was measured, as a row of the table. */
	what: string;
	/** What the figure is compared with: another program that did the same in the same run, or a unit. */
	against: string;
	/** Our value and the other program's, formatted with units. */
	ours: string;
	theirs?: string;
	/** What the goal limits: a ratio, or a number in the unit that `against` names. */
	value: number;
	/** Maximum of `value`. Without it, the figure is only reported. */
	goal?: number;
}

/** A part of the benchmark. */
export interface Part {
	title: string;
	/** The method, in one or two sentences. */
	method: string;
	measurements: Measurement[];
	/** Tables that explain the figures, in Markdown. */
	notes?: string[];
}

/** Runs one of the scripts in this folder with the Node.js that n8n runs on. Returns the JSON that it prints. */
export async function runScript<T>(script: string, ...args: string[]): Promise<T> {
	const path = fileURLToPath(new URL(script, import.meta.url));
	const { stdout } = await execa(hostNode(), ['--import', 'tsx', path, ...args, '--json']);
	return JSON.parse(stdout) as T;
}

export const isMet = ({ value, goal = Infinity }: Measurement): boolean => value <= goal;

/** The middle value; of an even number of values, the upper one of the two. */
export function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Each contender's value in each round. Contenders alternate, so that all run under the same load. */
export type Rounds<Name extends string> = Array<Record<Name, number>>;

/** Median of the ratios of all rounds. */
const ratioOf = <Name extends string>(rounds: Rounds<Name>, of: Name, to: Name): number =>
	median(rounds.map((round) => round[of] / round[to]));

export const medianOf = <Name extends string>(rounds: Rounds<Name>, name: Name): number =>
	median(rounds.map((round) => round[name]));

export const seconds = (value: number): string => `${value.toFixed(2)} s`;
/** Formats milliseconds with only the meaningful decimals. */
export const milliseconds = (value: number): string =>
	`${value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0)} ms`;

/** Compares two contenders over some rounds. @param unit formats a median */
export function compared<Name extends string>(
	what: string,
	rounds: Rounds<Name>,
	[of, to]: [Name, Name],
	unit: (value: number) => string,
	goal?: number,
): Measurement {
	return {
		what,
		against: to,
		ours: unit(medianOf(rounds, of)),
		theirs: unit(medianOf(rounds, to)),
		value: ratioOf(rounds, of, to),
		goal,
	};
}
