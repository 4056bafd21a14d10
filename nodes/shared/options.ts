import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from './operation';

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const quelle: INodeProperties = {
	displayName: 'Source',
	name: 'quelle',
	type: 'string',
	default: '={{ $workflow.name }}',
	description:
		"Name of the calling source in the gateway's usage analysis (quelle). The workflow's name is sent when this option isn't added; emptied, nothing is sent.",
};

const includeCredits: INodeProperties = {
	displayName: 'Include Credit Balance',
	name: 'includeCredits',
	type: 'boolean',
	default: true,
	description: 'Whether to add the credit balance after the call to each item, as neuesGuthaben',
};

const minimumCredits: INodeProperties = {
	displayName: 'Minimum Credit Balance',
	name: 'minimumCredits',
	type: 'number',
	default: 0,
	description:
		'Stop before the next call when the credit balance (Guthaben) falls below this. Items not sent for that reason are reported as not sent.',
};

export const DEFAULT_CONCURRENCY = 8;
const MAX_CONCURRENCY = 32;

const concurrency: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY },
	default: DEFAULT_CONCURRENCY,
	description: 'How many requests are under way at once',
};

/** Seconds; timers hold no more milliseconds than fit into 31 bits, and fire at once when given more. */
export const MAX_TIMEOUT = 2_147_483;

const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_TIMEOUT },
	default: 300,
	description: "How long to wait for the gateway's answer",
};

/** The optional fields of an operation. */
export const additionalFields = (...options: INodeProperties[]): INodeProperties => ({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options,
});

/**
 * The option `output`: what one item is.
 * @param choices value, name and description of each; the first one is the default
 */
export function outputOption(
	choices: Array<[value: string, name: string, description: string]>,
): INodeProperties {
	const [[first]] = choices;
	return {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: choices
			.map(([value, name, description]) => ({ name, value, description }))
			.sort((a, b) => a.name.localeCompare(b.name)),
		default: first,
		description: 'What each item is; needs Simplify',
	};
}

/** The collection `options`: how the node behaves, as opposed to what it sends. */
export function actionOptions({ kind, quelle: sendsSource, options = [] }: Operation): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			...options,
			...(kind === 'read' ? [concurrency] : []),
			includeCredits,
			minimumCredits,
			...(sendsSource ? [quelle] : []),
			timeout,
		].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}
