/** Generated values that a failed run can be repeated with. */
import fc from 'fast-check';

/**
 * How many values are generated for a case, as each test says what that is: fewer in `npm test` than in `.ci/run`, which
 * asks for `THOROUGH`.
 */
export const RUNS = Number(process.env.PROOF_RUNS ?? 100);
const THOROUGH = 1000;

/** Whether all combinations are tried, or each part of them in some. */
export const IS_THOROUGH = RUNS >= THOROUGH;

/** What of a number of runs is left for this run of the tests. @param all those of a thorough one */
export const shareOf = (all: number): number => (IS_THOROUGH ? all : Math.ceil((all * RUNS) / THOROUGH));

/** Makes all values that fast-check generates from now on those of `PROOF_SEED`; without it each run has others. */
export function useSeed(): void {
	const { PROOF_SEED } = process.env;
	if (PROOF_SEED) fc.configureGlobal({ seed: Number(PROOF_SEED) });
}

/** Checks a property of generated values. A failure prints the counterexample's error and the seed that repeats it. */
export async function assertProperty<T>(
	values: fc.Arbitrary<T>,
	runs: number,
	check: (value: T) => Promise<void>,
): Promise<void> {
	await fc.assert(fc.asyncProperty(values, check), {
		numRuns: Math.ceil(runs),
		// What is wrong says with which value: nothing is gained by shrinking, nor by a print of everything generated.
		endOnFailure: true,
		asyncReporter: async ({ failed, seed: used, errorInstance }) => {
			if (!failed) return await Promise.resolve();
			const message = (errorInstance as Error).message;
			throw new Error(`${message}\n\nRun again with PROOF_SEED=${used}`, { cause: errorInstance });
		},
	});
}
