import { isEqual, union } from 'lodash';

import type { Combination, Operation } from '../operation';
import { INVALID } from '../parameters/inputItem';
import type { InputItem } from '../parameters/inputItem';
import type { ParameterMap, Values } from '../parameters/parameter';
import { itemRanges } from './itemRanges';
import { issueAdder, isValid } from './items';
import type { ItemValues } from './items';

interface ReadItem {
	item: InputItem;
	values: ItemValues;
}

/** Collects the items that an operation combines into one record; see `combine` of an operation. */
export class Groups {
	/** The groups by the value that their items share, in the order of their first items. */
	private readonly groups = new Map<string, ReadItem[]>();
	/** Indexes of items for which a broken rule leaves open whether they belong to a group. */
	private readonly undecided: number[] = [];
	private readonly combination?: Combination<Values<ParameterMap>>;

	constructor(private readonly operation: Operation) {
		if (operation.kind === 'write') this.combination = operation.combine;
	}

	/**
	 * @param values the item's values, including those that break a rule
	 * @returns whether the item belongs to a group
	 */
	take(item: InputItem, values: ItemValues): boolean {
		if (!this.combination) return false;
		const { [this.combination.by]: key } = values;
		if (key === INVALID) this.undecided.push(item.index);
		if (typeof key !== 'string') return false;
		const group = this.groups.get(key);
		if (group) group.push({ item, values });
		else this.groups.set(key, [{ item, values }]);
		return true;
	}

	/**
	 * Call this when all items are read.
	 * @returns the items of each group, and the group's values unless one of them breaks a rule
	 */
	*combined(): Generator<{ items: InputItem[]; values?: ItemValues }> {
		for (const members of this.groups.values()) {
			yield { items: members.map(({ item }) => item), values: this.valuesOf(members) };
		}
	}

	private valuesOf(members: ReadItem[]): ItemValues | undefined {
		const { combination, operation, undecided } = this;
		const [first] = members;
		if (!combination) return undefined;
		if (undecided.length > 0) {
			const rule = `may be incomplete: the value of ${itemRanges(undecided)} can't be read`;
			issueAdder(first.item, operation)(combination.by, first.values[combination.by], rule);
		}
		const areValid = () => members.every(({ item, values }) => isValid(item, values));
		if (!areValid()) return undefined;
		this.compareOptions(members);
		const combined = combination.values(
			members.map(({ item, values }) => ({
				name: itemRanges([item.index]),
				values,
				addIssue: issueAdder(item, operation),
			})),
		);
		return areValid() ? { ...first.values, ...combined } : undefined;
	}

	/** A record can have only one set of options. */
	private compareOptions([first, ...others]: ReadItem[]): void {
		const optionsIn = ({ values: { options } }: ReadItem) => (options ?? {}) as ItemValues;
		const expected = optionsIn(first);
		const rule = `must be the same as for ${itemRanges([first.item.index])}, because they are combined into one record`;
		for (const other of others) {
			const given = optionsIn(other);
			const names = union(Object.keys(expected), Object.keys(given));
			for (const name of names.filter((one) => !isEqual(expected[one], given[one])))
				issueAdder(other.item, this.operation)(name, given[name] ?? '', rule);
		}
	}
}
