import { isResourceLocatorValue } from 'n8n-workflow';
import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import { attempt, isEqual, isError, isNil, isPlainObject, memoize, omit, pickBy } from 'lodash';

import { cut, maskSensitive, oneLine, presentable } from '../errors';
import { both } from '../values';
import type { Rule, SentenceEnd } from '../values';

/** A value that breaks a rule, found before anything is sent. */
export interface Issue {
	/** The field's name in the gateway and in the node, e.g. `belegzeilen[2].betrag`. */
	field: string;
	/** The field's name in the form. */
	title: string;
	/** The given value, shortened; files and IBANs aren't shown. */
	value: string;
	/** The rule that the value breaks. */
	rule: Rule;
}

/** Replaces a value that breaks a rule; its issue has been added. */
export const INVALID = Symbol('invalid');
export type Invalid = typeof INVALID;

const SHOWN_CHARACTERS = 60;
/** An IBAN with separators between its characters is up to twenty times as long as what is shown of it. */
const MASKED_CHARACTERS = SHOWN_CHARACTERS * 20;

/** Shows a value in an error message. */
export function shorten(value: unknown): string {
	const text = typeof value === 'string' ? value : attempt(() => JSON.stringify(value) ?? String(value));
	// An object that contains itself, or is nested very deeply, can't be written as JSON.
	const shown = isError(text) ? Object.prototype.toString.call(value) : text;
	const masked = maskSensitive(oneLine(cut(shown, MASKED_CHARACTERS)));
	return masked.length > SHOWN_CHARACTERS ? `${cut(masked, SHOWN_CHARACTERS)}…` : masked;
}

/**
 * The German term in some names of the form, e.g. `(Belegnummer)`. Errors show the gateway's name of the field instead.
 */
const GERMAN_TERM = / \([^()\p{Ll}]*\p{Ll}[^()]*\)$/u;

/** A value in the form, or that of a resource locator. */
const valueOf = (given: unknown): unknown => (isResourceLocatorValue(given) ? given.value : given);

/** The place of a value: the field and the item. */
export class Place {
	constructor(
		readonly item: InputItem,
		/** The field's name as in `Issue`; empty for the item as a whole. */
		readonly field: string,
		readonly title: string,
		/** Where it is in the form, e.g. `additionalFields.dateiname`; without it, nothing is known about its expression. */
		readonly path?: string,
	) {}

	/** Adds an issue: the value breaks a rule. @param given the value to show; nothing by default */
	addIssue(rule: Rule, given: unknown = ''): Invalid {
		const value = shorten(given);
		this.item.issues.push({
			field: this.field,
			title: this.shortTitle,
			value,
			rule: both(presentable(rule.en), presentable(rule.de)),
		});
		return INVALID;
	}

	/** Adds a warning about the value. */
	addNote(text: SentenceEnd): void {
		this.item.notes.push(`${this.shortTitle} (${this.field}) ${text}`);
	}

	/**
	 * Whether a value is missing by mistake: its expression gave `undefined` or `null`, as it does when a name in it is
	 * misspelled. An expression that gives `''` doesn't count: it names an empty cell, or ends in `?? ''` on purpose.
	 * Where there is text around `{{ }}`, n8n turns `undefined` into `''`, so there `''` counts.
	 * @param given the value, of which nothing is left without spaces
	 */
	isMissingByMistake(given: unknown): boolean {
		const expression = this.path && valueOf(this.item.inForm(this.path));
		if (typeof expression !== 'string' || !expression.startsWith('=')) return false;
		if (isNil(valueOf(given))) return true;
		const isWhole = expression.startsWith('={{') && expression.indexOf('}}') === expression.length - 2;
		return !isWhole && expression.includes('{{');
	}

	private get shortTitle(): string {
		return this.title.replace(GERMAN_TERM, '');
	}
}

/** n8n's own name, which older versions of n8n don't export. */
const FILES_IN_JSON = '_files';

/** A file object from an expression, e.g. `{{ $('E-mail').item.binary.data }}`, instead of the name of a field. */
export const isFile = (value: unknown): value is IBinaryData =>
	isPlainObject(value) &&
	typeof (value as IBinaryData).mimeType === 'string' &&
	typeof ((value as IBinaryData).id ?? (value as IBinaryData).data) === 'string';

export type ItemContext = Pick<
	IExecuteFunctions,
	'getNodeParameter' | 'getInputData' | 'getTimezone' | 'getWorkflow'
> &
	Partial<Pick<IExecuteFunctions, 'getWorkflowSettings'>> & {
		helpers: Pick<IExecuteFunctions['helpers'], 'assertBinaryData' | 'getBinaryMetadata' | 'getBinaryStream'>;
	};

/** An item of the node's input: its parameters, and the issues found in them. */
export class InputItem {
	readonly issues: Issue[] = [];
	/** Warnings about the item, e.g. which of its files weren't sent. */
	readonly notes: string[] = [];
	/** n8n evaluates an expression at every read, and `$now` or a random number would give another value each time. */
	private readonly evaluate = memoize((name: string): unknown =>
		// `null`: n8n throws for a parameter that this operation doesn't have, unless there is a fallback.
		attempt(() => this.context.getNodeParameter(name, this.index, null)),
	);

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
	 * The parameter's value as n8n gives it, evaluated once. A failing expression concerns only its item.
	 * @param place where to add the issue; none when another parameter only looks at the value
	 */
	raw(name: string, place?: Place): unknown {
		const value = this.evaluate(name);
		if (!isError(value)) return value;
		return place
			? place.addIssue(both(`can't be read: ${value.message}`, `ist nicht lesbar: ${value.message}`))
			: INVALID;
	}

	placeOf(name: string, title: string): Place {
		return new Place(this, name, title, name);
	}

	/** What the form holds at a path: a value or, unevaluated, an expression. */
	inForm(path: string): unknown {
		return this.context.getNodeParameter(path, this.index, null, { rawExpressions: true });
	}

	/** The item's files by field name. With a workflow's execution logic "v2", n8n keeps them in the JSON. */
	get files(): IBinaryKeyData {
		const { binary = {}, json } = this.context.getInputData()[this.index];
		const isInJson = this.context.getWorkflowSettings?.().binaryMode === 'combined';
		return isInJson ? { ...binary, ...pickBy(json[FILES_IN_JSON] as object | undefined, isFile) } : binary;
	}

	/**
	 * A file given as an object. n8n's `$binary` leaves out the content. For a file in memory, which has no ID, the
	 * content is then that of the item's file with the same description.
	 */
	fileFrom(value: unknown): IBinaryData | undefined {
		if (isFile(value)) return value;
		if (!isPlainObject(value)) return undefined;
		const found = Object.values(this.files).filter((file) => isEqual(omit(file, 'data'), value));
		return found.length === 1 ? found[0] : undefined;
	}

	/** The name of a file's field, which may be given as its path in the JSON, and with `ü` encoded in either way. */
	fieldOf(name: string): string {
		const own = name.replace(new RegExp(`^${FILES_IN_JSON}\\.`), '').normalize('NFC');
		return Object.keys(this.files).find((field) => field.normalize('NFC') === own) ?? name;
	}

	/** A file by field name, which may be a path in the JSON. Throws if there is none. */
	file(name: string): IBinaryData {
		return this.files[name] ?? this.context.helpers.assertBinaryData(this.index, name);
	}

	get store(): ItemContext['helpers'] {
		return this.context.helpers;
	}
}
