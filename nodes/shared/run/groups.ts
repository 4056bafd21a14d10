import { isEqual, union } from 'lodash';

import type { Combination, Operation } from '../operation';
import { INVALID } from '../parameters/inputItem';
import type { InputItem } from '../parameters/inputItem';
import { hasInvalid } from '../parameters/parameter';
import type { ParameterMap, Values } from '../parameters/parameter';
import { addFieldIssue } from './fieldIssue';
import { formatItemRanges } from './result';

interface ReadItem {
	item: InputItem;
	values: Record<string, unknown>;
}

/** The items that an operation combines into one record; see `combine` of an operation. */
export class Groups {
	/** By the value that their items share; in the order of their first items. */
	private readonly groups = new Map<string, ReadItem[]>();
	/** The items that may or may not belong to a group. */
	private readonly undecided: number[] = [];
	private readonly combination?: Combination<Values<ParameterMap>>;

	constructor(private readonly operation: Operation) {
		if (operation.kind === 'write') this.combination = operation.combine;
	}

	get isEmpty(): boolean {
		return this.groups.size === 0;
	}

	/** @param values as they were read, also those that break a rule @returns whether the item belongs to a group */
	take(item: InputItem, values: ReadItem['values']): boolean {
		if (!this.combination) return false;
		const { [this.combination.by]: key } = values;
		if (key === INVALID) this.undecided.push(item.index);
		if (typeof key !== 'string') return false;
		const group = this.groups.get(key);
		if (group) group.push({ item, values });
		else this.groups.set(key, [{ item, values }]);
		return true;
	}

	/** Call this when all items are read. @returns the items of each group; its values, if none of them breaks a rule */
	*combine(): Generator<{ items: InputItem[]; values?: ReadItem['values'] }> {
		for (const members of this.groups.values()) {
			yield { items: members.map(({ item }) => item), values: this.valuesOf(members) };
		}
	}

	private valuesOf(members: ReadItem[]): ReadItem['values'] | undefined {
		const { combination, operation, undecided } = this;
		const [first] = members;
		if (!combination) return undefined;
		if (undecided.length > 0) {
			const rule = `may be incomplete: the value of ${formatItemRanges(undecided)} can't be read`;
			addFieldIssue(first.item, operation, combination.by, first.values[combination.by], rule);
		}
		const isBroken = () => members.some(({ item, values }) => item.issues.length > 0 || hasInvalid(values));
		if (isBroken()) return undefined;
		this.compareOptions(members);
		const combined = combination.values(
			members.map(({ item, values }) => ({
				name: formatItemRanges([item.index]),
				values,
				addIssue: (field, given, rule) => addFieldIssue(item, operation, field, given, rule),
			})),
		);
		return isBroken() ? undefined : { ...first.values, ...combined };
	}

	/** A record can have only one set of options. */
	private compareOptions([first, ...others]: ReadItem[]): void {
		const optionsOf = ({ values: { options } }: ReadItem) => (options ?? {}) as Record<string, unknown>;
		const expected = optionsOf(first);
		for (const other of others) {
			const given = optionsOf(other);
			const different = union(Object.keys(expected), Object.keys(given)).filter(
				(name) => !isEqual(expected[name], given[name]),
			);
			for (const name of different) {
				const rule = `must be the same as for ${formatItemRanges([first.item.index])}: both are one record`;
				addFieldIssue(other.item, this.operation, name, given[name] ?? '', rule);
			}
		}
	}
}
