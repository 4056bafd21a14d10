/** Stores a trigger's memory in n8n's static data of the workflow. */
import { deepCopy } from 'n8n-workflow';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { parseJson } from '../shared/values';
import { keyOf } from './transactions';
import type { Memory } from './window';

const PREFIX = 'accountingGatewayTransactions ';

/**
 * The field of the static data that holds the memories of this node, by account: with its ID and name, as nodes of a workflow
 * that was put together by hand may have one ID. A node that was renamed takes its memories along, which n8n's own data of a
 * node doesn't: no connection of the workflow begins at its former name any more.
 */
function fieldOf(context: IPollFunctions, data: IDataObject): string {
	const { id, name } = context.getNode();
	const field = `${PREFIX}${JSON.stringify([id, name])}`;
	if (field in data) return field;
	for (const other of Object.keys(data)) {
		if (!other.startsWith(PREFIX)) continue;
		const owner = parseJson(other.slice(PREFIX.length))?.value;
		const [otherId, otherName] = Array.isArray(owner) ? (owner as unknown[]) : [];
		if (otherId !== id || context.getChildNodes(String(otherName)).length > 0) continue;
		data[field] = data[other];
		delete data[other];
		break;
	}
	return field;
}

/** The memory of this trigger about a bank account. */
export function memoryOf(context: IPollFunctions, account: string) {
	const data = context.getWorkflowStaticData('global');
	const field = fieldOf(context, data);
	const memories = () => (data[field] ?? {}) as Record<string, Memory>;
	const name = keyOf(account);
	return {
		/** Identifies the trigger, with its account. */
		id: JSON.stringify([context.getWorkflow().id, field, name]),
		/** A copy of the memory; `undefined` if the account is new to the trigger. */
		read: (): Memory | undefined => deepCopy(memories()[name]),
		/** n8n notices that a value is set, and stores all with the workflow. */
		write(memory: Memory): void {
			data[field] = { ...memories(), [name]: memory };
		},
	};
}
