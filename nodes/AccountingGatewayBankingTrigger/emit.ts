import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { omit } from 'lodash';

import { ProcessedRow } from '../shared/processedData';
import { requireKnownVersion } from '../shared/run';
import { eventIdentity, isExample, isPaymentUpdate, judge, parseEvent } from './event';
import type { GatewayEvent, PaymentUpdate } from './event';
import {
	Explained,
	asHtml,
	asNodeError,
	excerpt,
	plainTextOf,
	textOf,
	workflowTitle,
} from '../shared/errors';
import { languageOf } from '../shared/gateway';
import { both } from '../shared/values';
import type { Bilingual } from '../shared/values';
import { readEventSettings, WORKFLOW_NAME } from './parameters';
import { verifyPayment } from './verify';

/** The result of an event: an item, nothing (the reason is shown as a hint), or a failure. */
type Result = { json: IDataObject } | { error: Error } | undefined;

/**
 * Turns accepted events into the trigger's output. Slow work and n8n's database are used here, after the sender has
 * got its answer.
 */
export async function emit(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items: INodeExecutionData[] = [];
	for (const [index, { json }] of context.getInputData().entries()) {
		const received = parseEvent(json);
		// There is no event if the workflow was started from the command line.
		if ('problem' in received) continue;
		const result = await resultOfEvent(context, received.event, index).catch(
			(error: Error): Result => ({ error }),
		);
		if (!result) continue;
		const output = 'error' in result ? await errorItem(context, result.error) : result.json;
		items.push({ json: output, pairedItem: { item: index } });
	}
	return [items];
}

async function resultOfEvent(
	context: IExecuteFunctions,
	event: GatewayEvent,
	index: number,
): Promise<Result> {
	// Checked here, because a failed execution can be retried after an update, while a refused delivery is lost.
	requireKnownVersion(context);
	const raw = (name: string) => {
		// n8n's engine for expressions takes most of an event's time, so the default is known without it.
		const inForm = context.getNodeParameter(name, index, undefined, { rawExpressions: true });
		if (inForm === WORKFLOW_NAME) return context.getWorkflow().name;
		return context.getNodeParameter(name, index, undefined);
	};
	const settings = ['status', 'template_identifier', 'quelle', 'options'] as const;
	const read = await readEventSettings([...settings], { zone: context.getTimezone(), raw });
	if ('problem' in read) return { error: new Explained({ message: read.problem }) };
	const { quelle = '', options } = read.values;
	const verifies = options.verify !== false;
	const delivered = asDelivered(event);
	if (context.getMode() === 'manual' && isExample(event)) {
		await notify(context, 'info', INVENTED);
		return { json: { ...delivered, quelle, example: true } };
	}
	let known = event;
	let verified: IDataObject = verifies ? { verified: false } : {};
	let statuses: unknown[] = [];
	if (isPaymentUpdate(event)) {
		statuses = [event.data.status];
		if (verifies) {
			const verification = await verifyPayment(context, event, options.api ?? 'auto');
			if ('error' in verification) return verification;
			const { data } = verification;
			// The status that was read is the event: its own one, if it comes, is a repetition.
			statuses.push(data.status);
			const template_identifier = data.template_identifier ?? event.data.template_identifier;
			known = { ...event, data: { ...data, template_identifier } };
			verified = { data, verified: true, delivered: event.data };
		}
	}
	// The webhook has only seen what the sender claims, and accepts everything while a parameter can't be read.
	const judgment = judge(known, read.values, statuses);
	if (judgment === 'leftOut') {
		await notify(context, 'info', LEFT_OUT_EVENT);
		return undefined;
	}
	if (judgment === 'unclear') return { error: unclear(event as PaymentUpdate) };
	// Only a verified event is recorded as processed.
	const confirmed = verified.data as IDataObject | undefined;
	if (await isRepeated(context, eventIdentity(delivered as GatewayEvent, confirmed))) {
		await notify(context, 'info', CAME_BEFORE);
		return undefined;
	}
	return { json: { ...delivered, ...verified, quelle } };
}

const INVENTED = both(
	'This is an invented example, not a payment.',
	'Dies ist ein erfundenes Beispiel, keine Zahlung.',
);
const LEFT_OUT_EVENT = both(
	'The event started nothing: the filters or "Other Events" leave it out.',
	'Das Ereignis hat nichts gestartet: Die Filter oder „Other Events“ lassen es aus.',
);
const CAME_BEFORE = both(
	'This event was delivered before and has already started the workflow.',
	'Dieses Ereignis kam schon einmal und hat den Workflow bereits gestartet.',
);

function unclear({ data }: PaymentUpdate): Explained {
	const id = excerpt(String(data.payment_id));
	return new Explained({
		message: both(
			`Whether the event about payment ${id} starts the workflow is unclear: neither it nor the payment says its transfer type (template_identifier)`,
			`Ob das Ereignis zur Zahlung ${id} den Workflow startet, ist unklar: Weder es noch die Zahlung nennt die Art der Überweisung (template_identifier)`,
		),
		description: both(
			'It started nothing. If such events are to start the workflow, choose nothing in "Transfer Types", publish, and use Retry with the current workflow in the list of executions.',
			'Es hat nichts gestartet. Sollen solche Ereignisse den Workflow starten, wählen Sie bei „Transfer Types“ nichts, veröffentlichen Sie, und benutzen Sie „Retry“ mit dem aktuellen Workflow in der Liste der Ausführungen.',
		),
	});
}

/** The event without the fields that only the trigger itself may add. */
const asDelivered = (event: GatewayEvent): IDataObject => omit(event, 'verified', 'delivered', 'example');

/** What an execution keeps between its tries, also for its retry: the event that it went on with, or that it failed. */
interface Tries {
	accepted?: string;
	failed?: boolean;
}

const triesOf = (context: IExecuteFunctions) => context.getContext('node') as Tries;

/** Whether an event has started the workflow before. A test in the editor doesn't count. */
async function isRepeated(context: IExecuteFunctions, identity: string): Promise<boolean> {
	const mode = context.getMode();
	if (mode === 'manual') return false;
	// "Retry On Fail" may run the node again within the execution that the event has started.
	const own = triesOf(context);
	if (own.accepted === identity) return false;
	const before = await new ProcessedRow(context, 'events').add([identity]);
	const isProcessed = before !== undefined && before.length > 0;
	// A retry is a person's decision. One of a failed execution comes too late if another delivery went on meanwhile.
	if (isProcessed && (mode !== 'retry' || own.failed)) return true;
	own.accepted = identity;
	return false;
}

/**
 * Fails the execution. If the node continues on errors, n8n would carry on with the delivered event as if nothing had
 * happened, so this outputs an item with only the error.
 */
async function errorItem(context: IExecuteFunctions, error: Error): Promise<IDataObject> {
	triesOf(context).failed = true;
	const told = asNodeError(context.getNode(), error, await languageOf(context));
	if (!context.continueOnFail()) throw told;
	await notify(context, 'warning', textOf(error).message);
	// With a second key, n8n before 2.35 would treat the item as a success and carry on with it.
	return { error: plainTextOf(told) };
}

/** Shows a message below the node's output and, in English, in n8n's log. */
async function notify(
	context: IExecuteFunctions,
	type: 'info' | 'warning',
	message: Bilingual,
): Promise<void> {
	const text = asHtml(message[await languageOf(context)]);
	context.addExecutionHints?.({ message: text, type, location: 'outputPane' });
	context.logger[type === 'info' ? 'info' : 'warn'](`${message.en} (${workflowTitle(context)})`);
}
