/** Stores a trigger's memory in n8n's static data of the workflow. */
import type { IPollFunctions } from 'n8n-workflow';
import { maxBy, pickBy } from 'lodash';

import { daysBefore, today } from '../shared/values/dates';
import { keyOf } from './transactions';
import { memorySchema } from './window';
import type { Memory } from './window';

/** Days after which an account that the trigger no longer reads is forgotten. */
const FORGOTTEN = 30;

export const UNREADABLE = 'unreadable';

const readMemory = (stored: unknown): Memory | undefined => memorySchema.safeParse(stored).data;

/** The newest day is kept open with each poll. */
const polledOn = (memory: Memory | undefined) => maxBy(Object.entries(memory?.open ?? {}), 0)?.[1] ?? '';

export function placeOf(context: IPollFunctions, account: string) {
	const data = context.getWorkflowStaticData('global');
	// The key contains the node's ID. With its name, which n8n uses for the data of a node, the memory would be lost when
	// the node is renamed.
	const place = `accountingGatewayTransactions ${context.getNode().id}`;
	const memories = () => Object(data[place]) as Record<string, unknown>;
	const name = keyOf(account);
	return {
		/** A copy of the memory; `undefined` if the account is new to the trigger. */
		get memory(): Memory | typeof UNREADABLE | undefined {
			const { [name]: stored } = memories();
			return stored === undefined ? undefined : (readMemory(stored) ?? UNREADABLE);
		},
		/** n8n notices that a value is set, and stores all with the workflow. */
		set memory(memory: Memory) {
			const oldest = daysBefore(today(context.getTimezone()), FORGOTTEN);
			const isRecent = (other: unknown) => polledOn(readMemory(other)) >= oldest;
			data[place] = { ...pickBy(memories(), isRecent), [name]: memory };
		},
	};
}
