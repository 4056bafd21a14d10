import { groupBy, isEqual, map } from 'lodash';

import type { Combination, Operation } from '../../operation';
import { INVALID } from '../../parameters';
import type { ParameterMap, Values } from '../../parameters';
import { itemRanges } from '../itemNames';
import { issueAdder, isValid } from './items';
import type { ItemValues, ReadItem } from './items';
import { bilingual, both } from '../../values';

/** The items of a record, and its values unless one of the items breaks a rule. */
export interface ReadRecord {
	items: ReadItem[];
	values?: ItemValues;
}

type Combine = Combination<Values<ParameterMap>>;

export function combined(operation: Operation, combine: Combine, all: ReadItem[]): ReadRecord[] {
	const { by } = combine;
	const isInGroup = ({ values }: ReadItem) => typeof values[by] === 'string';
	const undecided = all.filter(({ values }) => values[by] === INVALID);
	const groups = groupBy(all, (one) => (isInGroup(one) ? `value ${String(one.values[by])}` : one.index));
	return Object.values(groups).map((members) => ({
		items: members,
		values: isInGroup(members[0]) ? valuesOf(operation, combine, members, undecided) : members[0].values,
	}));
}

/** @param undecided items for which a broken rule leaves open whether they belong to a group */
function valuesOf(
	operation: Operation,
	{ by, values: valuesOfAll }: Combine,
	members: ReadItem[],
	undecided: ReadItem[],
): ItemValues | undefined {
	const [first] = members;
	if (undecided.length > 0) {
		const open = map(undecided, 'index');
		const rule = both(
			`may be incomplete: the value of ${itemRanges(open, 'en')} can't be read`,
			`ist vielleicht unvollständig: Der Wert von ${itemRanges(open, 'de')} ist nicht lesbar`,
		);
		issueAdder(first.remarks, operation)(by, first.values[by], rule);
	}
	const areValid = () => members.every((one) => isValid(one, one.values));
	if (!areValid()) return undefined;
	compareOptions(operation, members);
	const own = valuesOfAll(
		members.map(({ index, values, remarks }) => ({
			name: bilingual((language) => itemRanges([index], language)),
			values,
			addIssue: issueAdder(remarks, operation),
		})),
	);
	return areValid() ? { ...first.values, ...own } : undefined;
}

/** A record can have only one set of options. */
function compareOptions(operation: Operation, [first, ...others]: ReadItem[]): void {
	const optionsIn = ({ values: { options } }: ReadItem) => (options ?? {}) as ItemValues;
	const expected = optionsIn(first);
	const rule = both(
		`must be the same as for ${itemRanges([first.index], 'en')}, because they are combined into one record`,
		`muss gleich sein wie bei ${itemRanges([first.index], 'de')}, denn beide werden zu einem Vorgang zusammengefasst`,
	);
	for (const other of others) {
		const given = optionsIn(other);
		// Both have all options, those that weren't added without a value.
		for (const name of Object.keys(expected).filter((one) => !isEqual(expected[one], given[one])))
			issueAdder(other.remarks, operation)(name, given[name] ?? '', rule);
	}
}
