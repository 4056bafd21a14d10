import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { compact, map, uniq, uniqBy } from 'lodash';

import type { components } from '../../api/gateway';
import { Explained, excerpt, failureText } from '../shared/errors';
import type { ErrorText } from '../shared/errors';
import { bilingual, both } from '../shared/values';
import type { Bilingual, Language } from '../shared/values';
import { Deadline, GatewayClient, gatewayRequest } from '../shared/gateway';
import { recordOf, sameText } from '../shared/answer';
import { LATER_STATUSES } from './event';
import type { PaymentUpdate, Status } from './event';

type Payment = components['schemas']['Payment'];
type Api = 'partner' | 'openbanking';
const BOTH_APIS: Api[] = ['partner', 'openbanking'];

/** The result of reading a payment back. */
type Verification =
	/** The event's `data` as the gateway has it now: the payment may have moved on since the event. */
	| { data: IDataObject }
	/** Why the event can't be trusted, or not yet. */
	| { error: Explained };

/** Seconds until an API that may lag behind the gateway's events is asked again. */
const PAUSE = 5;
/** Seconds until one API must have answered. */
const READ_TIMEOUT = 30;

/**
 * Reads back the payment of an event. However the event was invented, that is two requests at most: to both APIs, or again to
 * the one where the payment may only be late. Doesn't throw.
 * @param api where the gateway has the payment; `auto` is first the one, then the other
 */
export async function verifyPayment(
	context: IExecuteFunctions,
	{ data }: PaymentUpdate,
	api: 'auto' | Api,
): Promise<Verification> {
	const { status } = data;
	const id = String(data.payment_id);
	const client = await GatewayClient.open(context);
	const asked: Array<{ api: Api; failure?: ErrorText }> = [];
	let behind: Payment | undefined;
	let last: Api | undefined;
	for (const next of api === 'auto' ? BOTH_APIS : [api, api]) {
		const current: Api = behind && last ? last : next;
		if (current === last && !(await pause(context))) break;
		last = current;
		const request = gatewayRequest('GET /v2/banking/payments/{id}', {
			path: { id },
			query: { api: current },
		});
		const result = await client.send(request, READ_TIMEOUT);
		const payment = (result.ok ? recordOf(result.body) : {}) as Partial<Payment>;
		if (sameText(id, payment.id, payment)) {
			// The ID as the gateway writes it: an event that is sent again with another spelling is the same one.
			behind = { ...payment, id: String(payment.id) } as Payment;
			const isConfirmed =
				behind.status === status || LATER_STATUSES[status].includes(behind.status as Status);
			if (isConfirmed) return { data: dataOf(behind) };
			// Its end is another one.
			if (LATER_STATUSES[behind.status as Status]?.length === 0) break;
			continue;
		}
		const isUnknown = result.ok || result.failure.status === 404;
		asked.push({ api: current, failure: isUnknown ? undefined : failureText(result.failure) });
		// Another try of the same API would only be refused again.
		if (!isUnknown && api !== 'auto') break;
	}
	const each = (language: Language) =>
		uniq(asked.map(({ api, failure }) => (failure ? `${api}: ${failure.message[language]}` : api)));
	const failures = compact(map(asked, 'failure'));
	if (!behind && failures.length > 0 && failures.length === asked.length) {
		const isSaidOnce = uniqBy(failures, 'message.en').length === 1;
		const message = bilingual((language) => each(language).join('; '));
		return { error: new Explained(isSaidOnce ? failures[0] : { ...failures[0], message }) };
	}
	const reason = behind
		? both(
				`the event says ${status}, but the payment is ${excerpt(behind.status)}`,
				`Das Ereignis nennt ${status}, die Zahlung ist aber ${excerpt(behind.status)}`,
			)
		: both(
				`the gateway doesn't know this payment (api ${each('en').join(', ')})`,
				`Das Gateway kennt diese Zahlung nicht (api ${each('de').join(', ')})`,
			);
	return { error: unverified(id, reason) };
}

/** @returns whether the execution goes on */
async function pause(context: IExecuteFunctions): Promise<boolean> {
	return await new Deadline(PAUSE + 1, context.getExecutionCancelSignal()).pause(PAUSE);
}

const unverified = (paymentId: string, reason: Bilingual) =>
	new Explained({
		message: both(
			`The event about payment ${excerpt(paymentId)} could not be verified: ${reason.en}`,
			`Das Ereignis zur Zahlung ${excerpt(paymentId)} ließ sich nicht bestätigen: ${reason.de}`,
		),
		description: both(
			'It started nothing. If the gateway was just late, use Retry in the list of executions, or turn on Retry On Fail in the settings of the node. If the payment is real, check the option "Verification API". If it is not, somebody else may know the webhook URL: unpublish the workflow, then publish it: that gives it a new token.',
			'Es hat nichts gestartet. War das Gateway nur langsam, benutzen Sie „Retry“ in der Liste der Ausführungen, oder schalten Sie „Retry On Fail“ in den Einstellungen des Nodes ein. Gibt es die Zahlung, prüfen Sie die Option „Verification API“. Gibt es sie nicht, kennt vielleicht jemand die Webhook-URL: Ziehen Sie den Workflow zurück (Unpublish) und veröffentlichen Sie ihn (Publish): Das gibt ihr ein neues Token.',
		),
	});

/** A payment in the form of an event's `data`. */
function dataOf(payment: Payment): IDataObject {
	const { id, status, raw_provider_status, template_identifier, payment_attributes, last_attempt } = payment;
	return {
		payment_id: id,
		status,
		raw_provider_status,
		template_identifier,
		payment_attributes,
		custom_fields: last_attempt?.custom_fields as IDataObject,
	};
}
