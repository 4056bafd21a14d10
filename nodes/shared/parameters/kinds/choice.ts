import type { INodePropertyOptions } from 'n8n-workflow';
import { omit } from 'lodash';

import { parameter } from '../parameter';
import type { Given, GivenParameter, Spec } from '../parameter';
import { bilingual, both } from '../../values';
import type { Language } from '../../values';

interface Choice<T extends string> {
	value: T;
	name: string;
	description?: string;
	/**
	 * Other words that people and AI agents use for the choice. If there are any, `name` and `value` also match in any
	 * case.
	 */
	synonyms?: readonly string[];
}

interface ChoiceSpec<T extends string> extends Spec {
	choices: ReadonlyArray<Choice<T>>;
	/** The form's default; the first choice if not given. An empty text makes people choose, or is itself a choice. */
	default?: T | '';
	empty?: string;
}

export function choice<const T extends string, const S extends ChoiceSpec<T>>(
	spec: S & ChoiceSpec<T>,
): GivenParameter<Given<S, S['choices'][number]['value']>> {
	const { choices, default: initial = choices[0].value, empty = 'Choose…' } = spec;
	const options: INodePropertyOptions[] = [
		...(initial === '' ? [{ name: empty, value: '' }] : []),
		...choices.map((one) => omit(one, 'synonyms')),
	];
	const values = choices.map(({ value }) => value);
	const isMeant = ({ value, name, synonyms }: Choice<T>, given: unknown) =>
		given === value ||
		(synonyms !== undefined &&
			typeof given === 'string' &&
			[value, name, ...synonyms].some((word) => word.toLowerCase() === given.toLowerCase()));
	// Without this option, the editor marks an expression's result in red although the node accepts it.
	const takesWords = choices.some(({ synonyms }) => synonyms) && { allowArbitraryValues: true };
	return parameter(spec, { type: 'options', options, ...takesWords, default: initial }, (given, place) => {
		const found = choices.find((one) => isMeant(one, given));
		return (
			found?.value ??
			place.addIssue(
				bilingual((language) => mustBe(values, language)),
				given,
			)
		);
	}) as GivenParameter<Given<S, S['choices'][number]['value']>>;
}

const mustBe = (values: readonly string[], language: Language): string => {
	const [but, last] = [values.slice(0, -1).join(', '), values.at(-1)];
	return language === 'en' ? `must be ${but} or ${last}` : `muss ${but} oder ${last} sein`;
};

export const flag = <const S extends Spec & { default: boolean }>(spec: S) =>
	parameter(spec, { type: 'boolean', default: spec.default }, (given, place) =>
		typeof given === 'boolean'
			? given
			: place.addIssue(both('must be true or false', 'muss true oder false sein'), given),
	);
