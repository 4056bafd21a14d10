/** Stores a trigger's memory in n8n's static data of the workflow. */
import type { IPollFunctions } from 'n8n-workflow';

import { keyOf } from './transactions';
import { memorySchema } from './window';
import type { Memory } from './window';

export const UNREADABLE = 'unreadable';

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
			return stored === undefined ? undefined : (memorySchema.safeParse(stored).data ?? UNREADABLE);
		},
		/** n8n notices that a value is set, and stores all with the workflow. */
		set memory(memory: Memory) {
			data[place] = { ...memories(), [name]: memory };
		},
	};
}
