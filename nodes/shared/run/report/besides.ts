import type { Beside } from '../../answer';
import { both } from '../../values';
import type { Bilingual } from '../../values';
import type { Result } from '../task';
import { rowsIn } from '../task';

/** A field with a value of its own in each answer, such as an ID, isn't shown for each. */
const MOST_VALUES = 3;

/**
 * Makes what the answers say besides what the contract names a warning: each field once a run, and again only with another
 * value, up to three times.
 * @param results in the order of the output
 */
export function withBesides(results: Result[]): Result[] {
	const told = new Map<string, string[]>();
	return results.map((result) => {
		const { outcome } = result;
		const fresh = (rowsIn(outcome)?.besides ?? []).filter(({ name, text }) => {
			const values = told.get(name) ?? [];
			if (values.includes(text) || values.length === MOST_VALUES) return false;
			told.set(name, [...values, text]);
			return true;
		});
		if (outcome.kind !== 'done' || fresh.length === 0) return result;
		const { value: rows } = outcome;
		return {
			...result,
			outcome: { ...outcome, value: { ...rows, warnings: [...rows.warnings, alsoSays(fresh)] } },
		};
	});
}

/** Shows them, each with its value. */
export function alsoSays(besides: readonly Beside[]): Bilingual {
	const text = besides.map((one) => `${one.name}: ${one.text}`).join('; ');
	return both(`The gateway also says: ${text}`, `Das Gateway sagt außerdem: ${text}`);
}
