/** The repository's folder. */
export const ROOT: string;

/** A failure that is explained to the user; anything else is a bug. */
export class Explained extends Error {}

/** Runs a program with its output kept back. `output` is the last part of what it printed. */
export function runQuietly(
	program: string,
	args: string[],
	options: { cwd: string; shell?: boolean },
): Promise<{ ended: 'well' | `with ${string}`; output: string }>;

/** Runs a Node program of this repository in place of this process (same terminal, same signals); gives its exit code. */
export function handOver(...args: string[]): Promise<number>;
