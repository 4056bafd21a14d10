import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import { isPlainObject, pickBy } from 'lodash';

import { maskSensitive } from '../errors/redaction';

/** A value that breaks a rule, found before anything is sent. */
export interface Issue {
	/** The field, as the gateway and the node's parameter name it, e.g. `belegzeilen[2].betrag`. */
	field: string;
	/** The field, as the form names it. */
	title: string;
	/** What was given, shortened; files and IBANs aren't shown. */
	value: string;
	/** The rule that it breaks, as the end of a sentence that starts with the field. */
	rule: string;
}

/** Stands for a value that breaks a rule; the issue has been noted. */
export const INVALID = Symbol('invalid');
export type Invalid = typeof INVALID;

const SHOWN_CHARACTERS = 60;

/** Shows a value in an error message. */
function shorten(value: unknown): string {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
	const masked = maskSensitive(text.slice(0, SHOWN_CHARACTERS * 2));
	return masked.length > SHOWN_CHARACTERS ? `${masked.slice(0, SHOWN_CHARACTERS)}…` : masked;
}

/** Stands behind some names in the form, e.g. `(Belegnummer)`. In errors the gateway's name of the field stands there. */
const GERMAN_TERM = / \([^()]*\p{Ll}[^()]*\)$/u;

/** Where a value stands: in which field of which item. */
export class Place {
	constructor(
		readonly item: InputItem,
		/** As in `Issue`; empty for the item as a whole. */
		readonly field: string,
		readonly title: string,
	) {}

	/**
	 * Notes that the value breaks a rule.
	 * @param rule the end of a sentence that starts with the field
	 * @param given what to show of it; nothing by default
	 */
	addIssue(rule: string, given: unknown = ''): Invalid {
		const title = this.title.replace(GERMAN_TERM, '');
		this.item.issues.push({ field: this.field, title, value: shorten(given), rule });
		return INVALID;
	}
}

/** n8n's own name for it, which older versions of n8n don't export. */
const FILES_IN_JSON = '_files';

/** A file as an expression gives it, e.g. `{{ $('E-mail').item.binary.data }}`, instead of the name of a field. */
export const isFile = (value: unknown): value is IBinaryData =>
	isPlainObject(value) &&
	typeof (value as IBinaryData).mimeType === 'string' &&
	typeof ((value as IBinaryData).id ?? (value as IBinaryData).data) === 'string';

type ItemContext = Pick<
	IExecuteFunctions,
	'getNodeParameter' | 'getInputData' | 'getTimezone' | 'getWorkflow'
> &
	Partial<Pick<IExecuteFunctions, 'getWorkflowSettings'>> & {
		helpers: Pick<IExecuteFunctions['helpers'], 'assertBinaryData' | 'getBinaryMetadata'>;
	};

/** An item of the node's input: what its parameters are read from, and the issues that were found. */
export class InputItem {
	readonly issues: Issue[] = [];
	/** What the user should know of it: e.g. which of its files was not sent. */
	readonly notes: string[] = [];
	/** n8n evaluates an expression at every read, and `$now` or a random number would give another value each time. */
	private readonly evaluated = new Map<string, { value: unknown } | { error: Error }>();

	constructor(
		private readonly context: ItemContext,
		readonly index: number,
	) {}

	/** IANA name of the workflow's time zone. */
	get zone(): string {
		return this.context.getTimezone();
	}

	get workflowName(): string | undefined {
		return this.context.getWorkflow().name;
	}

	/**
	 * The parameter's value as n8n gives it, evaluated once. An expression that fails concerns its item only.
	 * @param place where to note that; nowhere when another parameter only looks at it
	 */
	raw(name: string, place?: Place): unknown {
		if (!this.evaluated.has(name)) this.evaluated.set(name, this.evaluate(name));
		const result = this.evaluated.get(name)!;
		if ('value' in result) return result.value;
		return place ? place.addIssue(`can't be read: ${result.error.message}`) : INVALID;
	}

	private evaluate(name: string): { value: unknown } | { error: Error } {
		try {
			// `null`: n8n throws for a parameter that this operation doesn't have, unless there is a fallback.
			return { value: this.context.getNodeParameter(name, this.index, null) };
		} catch (error) {
			return { error: error as Error };
		}
	}

	/** The item's files by their names. Where a workflow's execution logic is "v2", n8n keeps them in the JSON. */
	get files(): IBinaryKeyData {
		const { binary = {}, json } = this.context.getInputData()[this.index];
		const isInJson = this.context.getWorkflowSettings?.().binaryMode === 'combined';
		return isInJson ? { ...binary, ...pickBy(json[FILES_IN_JSON] as object | undefined, isFile) } : binary;
	}

	/** A file by its name, which may be a path in the JSON. Throws where there is none. */
	file(name: string): IBinaryData {
		return this.files[name] ?? this.context.helpers.assertBinaryData(this.index, name);
	}

	/** Bytes of a file in n8n's binary store. */
	async storedSize(id: string): Promise<number> {
		return (await this.context.helpers.getBinaryMetadata(id)).fileSize;
	}
}
