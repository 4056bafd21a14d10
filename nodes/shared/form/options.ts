import { castArray, compact, isEmpty, isNil, sortBy, uniq } from 'lodash';
import type { IDisplayOptions } from 'n8n-workflow';

import type { Endpoint } from '../gateway';
import type { Operation } from '../operation';
import {
	choice,
	collection,
	flag,
	needing,
	notice,
	number,
	ofSimplified,
	shownFor,
	text,
} from '../parameters';
import type { Parameter, ParameterMap, Values } from '../parameters';
import { namesCredits, takesSource } from '../thisGateway';
import { both } from '../values';

/** A parameter that only the tool of an AI agent has. */
const ofTool = <T>({ property, read }: Parameter<T>): Parameter<T | undefined> => ({
	property: {
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { '@tool': [true], ...property.displayOptions?.show },
		},
	},
	read: (given, place) => (isNil(given) ? undefined : read(given, place)),
});

/** The condition of what the tool of an AI agent doesn't have. */
export const NOT_OF_TOOL: IDisplayOptions = { hide: { '@tool': [true] } };

const notOfTool = <T>({ property, ...rest }: Parameter<T>): Parameter<T> => ({
	...rest,
	property: {
		...property,
		displayOptions: {
			...property.displayOptions,
			hide: { ...property.displayOptions?.hide, ...NOT_OF_TOOL.hide },
		},
	},
});

/** Whether the answer becomes records, or is returned as the gateway sent it. */
export const simplify = flag({
	displayName: 'Simplify',
	description: 'Whether to return a simplified version of the response instead of the raw data',
	default: true,
});
/** An AI agent has `toolOutput` for it. */
const simple = notOfTool(simplify);

/** Whether an operation offers the gateway's untouched answer: not where its records are the node's own, or have two fields. */
const offersRaw = (operation: Operation): boolean =>
	operation.kind !== 'read' ||
	!(operation.makesOwnRecords || (Array.isArray(operation.columns) && operation.columns.length <= 2));

const RAW = [{ name: 'Raw', value: 'raw', description: "The gateway's whole answer" }] as const;
/** The choice of the output for an AI agent, which reads everything that it gets. */
const toolOutput = (hasRaw: boolean) =>
	ofTool(
		choice({
			displayName: 'Tool Output',
			description: 'What the agent gets of each record',
			choices: [
				...(hasRaw ? RAW : []),
				{
					name: 'Selected Fields',
					value: 'selected',
					description: 'The ID, and the fields that you name',
				},
				{ name: 'Simplified', value: 'simplified', description: 'The ten most useful fields' },
			],
			default: 'simplified',
		}),
	);

export const formOfRecords = (operation: Operation): ParameterMap => ({
	...(offersRaw(operation) && { simple }),
	toolOutput: toolOutput(offersRaw(operation)),
	toolFields: toolFields(operation),
});

/** The fields of a record that an AI agent gets besides its ID: chosen from those that the operation has, where they are known. */
function toolFields(operation: Operation): Parameter<string[] | undefined> {
	const names = fieldsOf(operation);
	return ofTool<string[] | undefined>(
		shownFor('toolOutput', ['selected'], {
			property: {
				displayName: 'Fields',
				...(names.length > 0
					? { type: 'multiOptions', options: names.map((name) => ({ name, value: name })) }
					: {
							type: 'string',
							typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field' },
							placeholder: 'e.g. betrag',
						}),
				default: [],
				description: 'The fields that the agent gets. The ID is always included.',
			},
			read(given, place) {
				const fields = compact(
					castArray(given)
						.flatMap((one) => String(one).split(','))
						.map((name) => name.trim()),
				);
				return fields.length > 0
					? fields
					: place.addIssue(both('must name at least one field', 'muss mindestens ein Feld nennen'));
			},
		}),
	);
}

/** The names of the fields that an operation's records may have, sorted; none where the contract leaves them open. */
function fieldsOf(operation: Operation): string[] {
	if (operation.kind === 'local') return sortBy(Object.keys(operation.example));
	const { columns = [], parameters } = operation;
	if (typeof columns !== 'function') return sortBy(columns);
	// Which columns there are follows from the form's choices.
	let forms: Array<Record<string, unknown>> = [{ options: {} }];
	for (const [name, { property, members }] of Object.entries(parameters)) {
		const { options = [], default: initial } = property;
		const choices = options.flatMap((one) => ('value' in one ? [one.value as unknown] : []));
		const values = members ? [{}] : choices.length > 0 ? choices : [initial];
		forms = forms.flatMap((form) => values.map((value) => ({ ...form, [name]: value })));
	}
	return sortBy(uniq(forms.flatMap((form) => columns(form))));
}

const MOST_OF_TOOL = 50;
const LIMIT = {
	displayName: 'Limit',
	description: 'Max number of results to return',
	default: MOST_OF_TOOL,
	min: 1,
	integer: true,
} as const;

type Kind = Pick<Operation, 'kind' | 'value' | 'options'> & {
	endpoint?: Endpoint;
	singleOutputs?: readonly string[];
};

const isList = ({ kind, value }: Kind) => kind === 'read' && value.startsWith('getAll');

/** How many records of a list a tool gives; in a workflow, an option says so. */
export const toolLimit = (operation: Operation): { limit?: Parameter<number | undefined> } =>
	isList(operation) ? { limit: ofTool(ofSeveral(operation, 'output')) } : {};

/** A limit has no effect on an output that is a single record. */
const ofSeveral = ({ singleOutputs = [] }: Kind, output: 'output' | '/output') =>
	needing(singleOutputs.length > 0 ? { [output]: { not: singleOutputs } } : {}, number(LIMIT));

/** Seconds; timers hold no more milliseconds than fit into 31 bits, and fire at once when given more. */
const MAX_TIMEOUT = 2_147_483;

const credits = {
	includeCredits: flag({
		displayName: 'Include Credit Balance',
		description: 'Whether to add the credit balance after the call to each item, as neuesGuthaben',
		default: true,
	}),
	minimumCredits: number({
		displayName: 'Minimum Credit Balance',
		description:
			'Stop before the next call when the credit balance (Guthaben) falls below this. The remaining items are reported as not sent.',
		default: 0,
	}),
};

const dryRun = flag({
	displayName: 'Dry Run',
	description:
		'Whether to check everything but send nothing (Probelauf). The output shows what would be sent, for review or approval.',
	default: true,
	// A misspelled name in its expression must not turn a review into a booking.
	decisive: true,
});

/** A notice at the top of the form while Dry Run is on. The form can't know whether an expression turns it on. */
export const dryRunIsOn = notice('Dry Run is on: everything is checked, and nothing is sent', {
	hide: { '/options.dryRun': [{ _cnd: { not: true } }] },
});

/** For reports that end up in a spreadsheet. */
export const germanHeadings = needing(
	{ '/toolOutput': { not: ['selected'] } },
	ofSimplified(
		flag({
			displayName: 'German Headings (Deutsch)',
			description:
				"Whether the columns are named for a reader, e.g. Konto, Soll, Haben, Saldo, instead of by the gateway. Expressions and nodes that use the gateway's names no longer find them.",
			default: true,
		}),
		true,
	),
);

/** Of a node without a credential; the others have what their credential says. */
const language = choice({
	displayName: 'Language of Messages',
	description: "Of what this node says (Sprache der Meldungen). What stands in an item's data has both.",
	choices: [
		{ name: 'Deutsch', value: 'de' },
		{ name: 'English', value: 'en' },
	],
	default: 'en',
});

const timeout = number({
	displayName: 'Timeout (Seconds)',
	description: 'Time limit for the whole response, including retries',
	default: 300,
	min: 1,
	max: MAX_TIMEOUT,
});

/**
 * Names the calling source in requests to the accounting areas. The workflow's name if the option wasn't added; nothing
 * if it was emptied.
 */
const quelle: Parameter<string | undefined> = {
	property: {
		displayName: 'Source',
		type: 'string',
		default: '={{ $workflow.name }}',
		description:
			"Name of the caller in the gateway's usage analysis (quelle). Default: the workflow's name. Add it and leave it empty to send nothing.",
	},
	read(given, place) {
		return given === undefined ? place.holder.workflowName || undefined : source.read(given, place);
	},
};
const source = text({ displayName: 'Source' });

/** The values of the options that the node itself needs. */
export type CommonOptions = Partial<Values<typeof credits>> & {
	dryRun?: boolean;
	limit?: number;
	quelle?: string;
	timeout?: number;
};

/** The collection `options`: how a node behaves, as opposed to what it sends. */
export const optionsWith = <P extends ParameterMap>(options: P) =>
	collection(options, { displayName: 'Options', placeholder: 'Add option' });

/** The options of an operation: its own, and those that follow from what it does. */
export function optionsOf(operation: Kind): { options?: Parameter } {
	const { kind, options, endpoint } = operation;
	const all: ParameterMap = {
		...options,
		...(isList(operation) && { limit: notOfTool(ofSeveral(operation, '/output')) }),
		...(kind === 'write' && { dryRun }),
		...(kind === 'local' && { language }),
		...(endpoint && {
			timeout,
			...(namesCredits(endpoint) && credits),
			...(takesSource(endpoint) && { quelle }),
		}),
	};
	if (isEmpty(all)) return {};
	const sorted = sortBy(Object.entries(all), [
		// Dry Run comes first, because a person who looks for it is about to write.
		([, parameter]) => parameter !== dryRun,
		([, { property }]) => property.displayName,
	]);
	return { options: optionsWith(Object.fromEntries(sorted)) };
}

/**
 * Chooses what one output item stands for.
 * @param choices value, name and description of each; the first one is the default
 */
export function output<const T extends string>(
	choices: ReadonlyArray<readonly [value: T, name: string, description: string]>,
) {
	return ofSimplified(
		choice({
			displayName: 'Output',
			description: 'What one output item stands for',
			choices: choices
				.map(([value, name, description]) => ({ name, value, description }))
				.sort((a, b) => a.name.localeCompare(b.name)),
			default: choices[0][0],
		}) as Parameter<T | undefined>,
	);
}
