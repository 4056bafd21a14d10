/** Reports failing polls in n8n's log. */
import type { IPollFunctions } from 'n8n-workflow';
import { upperFirst } from 'lodash';

import { Explained, asNodeError, plainTextOf, workflowTitle } from '../shared/errors';
import { both } from '../shared/values';
import type { Bilingual, Language } from '../shared/values';

/** Milliseconds after which a failing gateway causes more than a line in the log. */
const LASTING_MS = 60 * 60 * 1000;

/**
 * By workflow and node: since when polls have failed, and which failures a failed execution has reported: those that may
 * pass, and those that don't.
 */
const outages = new Map<string, { since: number; reported: Set<boolean> }>();
/** The last message about the gateway's answers, by workflow and node. */
const lastWarning = new Map<string, string>();

const partError = (more: Bilingual) =>
	new Explained({
		message: both(
			'Perhaps not all transactions of the bank account were read',
			'Vielleicht wurden nicht alle Umsätze des Bankkontos gelesen',
		),
		description: both(
			`${upperFirst(more.en)}. If that means that the list goes on elsewhere, choose a smaller "Look Back (Days)", or ask the provider of the gateway.`,
			`${more.de}. Heißt das, dass die Liste anderswo weitergeht, wählen Sie bei „Look Back (Days)“ weniger, oder fragen Sie den Anbieter des Gateways.`,
		),
	});

/** @param language of the failed executions; the log is English */
export function outageOf(context: IPollFunctions, language: Language) {
	const fail = (error: Error) => context.__emitError(asNodeError(context.getNode(), error, language));
	const { id, name } = context.getNode();
	const trigger = JSON.stringify([context.getWorkflow().id, id, name]);
	const title = `The transaction trigger of ${workflowTitle(context)}`;
	const details = { workflowId: context.getWorkflow().id, node: context.getNode().name };
	return {
		/**
		 * Reports a failed poll in the log. If polls keep failing, or waiting doesn't help, there is also one failed
		 * execution of either kind, which starts n8n's error workflow, because nobody reads the log: when the gateway is back,
		 * it may refuse the key.
		 */
		report(error: Error, mayPass: boolean): void {
			const outage = outages.get(trigger) ?? { since: Date.now(), reported: new Set() };
			outages.set(trigger, outage);
			context.logger.error(
				`${title} could not read the bank account; the next poll will catch up. ${plainTextOf(asNodeError(context.getNode(), error, 'en'))}`,
				details,
			);
			if (outage.reported.has(mayPass) || (mayPass && Date.now() - outage.since < LASTING_MS)) return;
			outage.reported.add(mayPass);
			fail(error);
		},

		/**
		 * Reports that a poll has succeeded.
		 * @param problems problems with single transactions, each logged once while it lasts
		 * @param more the one that there may be more transactions than were read: also one failed execution, as nothing
		 * says when they would be
		 * @param refused days that the gateway refuses to give: likewise
		 */
		end(problems: string[], more?: Bilingual, refused?: Error): void {
			if (outages.delete(trigger)) context.logger.info(`${title} can read the bank account again`, details);
			const text = [...problems, ...(refused ? [refused.message] : [])].join('; ');
			const before = lastWarning.get(trigger) ?? '';
			if (text && before !== text) context.logger.warn(`${title}: ${text}`, details);
			if (more && !before.includes(more.en)) fail(partError(more));
			if (refused && !before.includes(refused.message)) fail(refused);
			lastWarning.set(trigger, text);
		},
	};
}
