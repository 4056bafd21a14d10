import { randomUUID } from 'node:crypto';
import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, IPollFunctions, IRun, NodeError } from 'n8n-workflow';
import { isEqual, minBy } from 'lodash';

import { DAYS } from '../AccountingGatewayBanking/balance/getAll';
import { inOneText, toNodeError, workflowTitle } from '../shared/errors';
import { GatewayClient, gatewayRequest } from '../shared/gateway';
import { unconfirmed } from '../shared/answer';
import { requireSupportedN8n } from '../shared/run';
import { daysBefore, today } from '../shared/values';
import { outageOf } from './outage';
import { LOOKBACK_DAYS, readPollSettings } from './parameters';
import type { TriggerSettings } from './parameters';
import { placeOf, UNREADABLE } from './place';
import { isPending, isWanted, outputOf, sameFilter, transactionsIn } from './transactions';
import type { Listed } from './transactions';
import { remember, windowFrom } from './window';
import type { Wanted } from './window';

/** Distinguishes the polls of this process from those before it was started. */
const PROCESS = randomUUID();

/** Seconds until an answer must be complete, including all retries. */
const TIMEOUT = 120;
/** Days that a test in the editor looks back, and the most transactions that it gets. */
const TEST_DAYS = 90;
const TEST_ITEMS = 10;
/** The most days of one request: some gateways give a month at a time, and February is one. */
const PIECE_DAYS = 28;
const LOST =
	"what it had stored can't be read, so it begins afresh: what is listed by now starts nothing. Look through the latest transactions";

/**
 * Polls for the published workflow. If the gateway fails, this logs a line, and the next poll catches up. Only when the
 * workflow is published for the first time, or with another filter, does it throw, so that the publication fails: later
 * polls would have no starting point, or would judge by the new filter alone what has come by then.
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
	const wanted = { ...wantedBy(settings), ...(isLost && { startDate: undefined }) };
	const now = { today: today(context.getTimezone()), process: PROCESS };
	const outage = outageOf(context);
	const from = windowFrom(before, wanted, now.today);
	const { all, problems, more, missing } = await list(context, settings, from, timeoutOf(context));
	const isStart = !isLost && !sameFilter(before?.filter, wanted.filter);
	// With a new filter, days that are refused for good must not keep the workflow from being published.
	if (missing && isStart && (missing.isAll || missing.mayPass || !before)) throw missing.error;
	if (missing?.isAll) {
		outage.report(missing.error, missing.mayPass);
		return null;
	}
	// An earlier poll has ended meanwhile and changed the memory, so this one's answer doesn't fit it.
	if (!isEqual(place.memory, stored)) return null;
	const isPartial = missing?.mayPass === true;
	if (isPartial) outage.report(missing.error, true);
	else outage.end(isLost ? [LOST, ...problems] : problems, more, missing?.error);
	const notStored = takeNotStored(place.id);
	const { fresh, memory } = remember(before, all, wanted, { ...now, notStored, isPartial });
	place.memory = memory;
	if (fresh.length > 0) start(context, toItems(fresh, settings), memory.last, place.id);
	return null;
}

/** By trigger and account: transactions that n8n couldn't store as an execution; the next poll emits them again. */
const notStored = new Map<string, string[]>();

function takeNotStored(id: string): string[] {
	const keys = notStored.get(id) ?? [];
	notStored.delete(id);
	return keys;
}

/** Starts the workflow. n8n gets the items here, and not as the result of the poll, to say whether it could store them. */
function start(context: IPollFunctions, items: INodeExecutionData[], keys: string[], id: string): void {
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	// An execution that is stopped ends like this as well: n8n's record says then that it has begun.
	done.promise.catch(() => void notStored.set(id, [...(notStored.get(id) ?? []), ...keys]));
	context.__emit([items], undefined, done);
}

/** The transactions for a test in the editor: the latest ones, oldest first. Remembers nothing. */
export async function latestTransactions(
	context: IPollFunctions | IExecuteFunctions,
): Promise<INodeExecutionData[]> {
	requireSupportedN8n(context);
	const settings = await settingsOf(context);
	const { filter, includePending, lookbackDays } = wantedBy(settings);
	const from = daysBefore(today(context.getTimezone()), Math.max(TEST_DAYS, lookbackDays));
	const wantedOf = (all: Listed[]) =>
		all.filter(
			({ transaction }) => isWanted(transaction, filter) && (includePending || !isPending(transaction)),
		);
	const isEnough = (all: Listed[]) => wantedOf(all).length >= TEST_ITEMS;
	const { all, problems, missing } = await list(context, settings, from, TIMEOUT, isEnough);
	if (missing?.isAll) throw missing.error;
	for (const problem of problems)
		context.logger.warn(`The transaction trigger of ${workflowTitle(context)}: ${problem}`);
	return toItems(wantedOf(all).slice(-TEST_ITEMS), settings);
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

const wantedBy = ({ direction, minAmount, text, options }: TriggerSettings): Wanted => ({
	filter: { direction, minAmount, text, includeDuplicated: options.includeDuplicated },
	includePending: options.includePending === true,
	lookbackDays: options.lookbackDays ?? LOOKBACK_DAYS,
	startDate: options.startDate,
});

/** n8n gives up on a poll after its time budget, if it has one, and then nobody would be told why. */
function timeoutOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	const budget = context.getPollBudgetMs?.() ?? Infinity;
	return Math.min(TIMEOUT, Math.floor(budget / 1000));
}

/** Days that couldn't be read, and why. */
interface Missing {
	/** Names the days. */
	error: NodeError;
	/** Whether that may pass by itself. */
	mayPass: boolean;
	/** Whether nothing was read. */
	isAll: boolean;
}

/**
 * Reads the transactions since a day, the newest month first, until that is enough or one fails: where the gateway
 * refuses how long ago a day is, the newer ones come all the same. No day is requested that hasn't begun where the office is.
 */
async function list(
	context: IPollFunctions | IExecuteFunctions,
	{ account_id }: TriggerSettings,
	from: string,
	timeout: number,
	isEnough: (all: Listed[]) => boolean = () => false,
): Promise<ReturnType<typeof transactionsIn> & { missing?: Missing }> {
	const now = today(context.getTimezone());
	// A start date may be in the future.
	const first = minBy([from, now]) as string;
	const begins: string[] = [];
	for (let day = first; day <= now; day = daysBefore(day, -PIECE_DAYS)) begins.unshift(day);
	const startedAt = performance.now();
	const bodies: unknown[] = [];
	for (const from_date of begins) {
		const to_date = minBy([daysBefore(from_date, 1 - PIECE_DAYS), now]) as string;
		const left = timeout - (performance.now() - startedAt) / 1000;
		const result = await listPiece(context, { account_id, from_date, to_date }, Math.ceil(left));
		if ('error' in result) {
			const isAll = bodies.length === 0;
			const error = isAll ? result.error : daysError(context, first, to_date, result.error);
			return { ...transactionsIn(bodies, now), missing: { error, mayPass: result.mayPass, isAll } };
		}
		bodies.push(result.body);
		if (begins.length > 1 && isEnough(transactionsIn(bodies, now).all)) break;
	}
	return transactionsIn(bodies, now);
}

/** @param timeout in seconds */
async function listPiece(
	context: IPollFunctions | IExecuteFunctions,
	days: { account_id: string; from_date: string; to_date: string },
	timeout: number,
): Promise<{ body: unknown } | { error: NodeError; mayPass: boolean }> {
	const { account_id } = days;
	const request = gatewayRequest('GET /v2/banking/balances', {
		query: { ...days, include_transactions: true },
	});
	try {
		if (timeout <= 0) throw new NodeOperationError(context.getNode(), 'The time for this poll was up');
		const client = await GatewayClient.open(context);
		const result = await client.send(request, timeout);
		const failure = result.ok ? unconfirmed(result.body, request, DAYS, { account_id }) : result.failure;
		if (result.ok && !failure) return { body: result.body };
		const { transient = false, status = 500 } = failure!;
		// An error of the gateway's own may pass as well.
		return { error: toNodeError(context.getNode(), failure!), mayPass: transient || status >= 500 };
	} catch (error) {
		return { error: new NodeOperationError(context.getNode(), error as Error), mayPass: true };
	}
}

const daysError = (
	context: IPollFunctions | IExecuteFunctions,
	from: string,
	to: string,
	{ message, description }: NodeError,
) =>
	new NodeOperationError(
		context.getNode(),
		`The transactions of the bank account from ${from} to ${to} could not be read`,
		{
			description: `${inOneText(message, description)} The newer ones were read. Look through these days yourself if this lasts.`,
		},
	);

const toItems = (found: Listed[], { simple }: TriggerSettings): INodeExecutionData[] =>
	found.map((one) => ({ json: outputOf(one, simple), pairedItem: { item: 0 } }));
