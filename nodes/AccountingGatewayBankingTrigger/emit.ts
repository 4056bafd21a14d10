import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { hasHappened } from '../shared/record';
import { identityOf, isExample, isPaymentUpdate, parseEvent } from './event';
import type { GatewayEvent } from './event';
import type { Options } from './options';
import { readBack } from './verify';

/**
 * Makes the events that were taken over the trigger's output. What takes time, or n8n's database, is done here, when
 * the sender has its answer already.
 */
export async function emit(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items: INodeExecutionData[] = [];
	for (const [index, { json }] of context.getInputData().entries()) {
		const received = parseEvent(json);
		// Started from the command line, there is no event.
		if ('problem' in received) continue;
		const output = await outputOf(context, received.event, index);
		if (output) items.push({ json: output, pairedItem: { item: index } });
	}
	return [items];
}

/** @returns `undefined` for an event that shall start nothing; the reason is shown as a hint */
async function outputOf(
	context: IExecuteFunctions,
	event: GatewayEvent,
	index: number,
): Promise<IDataObject | undefined> {
	const quelle = context.getNodeParameter('quelle', index, '') as string;
	const { verify, api = 'partner', deduplicate } = context.getNodeParameter('options', index, {}) as Options;
	const mode = context.getMode();
	if (mode === 'manual' && isExample(event)) {
		tell(context, 'info', 'This is an invented example, not a payment.');
		return { ...event, quelle };
	}

	let verified: IDataObject = {};
	if (verify && isPaymentUpdate(event)) {
		const read = await readBack(context, event, api);
		if ('doubt' in read) {
			tell(
				context,
				'warning',
				`The event about payment ${event.data.payment_id} started nothing: ${read.doubt}.`,
			);
			return undefined;
		}
		verified = { data: read.data, verified: true, delivered: event.data };
	} else if (verify) verified = { verified: false };

	// Only what verification lets pass counts as run. Someone who tests or retries wants it to run again.
	if (mode === 'webhook' && deduplicate !== false && (await hasHappened(context, identityOf(event)))) {
		tell(context, 'info', 'The event was delivered again; it has started this workflow before.');
		return undefined;
	}
	return { ...event, ...verified, quelle };
}

/** Shows something below the node's output, and in n8n's log. */
function tell(context: IExecuteFunctions, type: 'info' | 'warning', message: string): void {
	context.addExecutionHints?.({ message, type, location: 'outputPane' });
	context.logger[type === 'info' ? 'info' : 'warn'](message);
}
