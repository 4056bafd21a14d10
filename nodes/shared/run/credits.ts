import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { sum } from '../values/money';
import { CREDITS_FIELD } from '../gateway/records';

/** Finds the credit balance in an answer. */
export function creditsIn(body: unknown): number | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	for (const value of Object.values(body)) {
		const balance = (value as IDataObject | null)?.[CREDITS_FIELD];
		if (typeof balance === 'number' && Number.isFinite(balance)) return balance;
	}
	return undefined;
}

/** What the node keeps in an execution's data. */
interface Memory {
	balance: number;
	/** "Retry" is another execution: the account may have been topped up in between. */
	execution: string;
}

const KEY = 'accountingGatewayCredits';

/** Follows the credit balance through a run. */
export class Credits {
	private highest?: number;
	private lowest?: number;
	private answers = 0;

	private constructor(
		private readonly context: IExecuteFunctions,
		/** Below this balance nothing more is sent. */
		private readonly minimum: number | undefined,
		/** The balance at the end of the node's run before this one, e.g. in a loop. */
		private readonly before: number | undefined,
	) {}

	/** @param minimum below this balance nothing more is sent */
	static open(context: IExecuteFunctions, minimum?: number): Credits {
		const memory = context.getContext('node')[KEY] as Memory | undefined;
		const isOfThis = memory?.execution === context.getExecutionId();
		return new Credits(context, minimum, isOfThis ? memory?.balance : undefined);
	}

	/** Saves the balance for the node's next run in the same execution. */
	save(): void {
		if (this.lowest === undefined) return;
		const memory: Memory = { balance: this.lowest, execution: this.context.getExecutionId() };
		this.context.getContext('node')[KEY] = memory;
	}

	/** Records an answer's balance. Answers to parallel reads can arrive out of order, so the lowest balance counts. */
	note(balance: number | undefined): void {
		if (balance === undefined) return;
		this.answers++;
		this.highest = Math.max(this.highest ?? balance, balance);
		this.lowest = Math.min(this.lowest ?? balance, balance);
	}

	get hasMinimum(): boolean {
		return this.minimum !== undefined;
	}

	/** The latest known balance. */
	private get balance(): number | undefined {
		return this.lowest ?? this.before;
	}

	/** Whether nothing more may be sent. */
	get exhausted(): boolean {
		return this.minimum !== undefined && this.balance !== undefined && this.balance < this.minimum;
	}

	/** The warning when a minimum is set but no answer had a balance. */
	get unchecked(): string | undefined {
		return this.minimum !== undefined && this.balance === undefined
			? `The gateway returned no credit balance, so the minimum of ${this.minimum} could not be checked`
			: undefined;
	}

	/** Why nothing more may be sent. */
	get exhaustion(): string {
		return `The credit balance of ${this.balance} is below the minimum of ${this.minimum} set in the node's options`;
	}

	/** The hint about the run, if the answers had a balance. */
	get hint(): string | undefined {
		if (this.lowest === undefined || this.highest === undefined) return undefined;
		const used = sum([this.highest, -this.lowest]);
		// The balance before the first call isn't known, so neither is what that call used.
		return this.answers === 1
			? `Credit balance: ${this.lowest} after this run`
			: `Credit balance: ${this.lowest} after this run; calls after the first one used ${used}`;
	}
}
