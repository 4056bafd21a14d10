/** An endpoint as the contract describes it, and the rows that sandbox and tests need of it. */
import mapValues from 'lodash/mapValues.js';
import omit from 'lodash/omit.js';
import uniq from 'lodash/uniq.js';

import { at, exampleAnswer, type Json, type Operation, resolve } from '../../api/contract.mjs';

/** A value of a request, as the contract describes it. */
export interface Input {
	name: string;
	place: 'path' | 'query' | 'body';
	required: boolean;
	schema: Json;
	description: string;
	example: unknown;
}

const PLACES = ['path', 'query'] as const;

export class Endpoint {
	readonly id: string;
	readonly path: string;
	readonly isWrite: boolean;
	/** Without `quelle`, which nodes add by themselves. */
	readonly inputs: Input[];
	/** Where the answer's record or list is: at the top, or under `data`. */
	readonly isUnderData: boolean;
	readonly isList: boolean;
	/** Whether the contract leaves open in what the list comes. */
	readonly isOpenList: boolean;
	/** The schema of the record, or of the list's records; without properties, if the contract leaves it open. */
	readonly record: Json;

	constructor(private readonly operation: Operation) {
		this.id = operation.id;
		this.path = operation.path;
		this.isWrite = operation.method !== 'GET';
		this.inputs = [...this.parameters(), ...this.bodyFields()];
		const answer = resolve(operation.schemas.get('2XX') ?? '');
		const variants = ((at(answer).anyOf ?? []) as unknown[]).map((_, i) => resolve(`${answer}/anyOf/${i}`));
		this.isOpenList = variants.some((one) => at(one).type === 'array');
		// Of several answers, the one that the contract's lists have.
		const shown = variants.find((one) => at(`${one}/properties/data`)) ?? variants[0] ?? answer;
		const data = resolve(`${shown}/properties/data`);
		this.isUnderData = at(data) !== undefined;
		const holder = this.isUnderData ? data : shown;
		this.isList = at(holder).type === 'array';
		this.record = at(this.isList ? resolve(`${holder}/items`) : holder);
	}

	get endpoint(): string {
		return `${this.operation.method} ${this.path}`;
	}

	private parameters(): Input[] {
		return this.operation.parameters
			.filter(({ name }) => name !== 'quelle')
			.map(({ name, in: place, required, schema }) => {
				const parameter = at(schema.replace(/\/schema$/, ''));
				return {
					name,
					place,
					required,
					schema: at(resolve(schema)),
					description: (parameter.description ?? '') as string,
					example: parameter.example,
				};
			});
	}

	private bodyFields(): Input[] {
		const pointer = this.operation.schemas.get('body');
		if (pointer === undefined) return [];
		const body = resolve(pointer);
		const { properties = {}, required = [] } = at(body) as { properties?: Json; required?: string[] };
		const example = (at(pointer.replace(/\/schema$/, '')).example ?? {}) as Json;
		return Object.keys(properties).map((name) => {
			const schema = at(resolve(`${body}/properties/${name}`));
			return {
				name,
				place: 'body',
				required: required.includes(name),
				schema,
				description: (schema.description ?? '') as string,
				example: example[name],
			};
		});
	}

	/** The record's fields, without what the gateway says of itself beside it. */
	get fields(): Record<string, Json> {
		const all = mapValues((this.record.properties ?? {}) as Json, (_, name) => this.fieldSchema(name));
		return omit(all, 'svc');
	}

	private fieldSchema(name: string): Json {
		const { $ref, ...own } = (this.record.properties as Record<string, Json>)[name];
		return typeof $ref === 'string' ? at(resolve($ref)) : own;
	}

	/** What comes back as it was asked for or sent: by the names that request and record share. */
	get echoed(): Input[] {
		return this.isList
			? []
			: this.inputs.filter(({ name, place }) => place !== 'query' && name in this.fields);
	}

	/** Its handler in the sandbox: the contract's example, with what was sent. */
	handler(): string {
		const body = omit((exampleAnswer(this.id) ?? {}) as Json, 'svc');
		const holder = this.isUnderData ? body.data : body;
		const from = (place: Input['place']) => (place === 'path' ? 'params' : 'body');
		const echoed = new Map(this.echoed.map((input) => [input.name, input]));
		const valueOf = (name: string, shown: unknown): string => {
			const input = echoed.get(name);
			if (!input) return JSON.stringify(shown);
			const sent = `${from(input.place)}.${name}`;
			return input.required ? sent : `${sent} ?? ${JSON.stringify(shown)}`;
		};
		const members = Object.entries(holder as Json).map(([name, shown]) => `${name}: ${valueOf(name, shown)}`);
		const record = this.isList ? JSON.stringify(holder) : `{ ${members.join(', ')} }`;
		const given = uniq([...echoed.values()].map(({ place }) => from(place)));
		const taken = given.length > 0 ? `{ ${given.join(', ')} }` : '';
		return `${this.id}: (${taken}) => ({ body: ${this.isUnderData ? `{ data: ${record} }` : record} })`;
	}

	/** Its row in the test of the contract. */
	row(): string {
		const names = this.operation.parameters
			.map(({ name, required }) => (required ? `${name}!` : name))
			.join(' ');
		const body = this.operation.schemas.get('body');
		const component = body && /^#\/components\/schemas\/(\w+)$/.exec(resolve(body))?.[1];
		return [this.endpoint, this.id, names || '–', component ?? '–'].join(' | ');
	}

	/** Answers about another record, for the test that none is taken for the right one; undefined for a list. */
	cases(): string | undefined {
		if (this.isList) return undefined;
		const prefix = this.isUnderData ? 'data.' : '';
		const identifying = this.echoed.filter(({ place }) => place === 'path');
		if (identifying.length > 0)
			return `{ ${identifying
				.map(({ name, schema }) => {
					const other = schema.format === 'uuid' ? 'OTHER_ID' : `'another'`;
					return `'${prefix}${name}': ${name === 'id' ? `[[${other}, null], []]` : `[[${other}], [null]]`}`;
				})
				.join(', ')} }`;
		return this.isWrite && 'id' in this.fields ? `{ '${prefix}id': [[null, ''], []] }` : '{}';
	}

	/** Values that tell several written records apart: a text that a person chooses. */
	marked(): string | undefined {
		const free = (place: Input['place']) =>
			this.inputs.find(
				({ name, schema, place: where }) =>
					where === place &&
					schema.type === 'string' &&
					!['format', 'pattern', 'enum', 'maxLength'].some((key) => key in schema) &&
					name !== 'connectionId',
			);
		const body = free('body');
		if (body) return `{ ${body.name}: \`=\${NAME}\` }`;
		const inPath = PLACES.map(free).find(Boolean);
		return inPath ? `{ ${inPath.name}: '={{ $json.mark }}' }` : '{}';
	}
}
