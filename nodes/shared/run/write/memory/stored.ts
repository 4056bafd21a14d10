/** What a run stores in n8n's data of the execution. "Retry" starts with a copy of this data. */
import { replaceCircularReferences } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { attempt, get, isEmpty, isError, omit } from 'lodash';

import type { Failure } from '../../../errors';
import type { Operation } from '../../../operation';
import { isFile } from '../../../parameters';
import { sha256 } from '../../../values';
import { isTool } from '../../n8n';
import type { Outcome } from '../../task';
import type { Attempts } from './attempts';

/** A request that must not be sent again. */
export interface Sent {
	outcome: Outcome;
	/** Identifies the input item, or all items that the record is made of. */
	fingerprint: string;
	/** Where the request was sent: the gateway and the connection. */
	destination: string;
	/** How the record was named. */
	as: NonNullable<Failure['sentAs']>;
	/** The record's number, or its content if it has none. */
	record?: string;
	/** ID of the execution, of a refusal that counts only there. */
	execution?: string;
}

/** Of the journal's keys, fingerprints and outcomes. Another format gets another number. */
const JOURNAL_FORMAT = 3;

/** Stored in one place for all nodes that write, so that what a renamed node has sent is found. */
export interface StoredJournal extends Attempts {
	format: number;
	/** Set if no node may send anything more. */
	stopped?: true;
	nodes: Record<string, SentByNode>;
}

export interface SentByNode {
	/** Set if nobody can tell anymore what a tool has sent: then the tool may send nothing. */
	lost?: true;
	results: Record<string, Sent>;
}

const KEY = 'accountingGatewayWritten';

export function journalIn(context: IExecuteFunctions): StoredJournal {
	const flow = context.getContext('flow');
	const found = flow[KEY] as StoredJournal | undefined;
	if (found?.format === JOURNAL_FORMAT) return found;
	// One that another version of the package has written can't tell what was sent.
	const started: StoredJournal = {
		format: JOURNAL_FORMAT,
		tries: 0,
		nodes: {},
		...(found && { stopped: true }),
	};
	flow[KEY] = started;
	return started;
}

/** What this node has sent, without making a place for it: reads look, too. */
const resultsIn = (context: IExecuteFunctions) =>
	get(
		context.getContext('flow'),
		[KEY, 'nodes', context.getNode().name, 'results'],
		{},
	) as SentByNode['results'];

/** Whether this node has sent something in this execution, or may have, in this try or an earlier one. */
export const hasSent = (context: IExecuteFunctions): boolean => !isEmpty(resultsIn(context));

/** Whether an earlier attempt may have sent something that the execution's data doesn't show, as n8n was killed. */
export const isRetryOfWrites = (context: IExecuteFunctions, operation?: Operation): boolean =>
	operation?.kind === 'write' && context.getMode() === 'retry';

/** Identifies the run on a retry. For a tool, n8n counts each call (some agents: each attempt) as a separate run. */
export const runOf = (context: IExecuteFunctions): number | 'tool' =>
	isTool(context) ? 'tool' : (context.getWorkflowDataProxy(0).$runIndex as number);

/**
 * The items for which an earlier try of this run has sent something, or may have. A tool's items aren't told apart.
 * @param except keys that don't count
 */
export function itemsSent(context: IExecuteFunctions, except?: ReadonlySet<string>): ReadonlySet<number> {
	const keys = Object.keys(resultsIn(context)).filter((key) => !except?.has(key));
	if (keys.length === 0 || isTool(context)) return new Set();
	const run = runOf(context);
	const sent = keys.map((key) => JSON.parse(key) as [run: number | 'tool', item: number]);
	return new Set(sent.filter(([ofRun]) => ofRun === run).map(([, item]) => item));
}

/** What this node has sent in the execution, with a place for it. */
export function sentByNode(context: IExecuteFunctions, { nodes }: StoredJournal): SentByNode {
	return (nodes[context.getNode().name] ??= {
		results: {},
		...(isAfterRenamedTool(context, nodes) && { lost: true as const }),
	});
}

/**
 * Whether this tool may be one that was renamed. n8n finds a node by its name, but a tool by its connections, so a
 * renamed tool can continue an execution.
 */
function isAfterRenamedTool(context: IExecuteFunctions, nodes: StoredJournal['nodes']): boolean {
	if (!isTool(context)) return false;
	return Object.entries(nodes).some(
		([name, { results }]) => Object.keys(results).length > 0 && !isInWorkflow(context, name),
	);
}

/** `$node` throws for a node that doesn't exist. */
const isInWorkflow = (context: IExecuteFunctions, node: string): boolean =>
	!isError(attempt(() => void context.getWorkflowDataProxy(0).$node[node]));

/**
 * Identifies an input item. The fingerprint doesn't include the request: `$now` or a random number in an expression
 * would change it each time, and the same record would be sent again. It doesn't include the IDs of files either: n8n
 * changes those of a webhook or form when it stores the execution.
 */
export function fingerprint(context: IExecuteFunctions, item: number): string {
	const { json, binary = {} } = context.getInputData()[item];
	// The agent's model gives each call a new ID.
	const given = isTool(context) ? omit(json, 'toolCallId') : json;
	// n8n's function takes arrays, too; its type doesn't say so.
	const pair = [given, binary] as unknown as IDataObject;
	return sha256(
		JSON.stringify(replaceCircularReferences(pair), (_, value: unknown) =>
			isFile(value) ? omit(value, 'id') : value,
		),
	);
}

/** Identifies all items of a record. */
export const fingerprintOfAll = (ofItems: string[]): string => sha256(ofItems.join());
