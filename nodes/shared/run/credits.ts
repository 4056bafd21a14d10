import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { CREDITS_FIELD } from '../thisGateway';
import { both } from '../values';
import type { Bilingual } from '../values';

export function creditsIn(body: unknown): number | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	for (const value of Object.values(body)) {
		const balance = (value as IDataObject | null)?.[CREDITS_FIELD];
		if (Number.isFinite(balance)) return balance as number;
	}
	return undefined;
}

/** What the node stores in the execution's data. */
interface StoredBalance {
	balance: number;
	/** ID of the execution. "Retry" starts a new one, and the account may have been topped up in between. */
	execution: string;
}

const CREDITS_KEY = 'accountingGatewayCredits';

/** Follows the credit balance through a run. */
export class Credits {
	private highest?: number;
	private lowest?: number;
	/** Whether anything was asked for; a dry run asks for nothing. */
	private isAnswered = false;

	/** The balance at the end of the node's run before this one, e.g. in a loop. */
	private readonly before?: number;

	/** @param minimum if the balance is lower than this, nothing more is sent */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly minimum?: number,
	) {
		const { balance, execution } = (context.getContext('node')[CREDITS_KEY] ?? {}) as Partial<StoredBalance>;
		if (execution === context.getExecutionId()) this.before = balance;
	}

	/** Saves the balance for the node's next run in the same execution. */
	save(): void {
		if (this.lowest === undefined) return;
		const stored: StoredBalance = { balance: this.lowest, execution: this.context.getExecutionId() };
		this.context.getContext('node')[CREDITS_KEY] = stored;
	}

	/** Takes the balance that an answer names. Answers to parallel reads can arrive out of order, so the lowest one counts. */
	update(body: unknown): void {
		this.isAnswered = true;
		const balance = creditsIn(body);
		if (balance === undefined) return;
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
		return (this.balance ?? Infinity) < (this.minimum ?? -Infinity);
	}

	/** The warning if a minimum is set but no answer contained a balance. */
	get unchecked(): Bilingual | undefined {
		return this.minimum !== undefined && this.isAnswered && this.balance === undefined
			? both(
					`The gateway returned no credit balance, so the minimum of ${this.minimum} could not be checked`,
					`Das Gateway nannte kein Guthaben, darum war der Mindestbetrag von ${this.minimum} nicht zu prüfen`,
				)
			: undefined;
	}

	/** Why nothing more may be sent. */
	get exhaustion(): Bilingual {
		return both(
			`The credit balance of ${this.balance} is below the minimum of ${this.minimum} set in the node's options`,
			`Das Guthaben von ${this.balance} liegt unter dem Mindestbetrag von ${this.minimum} aus den Optionen des Nodes`,
		);
	}

	/** The hint about the credits that the run used; `undefined` if no answer contained a balance. */
	get hint(): Bilingual | undefined {
		if (this.lowest === undefined) return undefined;
		// The balance before the first call isn't known.
		const isOne = this.highest === this.lowest;
		return both(
			`Credit balance: ${this.lowest} after this run${isOne ? '' : ` (${this.highest} after its first call)`}`,
			`Guthaben: ${this.lowest} nach diesem Lauf${isOne ? '' : ` (${this.highest} nach dem ersten Aufruf)`}`,
		);
	}
}
