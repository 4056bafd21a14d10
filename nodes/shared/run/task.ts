/** What a run does with an item: one task, or several. */
import type { CommonOptions } from '../form/options';
import type { ReadEndpoint, TypedRequest, WriteEndpoint } from '../gateway/request';
import type {
	LocalOperation,
	Movement,
	Operation,
	ReadOperation,
	Unique,
	WriteOperation,
} from '../operation';
import type { InputItem } from '../parameters/inputItem';
import { NONE } from './result';

/** What a task is made from: one item, or several. */
export type Source = Pick<InputItem, 'index' | 'notes'> & Pick<Task, 'combined'>;

/** What has passed all checks. Derived values aren't stored, because a run may have very many tasks. */
export class Task {
	/** Index of the input item, or of the first one of several. */
	readonly item: number;
	/** The indexes of all items, if it is made from several. */
	readonly combined?: readonly number[];
	/** As in `InputItem`. */
	readonly notes: readonly string[];

	/**
	 * @param simple whether the answer is turned into records
	 * @param fields the records' fields that an AI agent gets, if they were chosen
	 * @param part if the operation makes several records of an item: which one this is
	 */
	constructor(
		{ index, notes, combined }: Source,
		readonly values: Record<string, unknown>,
		readonly options: CommonOptions & Record<string, unknown>,
		readonly simple: boolean,
		readonly fields?: readonly string[],
		readonly part?: { name: string; index: number },
	) {
		this.item = index;
		this.combined = combined;
		this.notes = notes.length > 0 ? notes : NONE;
	}

	/** Names the record in errors. */
	get label(): string | undefined {
		return undefined;
	}

	/** What keeps a new run from writing it again, see `WriteOperation`. */
	get rerunWith(): string | undefined {
		return undefined;
	}
}

/** Something to read. */
export class ReadTask extends Task {
	constructor(
		readonly request: TypedRequest<ReadEndpoint>,
		...more: ConstructorParameters<typeof Task>
	) {
		super(...more);
	}
}

/** A record to write. */
export class WriteTask extends Task {
	/** Names the first task of the run with the same record. */
	sameAs?: string;
	/** The balance after it, if all before it are carried out; see `movement`. */
	balanceAfter?: number;
	/** Identifies its content among all that this node writes, if the node remembers what it has written. */
	content?: string;

	constructor(
		private readonly operation: WriteOperation,
		readonly request: TypedRequest<WriteEndpoint>,
		...more: ConstructorParameters<typeof Task>
	) {
		super(...more);
	}

	override get label(): string | undefined {
		return this.operation.label?.(this.request);
	}

	override get rerunWith(): string | undefined {
		return this.operation.rerunWith?.(this.options, this.values);
	}

	/** Whether it counts as done if the gateway already has the record. */
	get mayExist(): boolean {
		return this.operation.mayExist?.(this.values, this.options) ?? false;
	}

	/** What it does to a balance that must not fall below 0. */
	get movement(): Movement | undefined {
		return this.operation.movement?.(this.request, this.options);
	}

	/** The value that identifies it and must be unique. */
	get unique(): Unique | undefined {
		return this.operation.unique?.(this.request, this.options);
	}

	/** Identifies a record that may occur again in the run; only its first task sends it. */
	get recurring(): string | undefined {
		const { unique } = this;
		return unique?.mayRecur ? identifierOf(unique) : undefined;
	}

	/** Tasks with the same key are sent one after another. */
	get orderingKey(): string | undefined {
		return this.recurring ?? this.operation.orderingKey?.(this.request);
	}
}

/** A task that sends nothing. */
export class LocalTask extends Task {
	constructor(
		private readonly operation: LocalOperation,
		...more: ConstructorParameters<typeof Task>
	) {
		super(...more);
	}

	override get label(): string | undefined {
		return this.operation.label?.(this.values);
	}
}

/** What an operation's items become. */
export type TaskOf<O extends Operation> = O extends ReadOperation
	? ReadTask
	: O extends WriteOperation
		? WriteTask
		: LocalTask;

/** Identifies a record among those of a run. */
export const identifierOf = ({ within, value }: Unique) => JSON.stringify([within, value]);
