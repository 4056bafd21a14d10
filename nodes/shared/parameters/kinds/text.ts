import type { IDisplayOptions } from 'n8n-workflow';

import { CURRENCIES, both } from '../../values';
import { parseProse } from './prose';
import type { Bilingual, Rule } from '../../values';
import { parameter } from '../parameter';
import type { Place } from '../place';
import type { Given, GivenParameter, Parameter, Shape, Spec } from '../parameter';

/** A lone surrogate, e.g. half of an emoji: it can't be encoded. */
const BROKEN_CHARACTER = /\p{Surrogate}/u;

interface TextSpec extends Spec {
	default?: string;
	/** The maximum number of characters. */
	max?: number;
	/** Without flags; from `^` to `$` where it is to be checked in the form, too. */
	pattern?: RegExp;
	/** The pattern in words. */
	rule?: Rule;
	/** A character that the pattern allows, so that the error can name one that it doesn't. */
	characters?: RegExp;
	/** Set for a text that is only compared with others: it may be as its author's system wrote it. */
	asWritten?: true;
}

/** Text in one line. One without a pattern is prose; a value from a list of the gateway is as the gateway has it. */
export function text<const S extends TextSpec>(spec: S): GivenParameter<Given<S, string>> {
	return parameter(
		spec,
		{ type: 'string', default: spec.default ?? '' },
		(given, place, isFromList) => readText(given, place, isFromList ? { ...spec, asWritten: true } : spec),
		shapeOf(spec),
	);
}

function shapeOf({ pattern, rule }: TextSpec): Shape | undefined {
	const whole = pattern && /^\^(.*)\$$/.exec(pattern.source)?.[1];
	return whole && rule ? { pattern: whole, rule: rule.en } : undefined;
}

function readText(given: unknown, place: Place, spec: TextSpec) {
	const { max, pattern, rule, characters, asWritten } = spec;
	// Numbers from spreadsheets are accepted as long as no digit is lost.
	if (typeof given !== 'string' && !Number.isSafeInteger(given))
		return place.addIssue(both('must be text', 'muss Text sein'), given);
	const prose = pattern || asWritten ? { value: String(given) } : parseProse(String(given));
	if ('rule' in prose) return place.addIssue(prose.rule, given);
	const { value } = prose;
	if (BROKEN_CHARACTER.test(value)) {
		return place.addIssue(
			both(
				'has a broken character, like half of an emoji',
				'hat ein kaputtes Zeichen, etwa ein halbes Emoji',
			),
			given,
		);
	}
	// Characters as people count them, like JSON Schema's maxLength: an emoji is one, not two.
	const length = [...value].length;
	if (max !== undefined && length > max) {
		return place.addIssue(
			both(`has ${length} characters, ${max} are allowed`, `hat ${length} Zeichen, erlaubt sind ${max}`),
			given,
		);
	}
	if (!pattern || pattern.test(value)) return value;
	const wrong = characters && [...value].find((character) => !characters.test(character));
	const expected = rule ?? both(`must match ${pattern}`, `muss dem Muster ${pattern} entsprechen`);
	if (wrong === undefined) return place.addIssue(expected, given);
	const { en, de } = nameOfCharacter(wrong);
	return place.addIssue(both(`contains ${en}; it ${expected.en}`, `enthält ${de}; es ${expected.de}`), given);
}

function nameOfCharacter(character: string): Bilingual {
	if (character === ' ') return both('a space', 'ein Leerzeichen');
	if (character === '\n' || character === '\r') return both('a line break', 'einen Zeilenumbruch');
	return /\s/.test(character)
		? both('a special space', 'ein besonderes Leerzeichen')
		: both(`"${character}"`, `„${character}“`);
}

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** `uuid` of the contract. */
export const uuid = <const S extends Spec & Pick<TextSpec, 'default'>>(spec: S) =>
	text({
		placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
		...spec,
		pattern: UUID,
		rule: both(
			'must be a UUID like 123e4567-e89b-12d3-a456-426614174000',
			'muss eine UUID wie 123e4567-e89b-12d3-a456-426614174000 sein',
		),
	}) as GivenParameter<Given<S, string>>;

/** Text that goes into the path of the address. */
export const pathId = <const S extends Spec>(spec: S) =>
	// "." and ".." would change the path even when encoded.
	text({
		...spec,
		pattern: /^(?!\.{1,2}$)/,
		rule: both('must be an ID', 'muss eine ID sein'),
	}) as GivenParameter<Given<S, string>>;

/** A currency code of ISO 4217. */
export const currency = <const S extends Spec>(spec: S) =>
	parameter(spec, { type: 'string', default: 'EUR' }, (given, place) =>
		typeof given === 'string' && CURRENCIES.has(given)
			? given
			: place.addIssue(
					both(
						'must be a currency code of ISO 4217 in capital letters, e.g. EUR',
						'muss ein Währungscode nach ISO 4217 in Großbuchstaben sein, etwa EUR',
					),
					given,
				),
	);

/** A text in the form; it has no value. @param displayOptions when it is shown; always by default */
export const notice = (displayName: string, displayOptions?: IDisplayOptions): Parameter<undefined> => ({
	property: { displayName, type: 'notice', default: '', ...(displayOptions && { displayOptions }) },
	read: () => undefined,
});
