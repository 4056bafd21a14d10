/** Valid parameters and items, based on the contract's examples. */
import get from 'lodash/get.js';
import mapValues from 'lodash/mapValues.js';
import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { at, type Json, resolve } from '../../api/contract.mjs';
import type { TestFile, TestItem } from '../../host/harness.mjs';
import type { Action, Field } from './operations.mjs';

/** By format, or by type if there is none. */
const TYPED: Record<string, unknown> = {
	uuid: '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11',
	date: '2026-03-02',
	boolean: true,
};

/** What must have a value, but isn't sent. */
const NOT_SENT: Record<string, unknown> = {
	kassenbestand: '1.000.000,00',
	onlyOnceFor: '4711',
	amount: '119,00',
	day: '2026-03-02',
	previousYears: 0,
	seller: 'Mühle Hagedorn',
};

export const FILE: TestFile = {
	content: Buffer.from('%PDF-1.4\nBeleg\n%%EOF\n'),
	fileName: 'Beleg.pdf',
	mimeType: 'application/pdf',
};

/**
 * The form filled in, without optional fields.
 * @param own values by field name, also expressions; they take precedence over the examples and add optional fields.
 */
export function exampleParameters(action: Action, own: INodeParameters = {}): INodeParameters {
	const parameters: INodeParameters = { ...action.chosen };
	for (const field of action.fields) {
		const { name, path, optional } = field;
		if (optional && !(name in own)) continue;
		const value = (own[name] ?? exampleOf(field, action)) as NodeParameterValueType;
		const [collection] = path.split('.');
		if (collection === path) parameters[name] = value;
		else parameters[collection] = { ...(parameters[collection] as INodeParameters), [name]: value };
	}
	if (action.lineFields.length > 0) parameters.belegzeilen = { belegzeile: exampleLines(action) };
	return parameters;
}

/** An item with the file that uploads need. */
export const exampleItem = ({ fields }: Action, json: TestItem['json'] = {}): TestItem => ({
	json,
	...(fields.some(({ name }) => name === 'datei') && { files: { data: FILE } }),
});

function exampleOf({ name, target, property, schema }: Field, action: Action): unknown {
	if (target === undefined && name in NOT_SENT) return NOT_SENT[name];
	if (target === undefined && property.required) return placeholderOf(property) ?? property.default;
	if (['datei', 'belegbilder'].includes(name) || target === undefined) return property.default;
	const [place, ...keys] = target.split('.');
	if (place === 'body') {
		const shown = get(bodyExample(action), keys) ?? (property.required ? placeholderOf(property) : undefined);
		if (shown === undefined && property.required)
			throw new Error(
				`"${keys.join('.')}" is in no example: add it to that of ${action.contract.id} in api/gateway.openapi.yaml, or give the field a placeholder that begins with "e.g. "`,
			);
		return shown;
	}
	const parameter = action.contract.parameters.find((one) => one.in === place && one.name === keys[0]);
	const shown = parameter && at(parameter.schema.replace(/\/schema$/, '')).example;
	return shown ?? schema.enum?.[0] ?? TYPED[schema.format ?? schema.type ?? ''] ?? 'abc-1';
}

/** The example that the form shows: `e.g. Hauptkasse`. */
const placeholderOf = ({ placeholder, modes = [] }: Field['property']) =>
	[placeholder, ...modes.map((mode) => mode.placeholder)]
		.find((text) => text?.startsWith('e.g. '))
		?.slice('e.g. '.length);

function bodyExample({ contract }: Action): Json {
	const content = contract.schemas.get('body')!.replace(/\/schema$/, '');
	return (at(content).example ?? { url: 'https://n8n.example.com/webhook/payments' }) as Json;
}

function exampleLines(action: Action): INodeParameters[] {
	return (bodyExample(action).belegzeilen as Json[]).map(({ steuersatz, ...line }) =>
		mapValues({ ...line, ...(steuersatz as Json) }, (value) => String(value as string | number)),
	);
}

/** An answer with null for everything nullable. */
export function withNulls(pointer: string, value: unknown): unknown {
	const schema = at(resolve(pointer)) as { type?: string | string[]; anyOf?: unknown[] };
	const here = resolve(pointer);
	if (schema.anyOf) return withNulls(`${here}/anyOf/${indexOfFitting(here, value)}`, value);
	const isNullable =
		schema.type === undefined || (Array.isArray(schema.type) && schema.type.includes('null'));
	if (isNullable) return null;
	if (Array.isArray(value)) return value.map((entry) => withNulls(`${here}/items`, entry));
	if (typeof value !== 'object' || value === null) return value;
	return mapValues(value as Json, (member, name) =>
		at(`${here}/properties/${name}`) ? withNulls(`${here}/properties/${name}`, member) : member,
	);
}

/** Of several schemas, the one for a list or the one that requires the fewest fields. */
function indexOfFitting(pointer: string, value: unknown): number {
	const schemas = (at(pointer).anyOf as unknown[]).map((_, i) => at(resolve(`${pointer}/anyOf/${i}`)));
	return schemas.findIndex(
		({ type, required = [] }) =>
			(type === 'array') === Array.isArray(value) &&
			(required as string[]).every((name) => name in (value as Json)),
	);
}
