/** Reports the results of a run in input order: as output, as hints, or as the error that ends the run. */
import type { INodeExecutionData } from 'n8n-workflow';
import { sortBy } from 'lodash';

import { workflowTitle } from '../../errors';
import type { Operation } from '../../operation';
import { endError } from './endError';
import { addHints } from './hints';
import type { Result } from '../task';
import { outputItems } from './outputItems';
import type { Session } from '../session';

/** Makes the output of the results; throws if the run ended early. */
export function report(session: Session, operation: Operation, results: Result[]): INodeExecutionData[][] {
	const { context, isCanceled, credits } = session;
	const sorted = sortBy(results, ({ items: [first] }) => first);
	credits.save();
	const isEnded = !context.continueOnFail() || isCanceled;
	const ended = isEnded ? endError(context, operation, sorted, isCanceled) : undefined;
	if (ended) throw ended;
	try {
		addHints(session, sorted);
	} catch (error) {
		// An error in a hint must not make successful bookings look failed.
		context.logger.error(
			`The hints of a run of ${workflowTitle(context)} could not be created: ${(error as Error).message}`,
		);
	}
	return [outputItems(context, sorted)];
}
