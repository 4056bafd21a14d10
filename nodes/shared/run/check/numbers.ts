import type { TypedRequest, WriteEndpoint } from '../../gateway';
import type { RecordIdentity, WriteOperation } from '../../operation';
import { INVALID } from '../../parameters';
import type { Invalid } from '../../parameters';
import { itemRanges } from '../itemNames';
import { isSentOnce, identityKey } from '../recordIdentity';
import { issueAdder } from './items';
import type { ItemValues, ReadItem } from './items';
import type { WriteTask } from '../task';
import { both } from '../../values';

type Numbered = Pick<WriteTask, 'items' | 'label' | 'identity'>;

/** The numbers and IDs of a run's records. */
export class Numbers {
	private readonly first = new Map<string, Numbered>();
	/** How many records of the run have this content. */
	private readonly equal = new Map<string, number>();

	constructor(private readonly operation: WriteOperation) {}

	/** Identifies a record; one with the same content as another one of the run gets a number of its own. */
	identify(
		request: TypedRequest<WriteEndpoint>,
		options: ItemValues,
		values: ItemValues,
	): RecordIdentity | undefined {
		const nth = (content: string) => {
			this.equal.set(content, (this.equal.get(content) ?? 0) + 1);
			return this.equal.get(content)!;
		};
		return this.operation.identity?.(request, options, values, nth);
	}

	/** Adds an issue if a number occurs again, unless both items mean the same record. */
	checkUnique(task: Numbered & Pick<WriteTask, 'sameAs'>, item: ReadItem): void {
		const { identity } = task;
		if (!identity || identity.kind === 'content') return;
		const key = identityKey(identity)!;
		const first = this.first.get(key);
		if (!first) return void this.first.set(key, task);
		// Of one item with several records, the label says which; of another item, its number says enough.
		const { label } = first.items[0] === item.index ? first : {};
		const name = label ?? both(itemRanges(first.items, 'en'), itemRanges(first.items, 'de'));
		if (isSentOnce(identity)) {
			task.sameAs = name;
			return;
		}
		const rule = both(`is already used by ${name.en}`, `hat schon ${name.de}`);
		issueAdder(item.remarks, this.operation)(identity.field, identity.value, rule);
	}

	/**
	 * Also notes the number of an item that breaks a rule, so that a second item with this number is reported right away,
	 * not only after the first is corrected.
	 */
	noteNumberOf(item: ReadItem, values: ItemValues): void {
		const { number: field = '' } = this.operation;
		const { [field]: value, connectionId: within } = values as Record<string, string | Invalid | undefined>;
		if (typeof value === 'string' && within !== INVALID)
			this.checkUnique({ items: [item.index], identity: { kind: 'given', field, value, within } }, item);
	}
}
