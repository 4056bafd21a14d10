import { APIS } from '../AccountingGatewayBanking/parameters';
import { webhookUrlOptions } from '../AccountingGatewayBanking/webhook/webhookUrl';
import { optionsWith } from '../shared/form';
import {
	choice,
	flag,
	needing,
	notice,
	parameter,
	propertyOf,
	readTriggerParameters,
	text,
} from '../shared/parameters';
import type { Holder, Parameter, Spec } from '../shared/parameters';
import { PAYMENT_STATUSES, PAYMENT_UPDATE, TEMPLATES } from './event';
import type { Status } from './event';
import { both } from '../shared/values';

/** A filter: any number of values; none means all. */
function filter<T extends string>(
	spec: Spec,
	values: readonly T[],
	options: Array<{ name: string; value: T; description: string }>,
): Parameter<T[] | undefined> {
	return parameter(spec, { type: 'multiOptions', options, default: [] }, (given, place) => {
		const chosen = [given].flat() as T[];
		const unknown = chosen.find((value) => !values.includes(value));
		return unknown === undefined
			? chosen
			: place.addIssue(
					both(`must be any of ${values.join(', ')}`, `darf nur ${values.join(', ')} sein`),
					unknown,
				);
	});
}

const options = optionsWith({
	allowPrivateUrl: webhookUrlOptions.allowPrivateUrl,
	api: needing(
		{ '/options.verify': { not: [false] } },
		choice({
			displayName: 'Verification API',
			description: "Which of the gateway's two APIs Verify reads the payment from (api)",
			choices: [
				{
					name: 'Automatic',
					value: 'auto',
					description: 'The partner API first, then the open banking API',
				},
				...APIS,
			],
			default: 'auto',
		}),
	),
	urlField: webhookUrlOptions.urlField,
	otherEvents: flag({
		displayName: 'Other Events',
		description:
			'Whether events of other kinds start the workflow, too. Their content is undocumented; the filters and Verify do not apply to them.',
		default: true,
	}),
	verify: flag({
		displayName: 'Verify',
		description:
			"Whether to read the payment back from the gateway and use that instead of the event's content (Gegenprobe). If an event can't be verified, the execution fails, and you can retry it. On unless you add this option and turn it off.",
		default: true,
	}),
});

/** The default of `quelle`. Its value is known without n8n's engine for expressions. */
export const WORKFLOW_NAME = '={{ $workflow.name }}';

const parameters = {
	notice: notice(
		'The account has one webhook URL: publishing this workflow takes it over from any other trigger. To start several workflows, let this one call them with "Execute Sub-workflow".',
	),
	event: choice({
		displayName: 'Trigger On',
		description: 'Bank event that starts the workflow (event, Ereignis)',
		choices: [
			{
				name: 'Payment Update',
				value: PAYMENT_UPDATE,
				description: 'The status of a payment has changed (Zahlungsstatus)',
			},
		],
		required: true,
	}),
	status: filter(
		{
			displayName: 'Statuses',
			description: 'Payment statuses that start the workflow (status); all if none is chosen',
		},
		PAYMENT_STATUSES,
		[
			{ name: 'Authorizing', value: 'authorizing', description: 'The payer confirms it with the bank' },
			{ name: 'Failed', value: 'failed', description: 'The payment has failed' },
			{ name: 'Processing', value: 'processing', description: 'The bank is processing it' },
			{ name: 'Rejected', value: 'rejected', description: 'The payment was rejected' },
			{ name: 'Settled', value: 'settled', description: 'The payment has been executed' },
		] satisfies Array<{ name: string; value: Status; description: string }>,
	),
	template_identifier: filter(
		{
			displayName: 'Transfer Types',
			description:
				'Kinds of transfer that start the workflow (template_identifier, Überweisungsart); all if none is chosen',
		},
		TEMPLATES,
		[
			{ name: 'SEPA', value: 'SEPA', description: 'Credit transfer (Überweisung)' },
			{
				name: 'SEPA Instant',
				value: 'SEPA_INSTANT',
				description: 'Credit transfer within seconds (Echtzeitüberweisung)',
			},
		],
	),
	quelle: text({
		displayName: 'Source',
		description:
			"Added to each event as quelle, so that later steps know where it came from. Default: the workflow's name.",
		default: WORKFLOW_NAME,
	}),
	options,
};

/** The node's form. */
export const properties = Object.entries(parameters).map(propertyOf);

type Name = keyof typeof parameters;

/** Reads and checks some of the node's parameters. Doesn't throw. */
export const readEventSettings = async <N extends Name>(names: N[], trigger: Holder) =>
	await readTriggerParameters(parameters, names, trigger);
