import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../../../operation';
import { isTool } from '../../n8n';
import { EARLIER_ATTEMPT } from '../notWritten';
import type { Journal } from './journal';
import { hasSent, isRetryOfWrites, itemsSent } from './stored';

/**
 * What earlier attempts of the execution have sent, or may have: one answer for all items that this run doesn't send, because
 * they break a rule, are only reviewed, or fail with the run as a whole. Make it before the run sends anything.
 */
export class SentBefore {
	private readonly items: ReadonlySet<number>;
	/** Whether this node has sent something in the execution, or may have. */
	readonly hasSent: boolean;
	/** Whether an earlier attempt may have sent something that the execution's data doesn't show. */
	readonly isRetry: boolean;
	/** Whether anything may have been sent for any item; a tool's items aren't told apart. */
	readonly isUncertain: boolean;

	constructor(context: IExecuteFunctions, operation?: Operation) {
		this.items = itemsSent(context);
		this.isRetry = isRetryOfWrites(context, operation);
		this.hasSent = hasSent(context);
		this.isUncertain = this.isRetry || (isTool(context) && this.hasSent);
	}

	/**
	 * The outcome of items for which something was sent, or may have been; `undefined` if nothing was.
	 * @param journal of the run, if it has one: it knows whether an earlier attempt was killed
	 */
	judge(items: readonly number[], journal?: Pick<Journal, 'outcomeOfAll'>) {
		const ofAll = journal?.outcomeOfAll;
		if (ofAll) return ofAll;
		return items.some((item) => this.items.has(item)) ? EARLIER_ATTEMPT.changed : undefined;
	}
}
