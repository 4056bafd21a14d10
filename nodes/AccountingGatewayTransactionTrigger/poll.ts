import { randomUUID } from 'node:crypto';
import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { isEqual, minBy } from 'lodash';

import { DAYS } from '../AccountingGatewayBanking/balance/getAll';
import { toNodeError } from '../shared/errors/failure';
import { workflowTitle } from '../shared/errors/presentable';
import { GatewayClient } from '../shared/gateway/client';
import { gatewayRequest } from '../shared/gateway/request';
import { unconfirmed } from '../shared/gateway/verify';
import { requireSupportedN8n } from '../shared/run/n8n';
import { daysBefore, today } from '../shared/values/dates';
import { outageOf } from './outage';
import { LOOKBACK_DAYS, readPollSettings } from './parameters';
import type { TriggerSettings } from './parameters';
import { placeOf, UNREADABLE } from './place';
import { isPending, isWanted, outputOf, transactionsIn } from './transactions';
import type { Filter, Listed } from './transactions';
import { remember, windowFrom } from './window';
import type { Wanted } from './window';

/** Distinguishes the polls of this process from those before it was started. */
const PROCESS = randomUUID();

/** Seconds until an answer must be complete, including all retries. */
const TIMEOUT = 120;
/** Days that a test in the editor looks back, and the most transactions that it gets. */
const TEST_DAYS = 90;
const TEST_ITEMS = 10;
/** Where each day begins first: the bank's day may have begun before that of the workflow. */
const FIRST_ZONE = 'Pacific/Kiritimati';
const LOST =
	"what it had stored can't be read, so it begins afresh: what is listed by now starts nothing. Look through the latest transactions";

/**
 * Polls for the published workflow. If the gateway fails, this logs a line, and the next poll catches up. Only when the
 * workflow is published for the first time, or with another filter, does it throw, so that the publication fails: later
 * polls would have no starting point, or would judge by the former filter what has come by then.
 * @returns the new transactions, `null` if there are none
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') {
		const found = await latestTransactions(context);
		return found.length > 0 ? [found] : null;
	}
	requireSupportedN8n(context);
	const settings = await settingsOf(context);
	const place = placeOf(context, settings.account_id);
	const stored = place.memory;
	const isLost = stored === UNREADABLE;
	const before = isLost ? undefined : stored;
	// The transactions that are listed now may have started the workflow before the memory was lost.
	const wanted = { ...wantedOf(settings), ...(isLost && { startDate: undefined }) };
	const now = { today: today(context.getTimezone()), process: PROCESS };
	const outage = outageOf(context);
	const from = windowFrom(before, wanted, now.today);
	const answer = await list(context, settings, from, timeoutOf(context));
	if ('error' in answer) {
		if (!isLost && !sameFilter(before?.filter, wanted.filter)) throw answer.error;
		outage.report(answer.error, answer.mayPass);
		return null;
	}
	// An earlier poll has ended meanwhile and changed the memory, so this one's answer doesn't fit it.
	if (!isEqual(place.memory, stored)) return null;
	outage.end(isLost ? [LOST, ...answer.problems] : answer.problems, answer.more);
	const { fresh, memory } = remember(before, answer.all, wanted, now);
	place.memory = memory;
	return fresh.length > 0 ? [toItems(fresh, settings)] : null;
}

/** The transactions for a test in the editor: the latest ones, oldest first. Remembers nothing. */
export async function latestTransactions(
	context: IPollFunctions | IExecuteFunctions,
): Promise<INodeExecutionData[]> {
	requireSupportedN8n(context);
	const settings = await settingsOf(context);
	const { filter, includePending, lookbackDays } = wantedOf(settings);
	const from = daysBefore(today(context.getTimezone()), Math.max(TEST_DAYS, lookbackDays));
	const answer = await list(context, settings, from, TIMEOUT);
	if ('error' in answer) throw answer.error;
	for (const problem of answer.problems)
		context.logger.warn(`The transaction trigger of ${workflowTitle(context)}: ${problem}`);
	const found = answer.all.filter(
		({ transaction }) => isWanted(transaction, filter) && (includePending || !isPending(transaction)),
	);
	return toItems(found.slice(-TEST_ITEMS), settings);
}

async function settingsOf(context: IPollFunctions | IExecuteFunctions): Promise<TriggerSettings> {
	// The parameters are the same for all that it emits: those of the first item.
	const get = (name: string): unknown =>
		'getInputData' in context
			? context.getNodeParameter(name, 0, null)
			: context.getNodeParameter(name, null);
	const read = await readPollSettings(get, context);
	if ('problem' in read) throw new NodeOperationError(context.getNode(), read.problem);
	return read.values;
}

const wantedOf = ({ direction, minAmount, text, options }: TriggerSettings): Wanted => ({
	filter: { direction, minAmount, text, includeDuplicated: options.includeDuplicated },
	includePending: options.includePending === true,
	lookbackDays: options.lookbackDays ?? LOOKBACK_DAYS,
	startDate: options.startDate,
});

/** Whether two filters are the same. n8n's database keeps no fields without a value. */
const sameFilter = (a: Filter | undefined, b: Filter) => JSON.stringify(a) === JSON.stringify(b);

/** n8n gives up on a poll after its time budget, if it has one, and then nobody would be told why. */
function timeoutOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	const budget = context.getPollBudgetMs?.() ?? Infinity;
	return Math.min(TIMEOUT, Math.floor(budget / 1000));
}

/** @returns the transactions since that day, or why there are none and whether that may pass by itself */
async function list(
	context: IPollFunctions | IExecuteFunctions,
	{ account_id }: TriggerSettings,
	from: string,
	timeout: number,
): Promise<ReturnType<typeof transactionsIn> | { error: Error; mayPass: boolean }> {
	const to_date = today(FIRST_ZONE);
	// A start date may be in the future.
	const from_date = minBy([from, to_date]);
	const request = gatewayRequest('GET /v2/banking/balances', {
		query: { account_id, from_date, to_date, include_transactions: true },
	});
	try {
		const client = await GatewayClient.open(context);
		const result = await client.send(request, timeout);
		const failure = result.ok ? unconfirmed(result.body, request, DAYS, { account_id }) : result.failure;
		if (result.ok && !failure) return transactionsIn(result.body, today(context.getTimezone()));
		const { transient = false, status = 500 } = failure!;
		// An error of the gateway's own may pass as well.
		return { error: toNodeError(context.getNode(), failure!), mayPass: transient || status >= 500 };
	} catch (error) {
		return { error: new NodeOperationError(context.getNode(), error as Error), mayPass: true };
	}
}

const toItems = (found: Listed[], { simple }: TriggerSettings): INodeExecutionData[] =>
	found.map((one) => ({ json: outputOf(one, simple), pairedItem: { item: 0 } }));
