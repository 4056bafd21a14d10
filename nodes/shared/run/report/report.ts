/** Reports the results of a run in input order: as output, as hints, or as the error that ends the run. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { sortBy } from 'lodash';

import { workflowTitle } from '../../errors';
import type { Operation } from '../../operation';
import { noteNumbers } from './customData';
import { endError } from './endError';
import { addHints } from './hints';
import type { Result } from '../task';
import { withBesides } from './besides';
import { outputItems } from './outputItems';
import type { RunState } from '../runState';

/** Makes the output of the results; throws if the run ended early. */
export function report(state: RunState, operation: Operation, results: Result[]): INodeExecutionData[][] {
	const { context, isCanceled, credits, language } = state;
	const sorted = withBesides(sortBy(results, ({ items: [first] }) => first));
	credits.save();
	if (operation.kind === 'write') aside(context, 'The numbers', () => noteNumbers(context, sorted));
	const isEnded = !context.continueOnFail() || isCanceled;
	const ended = isEnded ? endError(context, operation, sorted, isCanceled) : undefined;
	if (ended) throw ended;
	aside(context, 'The hints', () => addHints(state, sorted, operation.kind));
	return [outputItems(context, sorted, operation.kind, language)];
}

/** An error in what is only said must not make successful bookings look failed. */
function aside(context: IExecuteFunctions, what: string, say: () => void): void {
	try {
		say();
	} catch (error) {
		context.logger.error(
			`${what} of a run of ${workflowTitle(context)} could not be created: ${(error as Error).message}`,
		);
	}
}
