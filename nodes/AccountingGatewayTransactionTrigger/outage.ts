/** What n8n's log says about polls that fail. */
import type { IPollFunctions } from 'n8n-workflow';

import { workflowTitle } from '../shared/errors/logText';

/** Milliseconds after which a failing gateway causes more than a line in the log. */
const LASTING_MS = 60 * 60 * 1000;

interface Outage {
	since: number;
	/** Whether there is a failed execution about it. */
	isTold: boolean;
}

/** The triggers whose last poll has failed, by workflow and node. */
const outages = new Map<string, Outage>();
/** What was last said about the gateway's answers to a trigger. */
const said = new Map<string, string>();

export function outageOf(context: IPollFunctions) {
	const trigger = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const title = `of ${workflowTitle(context)}`;
	const details = { workflowId: context.getWorkflow().id, node: context.getNode().name };
	return {
		/**
		 * A poll has failed: a line in the log. If that lasts, or waiting doesn't help, there is one failed execution, too,
		 * which starts n8n's error workflow: nobody reads the log.
		 */
		report(error: Error, isTransient: boolean): void {
			const outage = outages.get(trigger) ?? { since: Date.now(), isTold: false };
			outages.set(trigger, outage);
			const { description } = error as { description?: string | null };
			const text = [error.message, description].filter(Boolean).join('. ');
			context.logger.error(
				`The transaction trigger ${title} could not read the bank account; the next poll will catch up. ${text}`,
				details,
			);
			const isLasting = !isTransient || Date.now() - outage.since >= LASTING_MS;
			if (outage.isTold || !isLasting) return;
			outage.isTold = true;
			context.__emitError(error);
		},

		/** A poll has succeeded. @param problems with single transactions, each logged once while it lasts */
		end(problems: string[]): void {
			if (outages.delete(trigger)) {
				context.logger.info(`The transaction trigger ${title} can read the bank account again`, details);
			}
			const text = problems.join('; ');
			if (text && said.get(trigger) !== text) {
				context.logger.warn(`The transaction trigger ${title}: ${text}`, details);
			}
			if (text) said.set(trigger, text);
			else said.delete(trigger);
		},
	};
}
