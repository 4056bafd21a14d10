/** Where a trigger's memory is: n8n's static data of the workflow. */
import type { IPollFunctions } from 'n8n-workflow';
import { pickBy } from 'lodash';

import { daysBefore, today } from '../shared/values/dates';
import type { Memory } from './memory';
import { keyOf } from './transactions';

/** By the node's ID. By its name, as n8n keeps the data of a node, it would be lost when the node is renamed. */
const placeIn = (context: Pick<IPollFunctions, 'getNode'>) =>
	`accountingGatewayTransactions ${context.getNode().id}`;

/** Days after which an account that the trigger no longer reads is forgotten. */
const FORGOTTEN = 30;

type Memories = Record<string, Memory | undefined>;

const memoriesOf = (context: IPollFunctions) =>
	(context.getWorkflowStaticData('global')[placeIn(context)] ?? {}) as Memories;

/** Whether the trigger has been published before, with any account. */
export const remembersAny = (context: IPollFunctions) => Object.keys(memoriesOf(context)).length > 0;

/** @param account gateway and bank account: the same ID at another gateway is another account */
export function placeOf(context: IPollFunctions, account: string) {
	const name = keyOf(account);
	return {
		get memory(): Memory | undefined {
			return memoriesOf(context)[name];
		},
		/** n8n notices that a value is set, and stores all with the workflow. */
		set memory(memory: Memory | undefined) {
			const oldest = daysBefore(today(context.getTimezone()), FORGOTTEN);
			const others = pickBy(memoriesOf(context), (other) => other && other.polledOn >= oldest);
			const all = { ...others, [name]: memory };
			context.getWorkflowStaticData('global')[placeIn(context)] = all;
		},
	};
}
