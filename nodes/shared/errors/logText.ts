import type { FunctionsBase } from 'n8n-workflow';

import { maskIbans } from '../values/iban';
import { cut } from './cut';

/** Makes an external text fit for errors and n8n's log: short, and on one line. */
export const shown = (text: unknown) =>
	cut(
		maskIbans(
			String(text)
				.slice(0, 1000)
				.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ''),
		),
		64,
	);

/** How n8n's log names the trigger's workflow. */
export const workflowTitle = (context: Pick<FunctionsBase, 'getWorkflow'>) =>
	`workflow "${shown(context.getWorkflow().name)}"`;
