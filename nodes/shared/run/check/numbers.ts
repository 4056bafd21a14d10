import type { TypedRequest, WriteEndpoint } from '../../gateway';
import type { RecordIdentity, WriteOperation } from '../../operation';
import { INVALID } from '../../parameters';
import type { Invalid } from '../../parameters';
import { itemRanges } from '../itemNames';
import { issueAdder } from './items';
import type { ItemValues, ReadItem } from './items';
import type { WriteTask } from '../task';
import { both } from '../../values';
import type { Language } from '../../values';

/** Identifies a record within a run by its number, whatever the case of its letters. */
export const recordKey = ({ within, value }: RecordIdentity = {}): string | undefined =>
	value === undefined ? undefined : JSON.stringify([within, value]).toLowerCase();

type Numbered = Pick<WriteTask, 'items' | 'label' | 'identity'>;

/** The numbers and IDs of a run's records. */
export class Numbers {
	private readonly first = new Map<string, Numbered>();
	/** How many records of the run have this content. */
	private readonly equal = new Map<string, number>();

	constructor(private readonly operation: WriteOperation) {}

	/**
	 * Identifies a record. A record that is known by its content gets a number in its request here, so that equal records
	 * have different ones.
	 */
	identify(
		request: TypedRequest<WriteEndpoint>,
		options: ItemValues,
		values: ItemValues,
	): RecordIdentity | undefined {
		const identity = this.operation.identity?.(request, options, values);
		// A record that may be repeated is a single record, however often the run has it.
		if (identity?.content === undefined || identity.repeats) return identity;
		const { content, field, numberFor } = identity;
		const nth = (this.equal.get(content) ?? 0) + 1;
		this.equal.set(content, nth);
		if (!numberFor) return { ...identity, content: `${content} ${nth}` };
		const value = numberFor(nth);
		Object.assign(request.body, { [field!]: value });
		return { ...identity, value, isMade: true, content: undefined };
	}

	/** Adds an issue if a number occurs again, unless both items mean the same record. */
	checkUnique(task: Numbered & Pick<WriteTask, 'sameAs'>, item: ReadItem): void {
		const { repeats, field, value } = task.identity ?? {};
		const key = recordKey(task.identity);
		if (key === undefined) return;
		const first = this.first.get(key);
		if (!first) return void this.first.set(key, task);
		const nameOf = (language: Language) =>
			(first.items[0] === item.index && first.label) || itemRanges(first.items, language);
		if (repeats) {
			task.sameAs = nameOf('en');
			return;
		}
		const rule = both(`is already used by ${nameOf('en')}`, `hat schon ${nameOf('de')}`);
		issueAdder(item.remarks, this.operation)(field!, value, rule);
	}

	/**
	 * Also notes the number of an item that breaks a rule, so that a second item with this number is reported right away,
	 * not only after the first is corrected.
	 */
	checkInvalid(item: ReadItem, values: ItemValues): void {
		const { numberedBy: field = '' } = this.operation;
		const { [field]: value, connectionId: within } = values as Record<string, string | Invalid | undefined>;
		if (typeof value === 'string' && within !== INVALID)
			this.checkUnique({ items: [item.index], identity: { field, value, within } }, item);
	}
}
