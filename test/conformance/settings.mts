/** What the tests of settings share: outputs, values where the form has them, and whether the form shows a field. */
import { NodeHelpers } from 'n8n-workflow';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
	NodeParameterValueType,
} from 'n8n-workflow';

/** Values by field path, in the collections that they belong to. */
export function withValue(
	parameters: INodeParameters,
	path: string,
	value: NodeParameterValueType,
): INodeParameters {
	const [collection, member] = path.split('.');
	if (!member) return { ...parameters, [path]: value };
	return { ...parameters, [collection]: { ...(parameters[collection] as INodeParameters), [member]: value } };
}

/** Whether n8n shows a field with these values. */
export function isShown(node: INodeType, property: INodeProperties, values: INodeParameters): boolean {
	const { description } = node;
	return NodeHelpers.displayParameter(values, property, { typeVersion: 1 } as INode, description, values);
}

/** The outputs of an operation, and the gateway's untouched answer. */
export function outputsOf(fields: ReadonlyArray<{ path: string; property: INodeProperties }>) {
	const output = fields.find(({ path }) => path === 'output');
	const values = (output?.property.options as INodePropertyOptions[] | undefined)?.map(({ value }) => value);
	const hasRaw = fields.some(({ path }) => path === 'simple');
	return [
		...(values?.map((value): INodeParameters => ({ output: value })) ?? [{}]),
		...(hasRaw ? [{ simple: false }] : []),
	];
}

/** As an expression, which n8n can't tell when it hides fields. */
export const expressed = (parameters: INodeParameters): INodeParameters =>
	Object.fromEntries(
		Object.entries(parameters).map(([name, value]) => [name, `={{ ${JSON.stringify(value)} }}`]),
	);
