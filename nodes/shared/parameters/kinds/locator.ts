/** Values that are chosen from a list of the gateway, and these lists. */
import type { IDataObject, INodePropertyMode } from 'n8n-workflow';
import { isObjectLike, without } from 'lodash';
import { DateTime } from 'luxon';

import { both, DATE_SHAPE, isMissing, parseDate } from '../../values';
import { clean, LookedUp, withHint } from '../parameter';
import type { List, Lookup, Parameter, ParameterMap, Shape } from '../parameter';
import { CONNECTION } from '../../thisGateway';

interface LocatorSpec<T> {
	list: List;
	/** The label of the mode for a value that isn't an ID; n8n always shows a mode named `id` as "By ID". */
	by?: `By ${string}`;
	hint?: string;
	/** What it means that nothing is chosen, in place of "Choose…". */
	unchosen?: string;
	/** Lets people give a day instead of the value, which the gateway is then asked for. */
	ofDay?: OfDay<T>;
}

interface OfDay<T> {
	/** The hint under the field: what the day finds. */
	hint: string;
	lookup(day: Day): Lookup<T>;
}

/** A given day, or today. */
export interface Day {
	/** `YYYY-MM-DD`, in the workflow's time zone. */
	date: string;
	isToday: boolean;
}

const DAY_MODE = 'day';

/** n8n says so below a list that is still loading: the gateway may take its time. */
const SLOW = {
	message: 'The gateway takes long to answer. You can give the value yourself: change From List.',
	timeout: 8000,
};

/**
 * A value that is chosen from a list of the gateway, or given by hand or expression.
 * @param value how the value is read and checked when it is given
 */
export function locator<T>(
	{ property, shape, read }: Parameter<T>,
	{ list, by, hint, unchosen = 'Choose…', ofDay }: LocatorSpec<T>,
): Parameter<T> {
	const { placeholder, required, ...rest } = property;
	const { displayName } = property;
	// n8n requires a value of a required parameter in every mode, but here an empty day means today.
	const wanted = required && ofDay ? [present(displayName)] : [];
	return {
		property: {
			// n8n tells models that a locator is optional, as its default isn't empty.
			...(required && !ofDay ? withHint(rest, 'Required: the node refuses to run without a value.') : rest),
			...(required && !ofDay && { required }),
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			// When it changes, the editor clears what was chosen.
			...(CONNECTION in list.of && { typeOptions: { loadOptionsDependsOn: [`${CONNECTION}.value`] } }),
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: unchosen,
					typeOptions: { searchListMethod: list.name, searchable: true, slowLoadNotice: SLOW },
					validation: wanted,
				},
				{
					displayName: by ?? 'By ID',
					name: by ? 'value' : 'id',
					type: 'string',
					placeholder,
					hint,
					validation: [...wanted, ...(shape ? [shaped(displayName, shape)] : [])],
				},
				...(ofDay
					? [
							{
								displayName: 'By Day',
								name: DAY_MODE,
								type: 'string' as const,
								placeholder: 'e.g. 2026-11-22; today when empty',
								hint: ofDay.hint,
								validation: [shaped(displayName, DATE_SHAPE)],
							},
						]
					: []),
			],
		},
		list,
		read(given, place) {
			if (!ofDay || (given as { mode?: unknown } | null | undefined)?.mode !== DAY_MODE)
				return read(given, place);
			const value = clean(given);
			const isToday = isMissing(value);
			const day = parseDate(isToday ? DateTime.now() : value, place.holder.zone);
			if ('rule' in day) return place.addIssue(day.rule, value);
			if (isToday && place.isMissingByMistake(given)) {
				place.addNote(
					both(
						'is the current one, as no day is given; check the column or field that it comes from',
						'ist das laufende, denn der Tag fehlt; prüfen Sie die Spalte oder das Feld, aus dem er kommt',
					),
				);
			}
			return new LookedUp(place, day.value, ofDay.lookup({ date: day.value, isToday }));
		},
	};
}

type Validation = NonNullable<INodePropertyMode['validation']>[number];

/**
 * n8n tests the pattern from `^` to `$`, but not the result of an expression. It accepts empty values and surrounding
 * spaces.
 */
const shaped = (displayName: string, { pattern, rule }: Shape): Validation => ({
	type: 'regex',
	properties: { regex: `\\s*(?:${pattern})?\\s*`, errorMessage: `${displayName} ${rule}` },
});

export const NOT_EMPTY = '.+';

/** The text of n8n's own check of a required parameter. */
const present = (displayName: string): Validation => ({
	type: 'regex',
	properties: { regex: NOT_EMPTY, errorMessage: `Parameter "${displayName}" is required.` },
});

/** Lets the compiler infer the values that `request` gets, and then forget them. */
export const defineList = <const P extends ParameterMap>(list: List<P>): List => list;

/** The fields that may hold a row's name; the contract leaves the lists' shapes open. */
const NAME_FIELDS = ['bezeichnung', 'name', 'display_name', 'displayName', 'title', 'titel', 'beschreibung'];

const MAX_TEXTS = 3;

/** The text or number that a row has under the first of the names. */
export const firstOf = (row: IDataObject, names: readonly string[]): string | undefined => {
	const found = names.map((name) => row[name]).find((one) => !isMissing(one) && !isObjectLike(one));
	return found === undefined ? undefined : String(found);
};

/**
 * The name of a row or, if it has none in a known field, its texts.
 * @param value the row's value, which isn't a name
 * @param names that only the rows of this list have
 */
export function nameIn(row: IDataObject, value: string, names: readonly string[] = []): string | undefined {
	const name = firstOf(row, [...NAME_FIELDS, ...names]);
	if (name !== undefined) return name;
	const texts = without(Object.values(row), value, '').filter((text) => typeof text === 'string');
	return texts.length > 0 ? `${texts.slice(0, MAX_TEXTS).join(', ')} (${value})` : undefined;
}
