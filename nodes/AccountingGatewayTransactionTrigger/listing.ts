/** Reads the transactions of a bank account from the gateway, in pieces. */
import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import { maxBy, minBy } from 'lodash';

import { DAYS } from '../AccountingGatewayBanking/balance/getAll';
import { unconfirmed } from '../shared/answer';
import { Explained, failureText, inOneTextOf, textOf } from '../shared/errors';
import type { Failure } from '../shared/errors';
import { GatewayClient, gatewayRequest } from '../shared/gateway';
import { DAY_MS, both, dayIn, sentences, today } from '../shared/values';
import { daysBefore } from './window';
import { transactionsIn } from './transactions';
import type { Listed } from './transactions';

/** The most days of one request: some gateways give a month at a time, and February is one. */
const PIECE_DAYS = 28;

/** Days that couldn't be read, and why. */
interface Missing {
	/** Names the days. */
	error: Error;
	mayPass: boolean;
	/** Whether nothing was read. */
	isAll: boolean;
}

/** How often a poll halves a piece that is refused: as often, a month becomes a day. */
const MOST_HALVINGS = 5;

type Piece = { body: unknown } | { error: Error; mayPass: boolean; isOfDays?: boolean };

/**
 * Reads the transactions since a day, the newest month first, until that is enough or one fails. Where the gateway refuses
 * how long ago a day is, or so many days, it is asked for half of them, so that no day is lost that it would give. No day
 * is requested that hasn't begun where the office is.
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
	const startedAt = performance.now();
	const bodies: unknown[] = [];
	let days = PIECE_DAYS;
	let halvings = 0;
	let to_date = now;
	while (to_date >= first) {
		const from_date = maxBy([first, daysBefore(to_date, days - 1)]) as string;
		const left = timeout - (performance.now() - startedAt) / 1000;
		const piece = await listPiece(context, { account_id, from_date, to_date }, Math.ceil(left));
		if ('body' in piece) {
			bodies.push(piece.body);
			to_date = daysBefore(from_date, 1);
			if (isEnough(transactionsIn(bodies, now).all)) break;
			continue;
		}
		// A key that is refused isn't asked with again.
		const isOfDays = !piece.mayPass && (bodies.length > 0 || piece.isOfDays === true);
		if (isOfDays && from_date < to_date && halvings++ < MOST_HALVINGS) {
			days = Math.ceil(((Date.parse(to_date) - Date.parse(from_date)) / DAY_MS + 1) / 2);
			continue;
		}
		const isAll = bodies.length === 0;
		const error = isAll ? piece.error : daysError(first, to_date, piece.error);
		return { ...transactionsIn(bodies, now), missing: { error, mayPass: piece.mayPass, isAll } };
	}
	return transactionsIn(bodies, now);
}

/** @param timeout in seconds */
async function listPiece(
	context: IPollFunctions | IExecuteFunctions,
	days: { account_id: string; from_date: string; to_date: string },
	timeout: number,
): Promise<Piece> {
	const { account_id } = days;
	const request = gatewayRequest('GET /v2/banking/balances', {
		query: { ...days, include_transactions: true },
	});
	const failed = (failure: Failure) => {
		const { transient = false, status = 500 } = failure;
		// An error of the gateway's own may pass as well.
		const mayPass = transient || status >= 500;
		return { error: new Explained(failureText(failure)), mayPass, isOfDays: [400, 422].includes(status) };
	};
	try {
		if (timeout <= 0) throw new Explained({ message: TIME_IS_UP });
		const client = await GatewayClient.open(context);
		const result = await client.send(request, timeout);
		if (!result.ok) return failed(result.failure);
		const failure = unconfirmed(result.body, request, DAYS, { account_id });
		return failure ? failed(failure) : { body: result.body };
	} catch (error) {
		return { error: error as Error, mayPass: true };
	}
}

const TIME_IS_UP = both('The time for this poll was up', 'Die Zeit für diesen Abruf war um');

function daysError(from: string, to: string, error: Error): Explained {
	const { message, description = [] } = textOf(error);
	const why = inOneTextOf(message, sentences(...[description].flat()));
	return new Explained({
		// Without the last day, which moves from day to day: the same failure is reported once.
		message: both(
			`The first transactions of the bank account since ${from} could not be read`,
			`Die ersten Umsätze des Bankkontos seit ${dayIn('de', from)} waren nicht zu lesen`,
		),
		description: both(
			`They are from ${from} to ${to}. ${why.en} The newer ones were read. Look through these days yourself if this lasts.`,
			`Sie sind vom ${dayIn('de', from)} bis ${dayIn('de', to)}. ${why.de} Die neueren wurden gelesen. Hält das an, sehen Sie diese Tage selbst durch.`,
		),
	});
}
