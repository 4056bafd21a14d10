import type { Beside } from '../../answer';
import { bilingual, both } from '../../values';
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
		const fresh = (rowsIn(outcome)?.besides ?? []).filter(({ name, text: { en } }) => {
			const values = told.get(name) ?? [];
			if (values.includes(en) || values.length === MOST_VALUES) return false;
			told.set(name, [...values, en]);
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
	const { en, de } = bilingual((language) =>
		besides.map(({ name, text }) => `${name}: ${text[language]}`).join('; '),
	);
	return both(`The gateway also says: ${en}`, `Das Gateway sagt außerdem: ${de}`);
}
