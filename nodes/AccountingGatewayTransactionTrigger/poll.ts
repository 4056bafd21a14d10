import { randomUUID } from 'node:crypto';
import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { cloneDeep, isEqual, isNil } from 'lodash';

import { getAll as getBalances } from '../AccountingGatewayBanking/balance/getAll';
import { toNodeError } from '../shared/errors/failure';
import type { Failure } from '../shared/errors/failure';
import { workflowTitle } from '../shared/errors/logText';
import { GatewayClient } from '../shared/gateway/client';
import { gatewayRequest } from '../shared/gateway/request';
import { unconfirmed } from '../shared/run/answer';
import { requireSupportedN8n } from '../shared/run/supportedN8n';
import { daysBefore, today } from '../shared/values/dates';
import { firstDay, remember, settled } from './memory';
import type { Wanted } from './memory';
import { outageOf } from './outage';
import { LOOKBACK_DAYS, readParameters } from './parameters';
import type { TriggerSettings } from './parameters';
import { placeOf, remembersAny } from './place';
import { isPending, isWanted, outputOf, transactionsIn } from './transactions';
import type { Listed } from './transactions';

/** Tells the polls of this process from those before it was started. */
const PROCESS = randomUUID();

/** Seconds until an answer must be complete, including all retries. */
const TIMEOUT = 120;
/** Days that a test in the editor looks back, and the most transactions that it gets. */
const TEST_DAYS = 90;
const TEST_ITEMS = 10;

/**
 * A poll of the published workflow. A gateway that fails is a line in n8n's log, and the next poll catches up. Only where
 * there is nothing to catch up with, when the workflow is published for the first time, it throws: the publication fails.
 * @returns the new transactions, `null` if there are none
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') {
		const found = await latestTransactions(context);
		return found.length > 0 ? [found] : null;
	}
	requireSupportedN8n(context);
	const settings = await settingsOf(context);
	const client = await openClient(context);
	if (!client) return null;
	const { account_id } = settings;
	const place = placeOf(context, `${client.identity.baseUrl} ${account_id}`);
	const now = { today: today(context.getTimezone()), process: PROCESS };

	const before = cloneDeep(place.memory);
	const startDateGiven = startDateIn(context);
	const wanted = settled({ ...wantedOf(settings), ...(startDateGiven && { startDateGiven }) }, before);
	const from = firstDay(before, wanted, now);
	const answer = await list(client, account_id, { from, to: now.today }, timeoutOf(context));
	const outage = outageOf(context);
	if ('failure' in answer) {
		const error = toNodeError(context.getNode(), answer.failure);
		if (!before) throw error;
		const { transient, status } = answer.failure;
		// An error of the gateway's own may pass as well.
		outage.report(error, transient || status === undefined || status >= 500);
		return null;
	}
	// An earlier poll has ended meanwhile and changed the memory, so this one's answer doesn't fit it.
	if (!isEqual(place.memory, before)) return null;
	const { all, problems } = transactionsIn(answer.body, now.today);
	outage.end(problems);
	const { fresh, memory } = remember(before, all, from, wanted, now);
	if (!isEqual(before, memory)) place.memory = memory;
	return fresh.length > 0 ? [toItems(fresh, settings)] : null;
}

/** What a test in the editor gets: the latest transactions, oldest first. Remembers nothing. */
export async function latestTransactions(
	context: IPollFunctions | IExecuteFunctions,
): Promise<INodeExecutionData[]> {
	requireSupportedN8n(context);
	const settings = await settingsOf(context);
	const client = await GatewayClient.open(context);
	const to = today(context.getTimezone());
	const from = daysBefore(to, Math.max(TEST_DAYS, settings.options.lookbackDays ?? 0));
	const answer = await list(client, settings.account_id, { from, to }, TIMEOUT);
	if ('failure' in answer) throw toNodeError(context.getNode(), answer.failure);
	const { all, problems } = transactionsIn(answer.body, to);
	for (const problem of problems)
		context.logger.warn(`The transaction trigger of ${workflowTitle(context)}: ${problem}`);
	const { filter, includePending } = wantedOf(settings);
	const wanted = all.filter(
		({ transaction }) => isWanted(transaction, filter) && (includePending || !isPending(transaction)),
	);
	return toItems(wanted.slice(-TEST_ITEMS), settings);
}

async function settingsOf(context: IPollFunctions | IExecuteFunctions): Promise<TriggerSettings> {
	const read = await readParameters(readerOf(context), context);
	if ('problem' in read) throw new NodeOperationError(context.getNode(), read.problem);
	return read.values;
}

/** Reads the node's parameters as they are for all that it emits: those of the first item. */
const readerOf = (context: IPollFunctions | IExecuteFunctions) => (name: string) =>
	'getInputData' in context ? context.getNodeParameter(name, 0, null) : context.getNodeParameter(name, null);

/** The start date as the form has it: an expression isn't evaluated. */
function startDateIn(context: IPollFunctions): string {
	const given = context.getNodeParameter('options.startDate', null, { rawExpressions: true }) as unknown;
	return isNil(given) ? '' : String(given);
}

const wantedOf = ({ direction, minAmount, text, options }: TriggerSettings): Wanted => ({
	// What isn't set is left out: it is compared with what JSON has kept.
	filter: {
		direction,
		...(minAmount !== undefined && { minAmount }),
		...(text !== undefined && { text }),
		...(options.includeDuplicated && { includeDuplicated: true }),
	},
	includePending: options.includePending === true,
	startDate: options.startDate,
	lookbackDays: options.lookbackDays ?? LOOKBACK_DAYS,
});

/** @returns nothing if the credential can't be read for the moment, which is logged */
async function openClient(context: IPollFunctions): Promise<GatewayClient | undefined> {
	try {
		return await GatewayClient.open(context);
	} catch (error) {
		if (!remembersAny(context)) throw new NodeOperationError(context.getNode(), error as Error);
		outageOf(context).report(error as Error, true);
		return undefined;
	}
}

/** n8n gives up on a poll after its time budget, if it has one, and then nobody would be told why. */
function timeoutOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	const budget = context.getPollBudgetMs?.() ?? Infinity;
	return Math.min(TIMEOUT, Math.floor(budget / 1000));
}

/** @returns the answer, which lists days with their transactions */
async function list(
	client: GatewayClient,
	account_id: string,
	{ from, to }: { from: string; to: string },
	timeout: number,
): Promise<{ body: unknown } | { failure: Failure }> {
	const request = gatewayRequest('GET /v2/banking/balances', {
		query: { account_id, from_date: from, to_date: to, include_transactions: true },
	});
	const result = await client.send(request, timeout);
	if (!result.ok) return result;
	// The request is for this operation's own endpoint, but the type `ReadOperation` doesn't say which one that is.
	const verify = (body: unknown) => getBalances.verifyResponse?.(body, request as never);
	const failure = unconfirmed(result.body, request, verify);
	return failure ? { failure } : { body: result.body };
}

const toItems = (found: Listed[], { simple }: TriggerSettings): INodeExecutionData[] =>
	found.map((one) => ({ json: outputOf(one, simple), pairedItem: { item: 0 } }));
