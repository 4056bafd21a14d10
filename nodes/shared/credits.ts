import type { IDataObject } from 'n8n-workflow';

import { sum } from './money';

/** The credit balance after a call, in whichever top-level object of an answer carries it (`svc` in the specification). */
export const CREDITS_FIELD = 'neuesGuthaben';

/** Finds the credit balance in an answer. */
export function creditsIn(body: unknown): number | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	for (const value of Object.values(body)) {
		const balance = (value as IDataObject | null)?.[CREDITS_FIELD];
		if (typeof balance === 'number') return balance;
	}
	return undefined;
}

/** Follows the credit balance through a run. */
export class Credits {
	private highest?: number;
	private lowest?: number;
	private answers = 0;

	/** @param minimum below this balance nothing more is sent */
	constructor(private readonly minimum?: number) {}

	/** Takes note of an answer's balance. Answers to parallel reads may come out of order, so the lowest one counts. */
	note(balance: number | undefined): void {
		if (balance === undefined) return;
		this.answers++;
		this.highest = Math.max(this.highest ?? balance, balance);
		this.lowest = Math.min(this.lowest ?? balance, balance);
	}

	/** The balance as far as known. */
	get balance(): number | undefined {
		return this.lowest;
	}

	/** Whether nothing more may be sent. */
	get exhausted(): boolean {
		return this.minimum !== undefined && this.lowest !== undefined && this.lowest < this.minimum;
	}

	/** What the user is told when a minimum is set that no answer could be measured against. */
	get unchecked(): string | undefined {
		return this.minimum !== undefined && this.lowest === undefined
			? `The gateway named no credit balance, so the minimum of ${this.minimum} could not be checked`
			: undefined;
	}

	/** Why nothing more may be sent. */
	get exhaustion(): string {
		return `The credit balance of ${this.lowest} is below the minimum of ${this.minimum} that the node's options set`;
	}

	/** What the user is told about the run, if the answers named a balance. */
	get hint(): string | undefined {
		if (this.lowest === undefined || this.highest === undefined) return undefined;
		const used = sum([this.highest, -this.lowest]);
		// The balance before the first call isn't known, so neither is what that call used.
		return this.answers === 1
			? `Credit balance: ${this.lowest} after this run`
			: `Credit balance: ${this.lowest} after this run, whose calls after the first one used ${used}`;
	}
}
