/** Stores a trigger's memory in n8n's static data of the workflow. */
import { deepCopy } from 'n8n-workflow';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { Explained } from '../shared/errors';
import { both, parseJson } from '../shared/values';
import { keyOf } from './transactions';
import { MEMORY_FORMAT } from './window';
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

export function memoryOf(context: IPollFunctions, account: string) {
	const data = context.getWorkflowStaticData('global');
	const field = fieldOf(context, data);
	const memories = () => (data[field] ?? {}) as Record<string, Memory>;
	const name = keyOf(account);
	return {
		/** Identifies the trigger, with its account. */
		id: JSON.stringify([context.getWorkflow().id, field, name]),
		/** Why the memory can't be read, if another version of the package has written it. */
		get problem(): Explained | undefined {
			const memory = memories()[name] as Memory | undefined;
			return memory && memory.format !== MEMORY_FORMAT ? otherFormat() : undefined;
		},
		/** A copy of the memory; `undefined` if the account is new to the trigger. */
		read: (): Memory | undefined => deepCopy(memories()[name]),
		/** n8n notices that a value is set, and stores all with the workflow. */
		write(memory: Memory): void {
			data[field] = { ...memories(), [name]: memory };
		},
	};
}

/** Read as this version's own, it would start the workflow for all transactions again, or for none. */
const otherFormat = () =>
	new Explained({
		message: both(
			'What this trigger remembers was written by another version of the package',
			'Was dieser Trigger sich gemerkt hat, stammt von einer anderen Version des Pakets',
		),
		description: both(
			'It starts nothing, because this version can’t tell which transactions have started the workflow. Put a new trigger in its place, with the day of the last transaction that did as “Start Date” (those of that day may start it again); or install the former version again.',
			'Er startet nichts, weil diese Version nicht erkennt, welche Umsätze den Workflow schon gestartet haben. Setzen Sie einen neuen Trigger an seine Stelle, mit dem Tag des letzten solchen Umsatzes als „Start Date“ (die dieses Tages starten ihn vielleicht noch einmal), oder installieren Sie die frühere Version wieder.',
		),
	});
