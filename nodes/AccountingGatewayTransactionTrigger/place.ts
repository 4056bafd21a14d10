/** Stores a trigger's memory in n8n's static data of the workflow. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { parseJson } from '../shared/values';
import { keyOf } from './transactions';
import { memorySchema } from './window';
import type { Memory } from './window';

export const UNREADABLE = 'unreadable';

const PREFIX = 'accountingGatewayTransactions ';
/** A node's memories, by account. n8n's own data of a node would be lost when the node is renamed. */
const placeNamed = (id: string, name: string) => `${PREFIX}${JSON.stringify([id, name])}`;

/**
 * Where the memory of this node is: under its ID and name, as nodes of a workflow that was put together by hand may have one
 * ID. A node that was renamed takes its memory along: no connection of the workflow begins at its former name any more.
 */
function findPlace(context: IPollFunctions, data: IDataObject): string {
	const { id, name } = context.getNode();
	const place = placeNamed(id, name);
	if (place in data) return place;
	for (const other of Object.keys(data)) {
		if (!other.startsWith(PREFIX)) continue;
		const owner = parseJson(other.slice(PREFIX.length))?.value;
		const [otherId, otherName] = Array.isArray(owner) ? (owner as unknown[]) : [];
		if (otherId !== id || context.getChildNodes(String(otherName)).length > 0) continue;
		data[place] = data[other];
		delete data[other];
		break;
	}
	return place;
}

export function placeOf(context: IPollFunctions, account: string) {
	const data = context.getWorkflowStaticData('global');
	const place = findPlace(context, data);
	const memories = () => Object(data[place]) as Record<string, unknown>;
	const name = keyOf(account);
	return {
		/** Identifies the trigger, with its account. */
		id: JSON.stringify([context.getWorkflow().id, place, name]),
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
