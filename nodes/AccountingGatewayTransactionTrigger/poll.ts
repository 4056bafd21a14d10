import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions, INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';
import { isEqual } from 'lodash';

import { Explained, workflowTitle } from '../shared/errors';
import { languageOf } from '../shared/gateway';
import { requireSupportedN8n } from '../shared/run';
import { daysBefore, remember, windowFrom } from './window';
import { today } from '../shared/values';
import { listSince } from './listing';
import { memoryOf } from './memory';
import { outageOf } from './outage';
import { LOOKBACK_DAYS, readPollSettings } from './parameters';
import type { TriggerSettings } from './parameters';
import { isPending, isWanted, outputOf, sameFilter } from './transactions';
import type { Listed } from './transactions';
import type { Wanted } from './window';

/** Distinguishes the polls of this process from those before it was started. */
const PROCESS = randomUUID();
/** By trigger and account: transactions that n8n couldn't store as an execution; the next poll emits them again. */
const unstored = new Map<string, string[]>();

/** Seconds until all answers must be complete, including all retries. */
const POLL_TIMEOUT = 120;
/** Days that a test in the editor looks back, and the most transactions that it gets. */
const TEST_DAYS = 90;
const TEST_ITEMS = 10;

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
	const memory = memoryOf(context, settings.account_id);
	const outage = outageOf(context, await languageOf(context));
	if (memory.problem) {
		outage.report(memory.problem, false);
		return null;
	}
	const before = memory.read();
	const wanted = wantedBy(settings);
	const now = { today: today(context.getTimezone()), process: PROCESS };
	const from = windowFrom(before, wanted, now.today);
	const { all, problems, more, missing } = await listSince(
		context,
		settings.account_id,
		from,
		timeoutOf(context),
	);
	const isStart = !sameFilter(before?.filter, wanted.filter);
	// With a new filter, days that are refused for good must not keep the workflow from being published.
	if (missing && isStart && (missing.isAll || missing.mayPass || !before)) throw missing.error;
	if (missing?.isAll) {
		outage.report(missing.error, missing.mayPass);
		return null;
	}
	// An earlier poll has ended meanwhile and changed the memory, so this one's answer doesn't fit it.
	if (!isEqual(memory.read(), before)) return null;
	const isPartial = missing?.mayPass === true;
	if (isPartial) outage.report(missing.error, true);
	else outage.end(problems, more, missing?.error);
	const notStored = unstored.get(memory.id);
	unstored.delete(memory.id);
	const { fresh, memory: next } = remember(before, all, wanted, { ...now, notStored, isPartial });
	memory.write(next);
	if (fresh.length > 0) start(context, toItems(fresh, settings), next.last, memory.id);
	return null;
}

/** Starts the workflow. n8n gets the items here, and not as the result of the poll, to say whether it could store them. */
function start(context: IPollFunctions, items: INodeExecutionData[], keys: string[], id: string): void {
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	// An execution that is stopped ends like this as well: n8n's record says then that it has begun.
	done.promise.catch(() => void unstored.set(id, [...(unstored.get(id) ?? []), ...keys]));
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
	const { all, problems, missing } = await listSince(
		context,
		settings.account_id,
		from,
		POLL_TIMEOUT,
		isEnough,
	);
	if (missing?.isAll) throw missing.error;
	for (const problem of problems)
		context.logger.warn(`The transaction trigger of ${workflowTitle(context)}: ${problem}`);
	return toItems(wantedOf(all).slice(-TEST_ITEMS), settings);
}

async function settingsOf(context: IPollFunctions | IExecuteFunctions): Promise<TriggerSettings> {
	// The parameters are the same for all that it emits: those of the first item.
	const raw = (name: string): unknown =>
		'getInputData' in context
			? context.getNodeParameter(name, 0, null)
			: context.getNodeParameter(name, null);
	const read = await readPollSettings({ zone: context.getTimezone(), raw });
	if ('problem' in read) throw new Explained({ message: read.problem });
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
	return Math.min(POLL_TIMEOUT, Math.floor(budget / 1000));
}

const toItems = (found: Listed[], { simple }: TriggerSettings): INodeExecutionData[] =>
	found.map((one) => ({ json: outputOf(one, simple), pairedItem: { item: 0 } }));
