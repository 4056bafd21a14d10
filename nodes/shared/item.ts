import { isResourceLocatorValue } from 'n8n-workflow';
import type { IBinaryData, IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isEqual, isPlainObject, pickBy } from 'lodash';

import { FileContent, sizeInMemory } from './attachments';
import { CURRENCIES } from './currencies';
import { parseDate, parseDateTime } from './dates';
import { parseNumber } from './money';
import { maskSensitive } from './sensitive';

/** A value that breaks a rule, found before anything is sent. */
export interface Problem {
	/** The field, as the gateway and the node's parameter name it, e.g. `belegzeilen[2].betrag`. */
	field: string;
	/** What was given, shortened; files and IBANs aren't shown. */
	value: string;
	/** The rule that it breaks, as the end of a sentence that starts with the field. */
	rule: string;
}

/** An attachment of the contract whose content is read while it is sent. */
export interface Attachment {
	content: FileContent;
	dateiname: string;
}

interface TextRules {
	/** Most characters allowed. */
	max?: number;
	pattern?: RegExp;
	/** What the pattern means, in words. */
	rule?: string;
}

interface Required {
	required: true;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const COMPANY_ID = /^\d+-\d+$/;
const SHOWN_CHARACTERS = 60;
/** Half of a character of two, e.g. of an emoji cut in the middle: no encoding can carry it. */
const BROKEN_CHARACTER = /\p{Surrogate}/u;

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

/** Shows a value in an error message. */
function show(value: unknown): string {
	const text = maskSensitive(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)));
	return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/**
 * Reads the fields of one item, or of one group of fields in it, and checks them against the rules of the
 * specification. The form checks some of them too, but expressions bypass the form.
 *
 * A broken rule is noted in `problems` and the reader goes on, so that the user gets all of them at once. A required
 * field that has a problem is returned as `undefined` in spite of its type: an item with problems is never sent.
 */
export class Fields {
	constructor(
		/** Gives a field's value by its name. */
		private readonly read: (name: string) => unknown,
		readonly problems: Problem[],
		/** IANA name of the workflow's time zone. */
		protected readonly zone: string,
		/** Goes before a field's name in a problem, e.g. `belegzeilen[2].`. */
		private readonly prefix = '',
	) {}

	/** Notes that a field breaks a rule. */
	refuse(field: string, value: unknown, rule: string): void {
		this.problems.push({ field: this.prefix + field, value: show(value), rule });
	}

	/** The field's value as given; a resource locator's value without its wrapping. */
	raw(name: string): unknown {
		const value = this.read(name);
		return isResourceLocatorValue(value) ? value.value : value;
	}

	private field<T>(
		name: string,
		required: boolean,
		parse: (value: unknown) => { value: T } | { rule: string },
	): T | undefined {
		const before = this.problems.length;
		const value = this.raw(name);
		// It couldn't even be read.
		if (this.problems.length > before) return undefined;
		if (isMissing(value)) {
			if (required) this.refuse(name, '', 'is required');
			return undefined;
		}
		const parsed = parse(value);
		if ('value' in parsed) return parsed.value;
		this.refuse(name, value, parsed.rule);
		return undefined;
	}

	text(name: string, rules: TextRules & Required): string;
	text(name: string, rules?: TextRules): string | undefined;
	text(name: string, { max, pattern, rule, required }: TextRules & Partial<Required> = {}) {
		return this.field(name, required ?? false, (given) => {
			// Numbers from spreadsheets are fine as long as no digit of theirs is lost.
			const isText = typeof given === 'string' || Number.isSafeInteger(given);
			if (!isText) return { rule: 'must be a text' };
			const value = String(given);
			if (BROKEN_CHARACTER.test(value)) return { rule: 'has a broken character, like half of an emoji' };
			if (required && value.trim() === '') return { rule: 'is required' };
			// Characters as people count them, like JSON Schema's maxLength: an emoji is one, not two.
			const length = [...value].length;
			if (max !== undefined && length > max) return { rule: `has ${length} characters, ${max} are allowed` };
			if (pattern && !pattern.test(value)) return { rule: rule ?? `must match ${pattern}` };
			return { value };
		});
	}

	/** Text that goes into the path of the address. */
	pathId(name: string): string {
		return this.text(name, {
			required: true,
			// "." and ".." would change the path even when encoded.
			pattern: /^(?!\.{1,2}$)/,
			rule: 'must be an ID',
		});
	}

	uuid(name: string, rules: Required): string;
	uuid(name: string): string | undefined;
	uuid(name: string, rules?: Required) {
		const uuid = { pattern: UUID, rule: 'must be a UUID like 123e4567-e89b-12d3-a456-426614174000' };
		return rules ? this.text(name, { ...uuid, ...rules }) : this.text(name, uuid);
	}

	/** `<consultant_number>-<client_number>`, rule 1 of the specification. */
	companyId(name: string): string | undefined {
		return this.text(name, {
			pattern: COMPANY_ID,
			rule: 'must be <consultant number>-<client number>, e.g. 1001-1',
		});
	}

	/** ISO 4217. */
	currency(name: string): string {
		return this.field(name, true, (given) =>
			CURRENCIES.has(String(given))
				? { value: String(given) }
				: { rule: 'must be a currency code of ISO 4217 in capital letters, e.g. EUR' },
		) as string;
	}

	choice<T extends string>(name: string, choices: readonly T[], rules: Required): T;
	choice<T extends string>(name: string, choices: readonly T[]): T | undefined;
	choice<T extends string>(name: string, choices: readonly T[], rules?: Required): T | undefined {
		return this.field(name, rules?.required ?? false, (given) =>
			choices.includes(given as T)
				? { value: given as T }
				: { rule: `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` },
		);
	}

	/** A number or its text, see `parseNumber`. */
	number(name: string, rules: Required & { min?: number; max?: number }): number;
	number(name: string, rules?: { min?: number; max?: number }): number | undefined;
	number(name: string, { required, min, max }: Partial<Required> & { min?: number; max?: number } = {}) {
		return this.field(name, required ?? false, (given) => {
			const parsed = parseNumber(given);
			if ('rule' in parsed) return parsed;
			if (min !== undefined && parsed.value < min) {
				return { rule: min === 0 ? 'must not be negative' : `must be at least ${min}` };
			}
			if (max !== undefined && parsed.value > max) return { rule: `must be at most ${max}` };
			return parsed;
		});
	}

	/** `date-time` of the specification: RFC 3339 with offset. */
	dateTime(name: string): string {
		return this.field(name, true, (given) => parseDateTime(given, this.zone)) as string;
	}

	/** `date` of the specification: YYYY-MM-DD. */
	date(name: string, rules: Required): string;
	date(name: string): string | undefined;
	date(name: string, rules?: Required) {
		return this.field(name, rules?.required ?? false, (given) => parseDate(given, this.zone));
	}

	flag(name: string): boolean | undefined {
		return this.field(name, false, (given) =>
			typeof given === 'boolean' ? { value: given } : { rule: 'must be true or false' },
		);
	}

	/** A JSON object, given as such or as text. What JSON can't hold (dates, NaN) is refused: it would arrive changed. */
	object(name: string): IDataObject | undefined {
		return this.field(name, false, (given) => {
			const value = typeof given === 'string' ? tryJson(given) : given;
			return isPlainObject(value) && isEqual(tryJson(JSON.stringify(value)), value)
				? { value: value as IDataObject }
				: { rule: 'must be a JSON object like { "key": "value" }' };
		});
	}

	/** A reader for a collection's fields, whose problems are noted under their own names. */
	collection(name: string): Fields {
		const fields = (this.read(name) ?? {}) as IDataObject;
		return new Fields((field) => fields[field], this.problems, this.zone, this.prefix);
	}

	/**
	 * One reader for each group of a fixedCollection.
	 * @param group name of the group in the fixedCollection's options
	 */
	groups(name: string, group: string): Fields[] {
		const given = (this.read(name) as IDataObject | undefined)?.[group];
		const groups = (Array.isArray(given) ? given : []) as IDataObject[];
		if (!groups.every(isPlainObject)) this.refuse(name, given, 'must be a list of groups of fields');
		return groups.map(
			(fields, i) =>
				new Fields((field) => fields?.[field], this.problems, this.zone, `${this.prefix}${name}[${i + 1}].`),
		);
	}
}

function tryJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
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

/** An input item: its fields, its files, and how the node shall behave for it. */
export class Item extends Fields {
	/** The optional fields. */
	readonly additional: Fields;
	/** How the node behaves. */
	readonly options: Fields;

	constructor(
		private readonly context: ItemContext,
		readonly index: number,
	) {
		super((name) => this.parameter(name), [], context.getTimezone());
		this.additional = this.collection('additionalFields');
		this.options = this.collection('options');
	}

	/** An expression that fails concerns its item only. */
	private parameter(name: string): unknown {
		try {
			// `null`: n8n throws for a parameter that this operation doesn't have, unless there is a fallback.
			return this.context.getNodeParameter(name, this.index, null);
		} catch (error) {
			this.refuse(name, '', `can't be read: ${(error as Error).message}`);
			return undefined;
		}
	}

	/** Whether the answer is simplified; on unless switched off. */
	get simple(): boolean {
		return this.flag('simple') ?? true;
	}

	/** Names the calling source in each request of the accounting areas; the workflow's name, or left out when emptied. */
	get quelle(): string | undefined {
		const isAdded = this.options.raw('quelle') !== undefined;
		return isAdded ? this.options.text('quelle') : this.context.getWorkflow().name;
	}

	/**
	 * The attachment in the binary field that a parameter names.
	 * @param fields where the parameter is: the item itself or its additional fields
	 * @param dateiname the file's name for the gateway, instead of its own
	 */
	async attachment(fields: Fields, name: string, dateiname?: string): Promise<Attachment> {
		const given = fields.raw(name);
		const file = isFile(given) ? given : fields.text(name, { required: true });
		return (await this.file(name, file, dateiname)) as Attachment;
	}

	/** The attachments that a parameter names: comma-separated binary fields, `*` for all of the item's files. */
	async attachments(fields: Fields, name: string): Promise<Attachment[] | undefined> {
		const given = fields.raw(name);
		if (isFile(given)) return [(await this.file(name, given)) as Attachment];
		const text = fields.text(name);
		if (text === undefined) return undefined;
		const names =
			text.trim() === '*'
				? Object.keys(this.files)
				: text
						.split(',')
						.map((part) => part.trim())
						.filter(Boolean);
		if (names.length === 0) this.refuse(name, text, 'finds no file: the item has none');
		const files: Attachment[] = [];
		for (const property of names) {
			const file = await this.file(name, property);
			if (file) files.push(file);
		}
		return files;
	}

	/** The item's files by their names. Where a workflow's execution logic is "v2", n8n keeps them in the JSON. */
	private get files(): IBinaryKeyData {
		const { binary = {}, json } = this.context.getInputData()[this.index];
		const isInJson = this.context.getWorkflowSettings?.().binaryMode === 'combined';
		return isInJson ? { ...binary, ...pickBy(json[FILES_IN_JSON] as object | undefined, isFile) } : binary;
	}

	/** @param given the file itself or its name, which may be a path in the JSON */
	private async file(
		field: string,
		given: IBinaryData | string,
		dateiname?: string,
	): Promise<Attachment | undefined> {
		if (!given) return undefined;
		const property = isFile(given) ? given.fileName || field : given;
		try {
			const file = isFile(given) ? given : this.files[given];
			const binary = file ?? this.context.helpers.assertBinaryData(this.index, property);
			const bytes = binary.id
				? (await this.context.helpers.getBinaryMetadata(binary.id)).fileSize
				: sizeInMemory(binary);
			const own = binary.fileName || `${property}${binary.fileExtension ? `.${binary.fileExtension}` : ''}`;
			if (bytes === 0) {
				this.refuse(
					field,
					property,
					`names an empty file (0 bytes)${binary.fileName ? `: ${binary.fileName}` : ''}`,
				);
			} else if (dateiname === undefined && BROKEN_CHARACTER.test(own)) {
				this.refuse(field, property, 'names a file whose name has a broken character: rename it');
			} else {
				return { content: new FileContent(binary, bytes), dateiname: dateiname ?? own };
			}
		} catch {
			const names = Object.keys(this.files);
			this.refuse(
				field,
				property,
				names.length > 0
					? `names no file of the item, which has ${names.join(', ')}`
					: 'names no file: the item has none',
			);
		}
		return undefined;
	}
}
