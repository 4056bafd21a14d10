/** Generated values that a failed run can be repeated with. */
import fc from 'fast-check';

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
