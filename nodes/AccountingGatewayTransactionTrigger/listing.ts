/** Reads the transactions of a bank account from the gateway, in pieces. */
import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, IPollFunctions, NodeError } from 'n8n-workflow';
import { minBy } from 'lodash';

import { DAYS } from '../AccountingGatewayBanking/balance/getAll';
import { unconfirmed } from '../shared/answer';
import { plainTextOf, toNodeError } from '../shared/errors';
import type { Failure } from '../shared/errors';
import { GatewayClient, gatewayRequest } from '../shared/gateway';
import { daysBefore, today } from '../shared/values';
import { transactionsIn } from './transactions';
import type { Listed } from './transactions';

/** The most days of one request: some gateways give a month at a time, and February is one. */
const PIECE_DAYS = 28;

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
export async function listSince(
	context: IPollFunctions | IExecuteFunctions,
	account_id: string,
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
	const failed = (failure: Failure) => {
		const { transient = false, status = 500 } = failure;
		// An error of the gateway's own may pass as well.
		return { error: toNodeError(context.getNode(), failure), mayPass: transient || status >= 500 };
	};
	try {
		if (timeout <= 0) throw new NodeOperationError(context.getNode(), 'The time for this poll was up');
		const client = await GatewayClient.open(context);
		const result = await client.send(request, timeout);
		if (!result.ok) return failed(result.failure);
		const failure = unconfirmed(result.body, request, DAYS, { account_id });
		return failure ? failed(failure) : { body: result.body };
	} catch (error) {
		return { error: new NodeOperationError(context.getNode(), error as Error), mayPass: true };
	}
}

const daysError = (context: IPollFunctions | IExecuteFunctions, from: string, to: string, error: NodeError) =>
	toNodeError(context.getNode(), {
		message: `The transactions of the bank account from ${from} to ${to} could not be read`,
		description: `${plainTextOf(error)} The newer ones were read. Look through these days yourself if this lasts.`,
	});
