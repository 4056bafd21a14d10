import { account_id } from '../AccountingGatewayBanking/parameters';
import { optionsWith, simplify } from '../shared/form';
import {
	amount,
	choice,
	date,
	flag,
	notice,
	number,
	propertyOf,
	readTriggerParameters,
	text,
} from '../shared/parameters';
import type { Holder, Values } from '../shared/parameters';

/** Days that a poll looks back, because banks book transactions late. */
export const LOOKBACK_DAYS = 7;

const options = optionsWith({
	includeDuplicated: flag({
		displayName: 'Include Duplicated',
		description:
			'Whether transactions that the gateway marks as duplicates of others start the workflow, too (duplicated, Dubletten)',
		default: true,
	}),
	includePending: flag({
		displayName: 'Include Pending',
		description:
			'Whether transactions start the workflow before the bank has booked them (status pending, vorgemerkt). One that keeps its ID does not start it again when it is booked.',
		default: true,
	}),
	lookbackDays: number({
		displayName: 'Look Back (Days)',
		description:
			'How many days before the newest transaction are read again, because banks book late. More days are read after a gap, and while transactions are pending.',
		default: LOOKBACK_DAYS,
		min: 1,
		max: 366,
		integer: true,
	}),
	startDate: date({
		displayName: 'Start Date',
		description:
			'The first day whose transactions start the workflow when it is published for the first time (ab Buchungstag); changing it later has no effect. If not added: only transactions that the bank lists after that.',
		default: '={{ $today.toISODate() }}',
	}),
});

const parameters = {
	// n8n puts its Poll Times above this, and begins with every minute.
	notice: notice(
		'Each poll may cost credits (Guthaben). Once an hour is usually enough: choose "Every Hour" above.',
	),
	account_id,
	direction: choice({
		displayName: 'Direction',
		description: 'Whether money came in or went out (Zahlungseingang, Zahlungsausgang)',
		choices: [
			{ name: 'All', value: 'all', description: 'Incoming and outgoing transactions' },
			{ name: 'Incoming', value: 'incoming', description: 'Amount above 0 (Zahlungseingänge)' },
			{ name: 'Outgoing', value: 'outgoing', description: 'Amount below 0 (Zahlungsausgänge)' },
		],
		default: 'incoming',
		required: true,
	}),
	minAmount: amount({
		displayName: 'Minimum Amount',
		description:
			'The smallest amount that starts the workflow, without sign (Mindestbetrag); any amount if empty',
		placeholder: 'e.g. 12,50',
		builderHint: 'Without sign, for outgoing transactions as well: Direction says which ones.',
		min: 0,
	}),
	text: text({
		displayName: 'Text',
		description:
			'Words that the purpose, the name of payer or payee, or another text of the transaction must contain, in upper- or lowercase (Verwendungszweck); any text if empty',
		placeholder: 'e.g. Rechnung',
		asWritten: true,
	}),
	simple: simplify,
	options,
};

/** The node's form. */
export const properties = Object.entries(parameters).map(propertyOf);

export type TriggerSettings = Values<typeof parameters>;

const ALL = Object.keys(parameters) as Array<keyof typeof parameters>;

/** Reads and checks the node's parameters. Doesn't throw. */
export const readPollSettings = async (trigger: Holder) =>
	await readTriggerParameters(parameters, ALL, trigger);
