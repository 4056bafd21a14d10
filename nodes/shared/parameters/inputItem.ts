import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import { attempt, isEqual, isError, isPlainObject, memoize, omit, pickBy } from 'lodash';

/** What holds the values of parameters: an item, a trigger, or the form that a person fills in. */
export interface Holder {
	/** IANA name of the workflow's time zone. */
	readonly zone: string;
	readonly workflowName?: string;
	/** A parameter's value as n8n gives it. Throws if its expression fails. */
	raw(name: string): unknown;
	/** What the form holds at a path: a value or, unevaluated, an expression. */
	inForm?(path: string): unknown;
	readonly files?: ItemFiles;
}

type ValueContext = Pick<IExecuteFunctions, 'getNodeParameter' | 'getTimezone' | 'getWorkflow'>;
type FileContext = Pick<IExecuteFunctions, 'getInputData'> &
	Partial<Pick<IExecuteFunctions, 'getWorkflowSettings'>> & {
		helpers: Pick<IExecuteFunctions['helpers'], 'assertBinaryData' | 'getBinaryMetadata' | 'getBinaryStream'>;
	};

export class InputItem implements Holder {
	readonly files: ItemFiles;
	/** n8n evaluates an expression at every read, and `$now` or a random number would give another value each time. */
	private readonly evaluate = memoize((name: string): unknown =>
		// `null`: n8n throws for a parameter that this operation doesn't have, unless there is a fallback.
		attempt(() => this.context.getNodeParameter(name, this.index, null)),
	);

	constructor(
		private readonly context: ValueContext & FileContext,
		private readonly index: number,
	) {
		this.files = new ItemFiles(context, index);
	}

	get zone(): string {
		return this.context.getTimezone();
	}

	get workflowName(): string | undefined {
		return this.context.getWorkflow().name;
	}

	raw(name: string): unknown {
		const value = this.evaluate(name);
		if (isError(value)) throw value;
		return value;
	}

	inForm(path: string): unknown {
		return this.context.getNodeParameter(path, this.index, null, { rawExpressions: true });
	}
}

/** n8n's own name, which older versions of n8n don't export. */
const FILES_IN_JSON = '_files';

/** A file object from an expression, e.g. `{{ $('E-mail').item.binary.data }}`, instead of the name of a field. */
export const isFile = (value: unknown): value is IBinaryData =>
	isPlainObject(value) &&
	typeof (value as IBinaryData).mimeType === 'string' &&
	typeof ((value as IBinaryData).id ?? (value as IBinaryData).data) === 'string';

export class ItemFiles {
	constructor(
		private readonly context: FileContext,
		private readonly index: number,
	) {}

	/** By field name. With a workflow's execution logic "v2", n8n keeps them in the JSON. */
	get all(): IBinaryKeyData {
		const { binary = {}, json } = this.context.getInputData()[this.index];
		const isInJson = this.context.getWorkflowSettings?.().binaryMode === 'combined';
		return isInJson ? { ...binary, ...pickBy(json[FILES_IN_JSON] as object | undefined, isFile) } : binary;
	}

	/**
	 * A file given as an object. n8n's `$binary` leaves out the content. For a file in memory, which has no ID, the
	 * content is then that of the item's file with the same description.
	 */
	from(value: unknown): IBinaryData | undefined {
		if (isFile(value)) return value;
		if (!isPlainObject(value)) return undefined;
		const found = Object.values(this.all).filter((file) => isEqual(omit(file, 'data'), value));
		return found.length === 1 ? found[0] : undefined;
	}

	/** The name of a file's field, which may be given as its path in the JSON, and with `ü` encoded in either way. */
	fieldOf(name: string): string {
		const own = name.replace(new RegExp(`^${FILES_IN_JSON}\\.`), '').normalize('NFC');
		return Object.keys(this.all).find((field) => field.normalize('NFC') === own) ?? name;
	}

	/** A file by field name, which may be a path in the JSON. Throws if there is none. */
	named(name: string): IBinaryData {
		return this.all[name] ?? this.context.helpers.assertBinaryData(this.index, name);
	}

	get store(): FileContext['helpers'] {
		return this.context.helpers;
	}
}
