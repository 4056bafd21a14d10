/** The file of an operation, from what the contract says of its endpoint. */
import compact from 'lodash/compact.js';
import lowerCase from 'lodash/lowerCase.js';
import startCase from 'lodash/startCase.js';
import uniq from 'lodash/uniq.js';

import type { Json } from '../../api/contract.mjs';
import type { Endpoint, Input } from './endpoint.mjs';
import { labelOf } from '../../nodes/shared/parameters/index.js';

/** `postal_code` → `Postal Code`, `customerId` → `Customer ID` */
export const titleOf = (name: string): string =>
	startCase(name)
		.replace(/\bId\b/g, 'ID')
		.replace(/\bUrl\b/g, 'URL');

const PARAMETERS = '../../shared/parameters';
const MODULES: Record<string, string> = {
	'acct-duo': 'Duo',
	'acct-rewe': 'Rewe',
	'acct-rewe-read': 'ReweRead',
};

/** Parameters that operations share, by the contract's name. */
const SHARED: Record<
	string,
	{ code: (path: string) => string; imports: Array<[name: string, from: string]> }
> = {
	connectionId: {
		code: (path) => `connectionId('${MODULES[path.split('/')[2]] ?? ''}')`,
		imports: [['connectionId', PARAMETERS]],
	},
	companyId: { code: () => 'companyId', imports: [['companyId', PARAMETERS]] },
};

/** What makes a text of English and German. */
const BOTH: [name: string, from: string] = ['both', '../../shared/values'];
const GERMAN_VERBS: Record<string, string> = { create: 'anlegen', update: 'ändern', delete: 'löschen' };
const GERMAN_PAST: Record<string, string> = { create: 'angelegt', update: 'geändert', delete: 'gelöscht' };

/** @returns the code, the names of fields that have no German name yet, and sentences about what isn't in it */
export function operationFile(endpoint: Endpoint, resource: string, operation: string, german?: string) {
	const imports: Array<[name: string, from: string]> = [
		[endpoint.isWrite ? 'defineWrite' : 'defineRead', '../../shared/operation'],
	];
	const one = lowerCase(resource);
	const many = `${one}s`;
	const left: string[] = [];
	const known = endpoint.inputs.filter((input) => {
		if (input.schema.type !== 'array' && input.name !== 'datei') return true;
		left.push(
			`${input.name} isn't in the form yet: lines of values are made by \`lines\`, files by \`files\` (nodes/shared/parameters/kinds)`,
		);
		return false;
	});
	const parameterOf = (input: Input) => {
		const { [input.name]: shared } = SHARED;
		if (shared) {
			imports.push(...shared.imports);
			return shared.code(endpoint.path);
		}
		const { kind, spec } = kindOf(input);
		imports.push([kind, PARAMETERS]);
		return `${kind}(${spec})`;
	};
	const required = known.filter((input) => input.required);
	const optional = known.filter((input) => !input.required);
	const fields = required.map((input) => `${input.name}: ${parameterOf(input)}`);
	if (optional.length > 0) {
		imports.push(['additionalFields', PARAMETERS]);
		const members = optional.map((input) => `${input.name}: ${parameterOf(input)}`);
		fields.push(`additionalFields: additionalFields({ ${members.join(', ')} })`);
	}
	const inGerman = german ?? titleOf(resource);
	const expects = expectation(endpoint, one, many, inGerman, imports);
	const isMany = endpoint.isList;
	const verb = titleOf(operation).replace(/^Get All$/, 'Get Many');
	const action = `${sentence(verb)} ${isMany && verb === 'Get Many' ? many : one}`;
	const parts = [
		`value: '${operation}'`,
		`name: '${verb}'`,
		`action: '${action}'`,
		`description: '${escaped(`${action}${german ? ` (${german})` : ''}`)}'`,
		`endpoint: '${endpoint.endpoint}'`,
		`parameters: { ${fields.join(', ')} }`,
		`request: ${requestOf(required, optional)}`,
		...(endpoint.isWrite ? writeParts(one, many, operation, inGerman, required, imports) : []),
		`expects: ${expects}`,
		...(endpoint.echoed.some(({ place }) => place === 'path') ? ['mustAgree: ({ path }) => path'] : []),
		...columnsOf(endpoint),
		...flatParts(endpoint, imports),
	];
	const code = `${importLines(imports)}\n\n/** \`${endpoint.id}\` */\nexport const ${operation} = ${
		endpoint.isWrite ? 'defineWrite' : 'defineRead'
	}({\n${parts.map((part) => `\t${part},`).join('\n')}\n});\n`;
	const names = known.filter(({ name }) => !(name in SHARED)).map(({ name }) => titleOf(name));
	return { code, left, newNames: uniq(names).filter((name) => labelOf(name).de.startsWith('„')) };
}

/** The kind of a parameter, and what is said of it. */
function kindOf({ name, place, required, schema, description, example }: Input): {
	kind: string;
	spec: string;
} {
	const said = description.replace(/\.$/, '').replaceAll('`', '"') || titleOf(name);
	const shown = typeof example === 'string' || typeof example === 'number' ? String(example) : undefined;
	const spec = (more: string[] = []) =>
		`{ ${compact([
			`displayName: '${titleOf(name)}'`,
			`description: '${escaped(`${said} (${name})`)}'`,
			...more,
			required && 'required: true',
		]).join(', ')} }`;
	const {
		type,
		format,
		enum: choices,
		maxLength,
	} = schema as { type?: unknown; format?: string; enum?: string[]; maxLength?: number };
	if (choices) {
		const entries = choices.map((value) => `{ name: '${titleOf(value)}', value: '${value}' }`);
		return { kind: 'choice', spec: spec([`choices: [${entries.join(', ')}]`]) };
	}
	if (format === 'uuid') return { kind: 'uuid', spec: spec() };
	if (format === 'date') return { kind: 'date', spec: spec() };
	if (format === 'date-time') return { kind: 'dateTime', spec: spec() };
	const types = [type].flat();
	if (types.includes('number') || types.includes('integer')) return { kind: 'amount', spec: spec() };
	if (types.includes('boolean')) return { kind: 'flag', spec: spec(['default: false']) };
	if (types.includes('object')) return { kind: 'jsonObject', spec: spec() };
	const placeholder = shown === undefined ? [] : [`placeholder: 'e.g. ${escaped(shown)}'`];
	if (place === 'path') return { kind: 'pathId', spec: spec(placeholder) };
	return { kind: 'text', spec: spec([...placeholder, ...(maxLength ? [`max: ${maxLength}`] : [])]) };
}

function requestOf(required: Input[], optional: Input[]): string {
	const all = [...required, ...optional];
	if (all.length === 0) return '() => ({})';
	const taken = compact([
		...required.map(({ name }) => name),
		optional.length > 0 && `additionalFields: { ${optional.map(({ name }) => name).join(', ')} }`,
	]);
	const places = (['path', 'query', 'body'] as const).flatMap((place) => {
		const names = all.filter((input) => input.place === place).map(({ name }) => name);
		return names.length > 0 ? [`${place}: { ${names.join(', ')} }`] : [];
	});
	return `({ ${taken.join(', ')} }) => ({ ${places.join(', ')} })`;
}

function writeParts(
	one: string,
	many: string,
	operation: string,
	german: string,
	required: Input[],
	imports: Array<[string, string]>,
): string[] {
	const done = operation.endsWith('e') ? `${operation}d` : `${operation}ed`;
	const named = (['body', 'path'] as const)
		.flatMap((place) => required.filter((input) => input.place === place && input.schema.type === 'string'))
		.at(0);
	const place = named ? `{ ${named.place} }` : '';
	const shown = named ? ` \${${named.place}.${named.name}}` : '';
	const [open, close] = named ? ['`', '`'] : ["'", "'"];
	const verb = GERMAN_VERBS[operation] ?? 'senden';
	imports.push(BOTH);
	return [
		`achieves: { one: both('${one}', '${german}'), many: both('${many}', '${german}'), done: both('${done}', '${GERMAN_PAST[operation] ?? 'gesendet'}') }`,
		...(named ? [`label: (${place}) => both(\`${one}${shown}\`, \`${german}${shown}\`)`] : []),
		`summary: (${place}) => both(${open}Would ${operation} the ${one}${shown}${close}, ${open}${german}${shown} ${verb}${close})`,
	];
}

/** What the answer must hold: the fields that the contract names in the record. */
function expectation(
	endpoint: Endpoint,
	one: string,
	many: string,
	german: string,
	imports: Array<[string, string]>,
): string {
	const from = '../../shared/answer';
	const { fields, isList } = endpoint;
	if (endpoint.isOpenList || Object.keys(fields).length === 0) {
		imports.push([isList ? 'openListOf' : 'ANYTHING', from]);
		if (isList) imports.push(BOTH);
		return isList ? `openListOf(both('${many}', 'von „${german}“'))` : 'ANYTHING';
	}
	const compared = endpoint.echoed.filter(({ place }) => place === 'path').map(({ name }) => name);
	imports.push([isList ? 'listOf' : 'oneOf', from], ['PRESENT', from], BOTH);
	if (compared.length > 0) imports.push(['sameText', from]);
	const said = Object.entries(fields).map(([name, schema]) => {
		const inner = Object.keys((schema.properties ?? {}) as Json);
		const value = compared.includes(name)
			? 'sameText'
			: inner.length > 0
				? `{ ${inner.map((key) => `${key}: PRESENT`).join(', ')} }`
				: 'PRESENT';
		return `${name}: ${value}`;
	});
	const article = /^[aeiou]/.test(one) ? 'an' : 'a';
	const shownBy = 'id' in fields && !isList ? ", shownBy: ['id']" : '';
	return `${isList ? 'listOf' : 'oneOf'}({ name: both('${isList ? many : `${article} ${one}`}', 'von „${german}“'), fields: { ${said.join(', ')} }${shownBy} })`;
}

const MOST_COLUMNS = 10;

/** The groups of a record, whose fields become the record's own. */
const groupsOf = ({ fields }: Endpoint): string[] =>
	Object.keys(fields).filter((name) => Object.keys((fields[name].properties ?? {}) as Json).length > 0);

function columnsOf(endpoint: Endpoint): string[] {
	if (endpoint.isOpenList) return [];
	const groups = groupsOf(endpoint);
	const flat = Object.entries(endpoint.fields).flatMap(([name, schema]) => {
		if (groups.includes(name)) return Object.keys(schema.properties as Json);
		return ['array', 'object'].includes([schema.type].flat()[0] as string) ? [] : [name];
	});
	if (flat.length === 0) return [];
	return [
		`columns: [${flat
			.slice(0, MOST_COLUMNS)
			.map((name) => `'${name}'`)
			.join(', ')}]`,
	];
}

function flatParts(endpoint: Endpoint, imports: Array<[string, string]>): string[] {
	if (endpoint.isOpenList) {
		imports.push(['recordsOfList', '../../shared/answer']);
		return [`records: recordsOfList('${Object.keys(endpoint.fields)[0] ?? 'id'}')`];
	}
	const groups = groupsOf(endpoint);
	if (groups.length === 0) return [];
	imports.push(['flat', '../../shared/answer'], ['recordsOf', '../../shared/answer']);
	return [
		`records: (answer) => recordsOf(answer).map((one) => flat(one, [${groups.map((name) => `'${name}'`).join(', ')}]))`,
	];
}

/** In the order of the rooms, as the other operations have them. */
function importLines(imports: Array<[name: string, from: string]>): string {
	const rooms = uniq(imports.map(([, from]) => from));
	const order = ['operation', 'parameters', 'answer', 'values'];
	return rooms
		.sort((a, b) => order.indexOf(a.split('/').at(-1)!) - order.indexOf(b.split('/').at(-1)!))
		.map((room) => {
			const names = uniq(imports.filter(([, from]) => from === room).map(([name]) => name));
			return `import { ${names.join(', ')} } from '${room}';`;
		})
		.join('\n');
}

const sentence = (text: string): string => text.slice(0, 1) + text.slice(1).toLowerCase();
const escaped = (text: string): string => text.replace(/\s+/g, ' ').trim().replaceAll("'", '’');
