import { NodeOperationError } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeError,
	NodeExecutionHint,
} from 'n8n-workflow';
import { escape, upperFirst } from 'lodash';
import pLimit from 'p-limit';

import { CREDITS_FIELD, Credits, creditsIn } from './credits';
import { incomprehensible, nodeError } from './failures';
import type { Failure } from './failures';
import { Gateway } from './gateway';
import { Item } from './item';
import type { Problem } from './item';
import { fieldTitle, outputRecords } from './operation';
import type { Completion, Operation, Resource } from './operation';
import { DEFAULT_CONCURRENCY, MAX_TIMEOUT } from './options';
import type { GatewayRequest } from './request';
import { isTool, Written } from './written';

/** What became of an item. */
type Result =
	| { kind: 'done'; records: IDataObject[] }
	| { kind: 'invalid'; problems: Problem[] }
	| { kind: 'failed'; failure: Failure }
	/** Something else ended the run before its turn. */
	| { kind: 'skipped'; reason: string };

/** n8n tells a canceled execution from a failed one by this word in the error. */
const CANCELED = 'The execution was canceled';

interface Checked {
	item: Item;
	request: GatewayRequest;
}

/** Runs the chosen operation on all items: check all, send, collect in input order, tell about it. */
export async function run(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	return await new Run(context, chosenOperation(context, resources)).execute();
}

function chosenOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
	const resource = context.getNodeParameter('resource', 0, null);
	const value = context.getNodeParameter('operation', 0, null);
	const operation = resources
		.find((candidate) => candidate.value === resource)
		?.operations.find((candidate) => candidate.value === value);
	if (operation) return operation;
	throw new NodeOperationError(
		context.getNode(),
		`This node has no operation "${String(value ?? '')}" for "${String(resource)}"`,
		{
			description:
				'Choose another operation. For a custom API call use the HTTP Request node with the credential "Accounting Gateway API".',
		},
	);
}

class Run {
	private readonly results: Result[] = [];
	private readonly hints: NodeExecutionHint[] = [];
	/** What the user must know of good answers, and of which items. */
	private readonly warnings = new Map<string, number[]>();
	private readonly continues: boolean;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
	) {
		this.continues = context.continueOnFail();
	}

	async execute(): Promise<INodeExecutionData[][]> {
		const checked = await this.checkAll();
		const invalid = this.indices('invalid');
		if (invalid.length > 0 && !this.continues) throw this.invalidError(invalid);

		const written = this.operation.kind === 'write' ? await Written.open(this.context) : undefined;
		const credits = await this.sendAll(checked, written);
		const ended = this.results.findIndex(({ kind }) => kind === 'failed' || kind === 'skipped');
		if (ended !== -1 && (!this.continues || this.cancelled)) throw this.endError(ended);

		const items = this.results.flatMap((result, i) => this.output(result, i));
		// n8n takes a field of this name for a failure, whoever it comes from, and tries again.
		const isTriedAgain = items[0]?.json.error !== undefined;
		if (!isTriedAgain && this.results.every(({ kind }) => kind === 'done')) written?.forget();
		this.tell(credits);
		return [items];
	}

	private get cancelled(): boolean {
		return this.context.getExecutionCancelSignal()?.aborted ?? false;
	}

	private indices(kind: Result['kind']): number[] {
		return this.results.flatMap((result, i) => (result.kind === kind ? [i] : []));
	}

	/** Checks every item before anything is sent. */
	private async checkAll(): Promise<Checked[]> {
		const checked: Checked[] = [];
		const seen = new Map<string, number>();
		for (let i = 0; i < this.context.getInputData().length; i++) {
			const item = new Item(this.context, i);
			this.checkOptions(item);
			const request = await this.operation.request(item);
			if (item.problems.length === 0) this.checkUnique(item, seen);
			if (item.problems.length === 0) checked.push({ item, request });
			else this.results[i] = { kind: 'invalid', problems: item.problems };
		}
		return checked;
	}

	private checkOptions(item: Item): void {
		const { options } = item;
		const concurrency = options.number('concurrency', { min: 1 });
		if (concurrency !== undefined && !Number.isInteger(concurrency)) {
			options.refuse('concurrency', concurrency, 'must be a whole number');
		}
		options.number('minimumCredits');
		options.number('timeout', { min: 0.001, max: MAX_TIMEOUT });
		options.flag('includeCredits');
		item.flag('simple');
	}

	private checkUnique(item: Item, seen: Map<string, number>): void {
		const unique = this.operation.unique?.(item);
		if (!unique) return;
		const key = JSON.stringify([unique.within, unique.value]);
		const first = seen.get(key);
		if (first === undefined) seen.set(key, item.index);
		else item.refuse(unique.field, unique.value, `is that of item ${first} already`);
	}

	/** Sends what has been checked; every item gets a result. */
	private async sendAll(checked: Checked[], written?: Written): Promise<Credits> {
		const options = checked[0]?.item.options;
		const minimum = options?.number('minimumCredits');
		const credits = new Credits(minimum);
		const gateway = checked.length > 0 ? await Gateway.open(this.context) : undefined;
		// Reads that run at once can't stop before the balance falls below a minimum.
		const oneByOne = written !== undefined || minimum !== undefined;
		const limit = pLimit(oneByOne ? 1 : (options?.number('concurrency') ?? DEFAULT_CONCURRENCY));
		// What an earlier try has left unknown, is that for each item.
		const stops = !this.continues && !written?.stopped;
		let stop: string | undefined;
		await Promise.all(
			// Taken off the list, a request's memory is free again once its answer is there.
			checked.splice(0).map(({ item, request }) =>
				limit(async () => {
					if (this.cancelled) stop = CANCELED;
					const result =
						stop === undefined
							? await this.sendOne(gateway as Gateway, item, request, credits, written).catch(
									(error: unknown): Result => ({
										kind: 'failed',
										failure: incomprehensible(written !== undefined, error as Error),
									}),
								)
							: { kind: 'skipped' as const, reason: stop };
					this.results[item.index] = result;
					if (result.kind === 'failed' && stops) stop ??= `Item ${item.index} failed`;
					if (credits.exhausted) stop ??= credits.exhaustion;
				}),
			),
		);
		return credits;
	}

	/** Sends an item's request and, where its answer asks for one, a second that completes it. */
	private async sendOne(
		gateway: Gateway,
		item: Item,
		request: GatewayRequest,
		credits: Credits,
		written?: Written,
	): Promise<Result> {
		const send = async (next: GatewayRequest) => await this.exchange(gateway, item, next, credits, written);
		const first = await send(request);
		if ('failure' in first) return { kind: 'failed', failure: this.explained(first.failure, item) };
		const completion = this.operation.complete?.(first.body, item);
		if (!completion) return this.done(first.body, item);
		const second = this.cancelled ? { failure: notSent(CANCELED) } : await send(completion.request);
		if ('failure' in second) return { kind: 'failed', failure: incomplete(completion, second.failure) };
		return completion.isConfirmedBy(second.body)
			? this.done(second.body, item)
			: { kind: 'failed', failure: incomplete(completion, incomprehensible(true)) };
	}

	/** Sends one request, unless an earlier try has done so. */
	private async exchange(
		gateway: Gateway,
		item: Item,
		request: GatewayRequest,
		credits: Credits,
		written?: Written,
	): Promise<{ body: unknown } | { failure: Failure }> {
		const before = written?.begin(item.index, request);
		if (before) {
			// Before "Retry" somebody may have topped up; before a further try nobody has.
			const isOfThis = 'body' in before && before.execution === this.context.getExecutionId();
			if (isOfThis) credits.note(creditsIn(before.body));
			return before;
		}
		const outcome = await gateway.send(request, item.options.number('timeout'));
		if (!outcome.ok) {
			written?.failed(item.index, request, outcome.failure);
			return outcome;
		}
		const { body } = outcome.answer;
		credits.note(creditsIn(body));
		written?.done(item.index, request, body);
		return { body };
	}

	private done(body: unknown, item: Item): Result {
		const warning = this.operation.warning?.(body);
		if (warning) {
			const items = this.warnings.get(warning) ?? [];
			items.push(item.index);
			this.warnings.set(warning, items);
		}
		const records = outputRecords(this.operation, body, item);
		const balance = creditsIn(body);
		if (balance !== undefined && item.options.flag('includeCredits')) {
			for (const record of records) record[CREDITS_FIELD] = balance;
		}
		return { kind: 'done', records };
	}

	/** A failed write names its record; the operation may know more about the reason. */
	private explained(failure: Failure, item: Item): Failure {
		const { kind, label, explain } = this.operation;
		const named = kind === 'write' && label ? `${label(item)}: ` : '';
		const more = failure.status === undefined ? undefined : explain?.(failure.status, item);
		return { ...failure, description: named + failure.description + (more ? ` ${more}` : '') };
	}

	private output(result: Result, i: number): INodeExecutionData[] {
		const pairedItem = { item: i };
		if (result.kind === 'done') return result.records.map((json) => ({ json, pairedItem }));
		// n8n's error output wants these keys and no others; it then adds the input's fields. The files go along, so
		// that a receipt that was refused can be dealt with.
		const { binary } = this.context.getInputData()[i];
		return [{ json: this.errorJson(result), binary, pairedItem }];
	}

	/** What the error output gets for an item. */
	private errorJson(result: Exclude<Result, { kind: 'done' }>): IDataObject {
		switch (result.kind) {
			case 'invalid':
				return {
					error: `Not sent: ${result.problems.map((problem) => this.sentence(problem)).join('; ')}`,
					details: { outcome: 'invalid', problems: result.problems as unknown as IDataObject[] },
				};
			case 'skipped':
				return { error: `Not sent: ${result.reason}`, details: { outcome: 'notSent' } };
			case 'failed': {
				const { message, description, fate, status, created } = result.failure;
				return {
					error: description ? `${message}. ${description}` : message,
					details: {
						outcome: fate,
						...(status === undefined ? {} : { httpCode: status }),
						...(created && { created }),
					},
				};
			}
		}
	}

	private sentence({ field, value, rule }: Problem): string {
		return `${fieldTitle(this.operation, field)}${value === '' ? '' : ` "${value}"`} ${rule}`;
	}

	private warningTexts(): string[] {
		return [...this.warnings].map(([warning, items]) => `${upperFirst(listed(items))}: ${warning}`);
	}

	private tell(credits: Credits): void {
		for (const text of this.warningTexts()) this.hint(text, 'warning');
		if (credits.unchecked && this.indices('done').length > 0) this.hint(credits.unchecked, 'warning');
		if (credits.hint) this.hint(credits.hint, 'info');
		if (credits.exhausted) {
			const skipped = this.indices('skipped');
			const rest = skipped.length > 0 ? `; not sent: ${listed(skipped)}` : '';
			this.hint(credits.exhaustion + rest, 'warning');
		}
		const empty = this.results.flatMap((r, i) => (r.kind === 'done' && r.records.length === 0 ? [i] : []));
		if (empty.length > 0) this.hint(`The gateway has no records for ${listed(empty)}`, 'info');
		this.context.addExecutionHints?.(...this.hints);
	}

	private hint(message: string, type: NodeExecutionHint['type']): void {
		this.hints.push({ message, type, location: 'outputPane' });
	}

	private invalidError(invalid: number[]): NodeError {
		const all = this.results.flatMap((result, i) =>
			result.kind === 'invalid'
				? result.problems.map((problem) => `Item ${i}: ${this.sentence(problem)}`)
				: [],
		);
		const first = (this.results[invalid[0]] as { problems: Problem[] }).problems[0];
		const more = all.length > 1 ? ` (and ${all.length - 1} more, see below)` : '';
		const lines = [
			`Items that break a rule: ${invalid.length} of ${this.results.length}. Correct the data, then run the node again.`,
			...all,
		];
		const error = new NodeOperationError(
			this.context.getNode(),
			`Nothing was sent: ${this.sentence(first)}${more}`,
			// n8n shows descriptions as HTML.
			{ itemIndex: invalid[0], description: lines.map(escape).join('<br>') },
		);
		return this.withDetails(error, lines.join(' '));
	}

	/** The error of a run that ended early: what ended it, and what became of the other items. */
	private endError(ended: number): NodeError {
		const failed = this.indices('failed')[0] ?? ended;
		const result = this.results[failed] as Exclude<Result, { kind: 'done' | 'invalid' }>;
		const failure: Failure = result.kind === 'failed' ? result.failure : notSent(result.reason);
		const tells = this.operation.kind === 'write' || result.kind === 'skipped';
		const warnings = this.warningTexts().map((text) => `${text}.`);
		const description = [failure.description, ...(tells ? this.account() : []), ...warnings]
			.filter(Boolean)
			.join(' ');
		const message = this.cancelled ? CANCELED : failure.message;
		const error = nodeError(this.context.getNode(), { ...failure, message, description }, failed);
		return this.withDetails(error, description);
	}

	/** Of a failed tool, n8n's AI agent hears the message only. */
	private withDetails(error: NodeError, details: string): NodeError {
		if (isTool(this.context) && details) error.message += `. ${details}`;
		return error;
	}

	/** Every item of a run that wrote, or sent nothing more: carried out, refused, unknown, or not sent. */
	private account(): string[] {
		if (this.results.length === 1) return [];
		const fated = (fate: Failure['fate']) =>
			this.results.flatMap((r, i) => (r.kind === 'failed' && r.failure.fate === fate ? [i] : []));
		return [
			['Carried out', this.indices('done')],
			['Refused', [...this.indices('invalid'), ...fated('refused')]],
			['Incomplete', fated('incomplete')],
			['Unknown', fated('unknown')],
			['Not sent', [...fated('notSent'), ...this.indices('skipped')]],
		].flatMap(([label, items]) =>
			items.length > 0 ? [`${label as string}: ${listed(items as number[])}.`] : [],
		);
	}
}

const notSent = (message: string): Failure => ({
	fate: 'notSent',
	message,
	description: '',
	transient: false,
});

/** The failure of a second request: what the first one did must not get lost. */
const incomplete = ({ created, message, advice }: Completion, failure: Failure): Failure => ({
	...failure,
	fate: 'incomplete',
	message: `${message}: ${failure.message}`,
	description: [advice, failure.description].filter(Boolean).join(' '),
	created,
});

/** Item numbers in few words: "items 0–3, 7". */
function listed(items: number[]): string {
	const ranges: Array<[from: number, to: number]> = [];
	for (const i of [...items].sort((a, b) => a - b)) {
		const last = ranges.at(-1);
		if (last && last[1] === i - 1) last[1] = i;
		else ranges.push([i, i]);
	}
	const text = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
	return `${items.length === 1 ? 'item' : 'items'} ${text}`;
}
