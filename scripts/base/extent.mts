/** How much a run of the tests tries: a part by day, everything each night. Generated values are repeatable. */
import fc from 'fast-check';

/** Whether the tests on a real n8n run in full: `NIGHTLY=true`. By day, what takes long and rarely breaks is left out. */
export const NIGHTLY = process.env.NIGHTLY === 'true';

/** How many items an example is tried with at once: nightly as many as an office ever has, by day enough to need its loops. */
export const MANY = NIGHTLY ? 500 : 100;

/** A table of cases: nightly all of them, by day the first ones. */
export const firstOf = <T,>(count: number, table: T[]): T[] => (NIGHTLY ? table : table.slice(0, count));

/** How many values are generated for a case, as defined by each test: fewest by day, most each night. */
export const RUNS = Number(process.env.PROOF_RUNS ?? 40);
const THOROUGH = 1000;

/** Whether all combinations are tried, with the largest sizes and numbers, or each part only in some. */
export const IS_THOROUGH = RUNS >= THOROUGH;

/** A table by day: the part of it that is this case's own, one in `share`; whole in a thorough run. @param number of the case */
export const partOf = <T,>(table: readonly T[], number: number, share = 6): T[] =>
	IS_THOROUGH ? [...table] : table.filter((_, i) => (i + number) % share === 0);

/** This test run's share of a number of runs. @param all the number in a thorough run */
export const shareOf = (all: number): number => (IS_THOROUGH ? all : Math.ceil(all / 20));

/** Makes fast-check generate the values of `PROOF_SEED` from now on; without it, each run has others. */
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
		// The error names the value, so shrinking or printing everything generated adds nothing.
		endOnFailure: true,
		asyncReporter: async ({ failed, seed: used, errorInstance }) => {
			if (!failed) return await Promise.resolve();
			const message = (errorInstance as Error).message;
			throw new Error(`${message}\n\nRun again with PROOF_SEED=${used}`, { cause: errorInstance });
		},
	});
}
