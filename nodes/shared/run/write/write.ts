/** Writes the records of a run, each once: the way of a record to the gateway, from top to bottom. */
import { groupBy, map, uniq } from 'lodash';

import { sentences } from '../../values';
import { NOT_AGAIN, isCertainlyNotDone } from '../outcomes';
import { unexpectedResponse } from '../../gateway';
import type { Failure } from '../../errors';
import type { GatewayClient } from '../../gateway';
import { idsIn, rejectionIn, unconfirmed } from '../../answer';
import type { OnDay, RecordIdentity, WriteOperation } from '../../operation';
import { CashBalance } from '../check/balance';
import { MemoryFull, NodeMemory } from './memory/nodeMemory';
import type { Became, Known } from './memory/nodeMemory';
import type { Journal } from './memory/journal';
import { OtherFormat } from '../../processedData';
import { NO_MEMORY, FROM_MEMORY, SAME_RECORD, rejected } from './notWritten';
import { isSentOnce, identityKey, rememberedContent, rememberedDay } from '../recordIdentity';
import { rowsFrom } from '../report/rows';
import type { RunState } from '../runState';
import { failed, withLabel } from '../task';
import type { Outcome, Result, Rows, Write, WriteTask } from '../task';

/** Writes several records at once, but records with the same ordering key one after another, in input order. */
export async function writeAll(
	state: RunState,
	client: GatewayClient,
	journal: Journal,
	operation: WriteOperation,
	tasks: readonly WriteTask[],
): Promise<Result[]> {
	const sequences = groupBy(tasks, ({ request }) => operation.orderingKey?.(request));
	const contents = map(sequences, (some) =>
		uniq(some.flatMap(({ identity }) => rememberedContent(identity) ?? [])),
	);
	const mayForget = tasks.every(
		({ identity }) => rememberedContent(identity) === undefined || mayRepeat(identity),
	);
	const days = tasks.flatMap(({ identity }): Array<[content: string, day: OnDay]> => {
		const [content, day] = [rememberedContent(identity), rememberedDay(identity)];
		return content === undefined || day === undefined ? [] : [[content, day]];
	});
	const memory = new NodeMemory(state.context, state.language, contents, mayForget, new Map(days));
	const balance = new CashBalance(operation, tasks);
	const writer = new Writer(state, client, journal, operation, memory, balance);
	try {
		const results = await state.workOn(tasks, async (task) => await writer.write(task), {
			atOnce: state.atMost('write'),
			keyOf: ({ identity, request }) =>
				isSentOnce(identity) ? identityKey(identity) : operation.orderingKey?.(request),
		});
		return balance.withBalances(results);
	} finally {
		await memory.close();
	}
}

/**
 * What a record goes through, a method for each question, from the outside in: is it the same as one before in this run? Has an earlier attempt of the execution sent it? Has an earlier run of the node written it? Does
 * the balance cover it? What did the gateway answer? Is the answer about the record?
 */
class Writer {
	/** What became of the records that may occur several times in the run. */
	private readonly outcomes = new Map<string, Outcome>();

	constructor(
		private readonly state: RunState,
		private readonly client: GatewayClient,
		private readonly journal: Journal,
		private readonly operation: WriteOperation,
		private readonly memory: NodeMemory,
		private readonly balance: CashBalance,
	) {}

	async write(task: WriteTask): Promise<Outcome<Rows>> {
		const outcome = await this.oncePerRun(task);
		// Balance and tally follow the rows: an answer of which no row can be made is of unknown outcome.
		const rows = await rowsFrom(this.operation, task, outcome);
		this.state.tally.wrote(task, outcome);
		this.balance.count(task, rows);
		return rows;
	}

	/** Sends a record that may occur several times in the run only once, unless it was certainly not carried out. */
	private async oncePerRun(task: WriteTask): Promise<Outcome> {
		const key = isSentOnce(task.identity) ? identityKey(task.identity) : undefined;
		const first = key === undefined ? undefined : this.outcomes.get(key);
		if (first?.kind === 'existed') return first;
		if (first?.kind === 'done') return { kind: 'existed', value: first.value };
		if (first?.kind === 'failed' && !isCertainlyNotDone(first.failure))
			return withLabel(sameAsOpen(first.failure), task.label);
		const { request } = task;
		const outcome = await this.onceInExecution({ task, request, stop: this.state.stopReason });
		if (key !== undefined) this.outcomes.set(key, outcome);
		return outcome;
	}

	/** Sends nothing that an earlier attempt of the execution has sent, or may have sent, and nothing once the run has ended. */
	private async onceInExecution(write: Write): Promise<Outcome> {
		// From here to `begin`, nothing may be awaited, because the same tool call may arrive at the same time.
		const earlier = this.journal.recall(write);
		if (earlier) return await earlier;
		if (write.stop !== undefined) return { kind: 'notSent', reason: write.stop };
		this.journal.begin(write);
		return await this.journal.end(write, this.unlessWritten(write));
	}

	/** Skips a record that the node remembers, by its content, from an earlier run. */
	private async unlessWritten(write: Write): Promise<Outcome> {
		const { identity } = write.task;
		const content = rememberedContent(identity);
		if (content === undefined) return await this.send(write);
		let known: Known;
		try {
			known = await this.memory.begin(content, mayRepeat(identity));
		} catch (error) {
			if (error instanceof OtherFormat) return failed(NO_MEMORY.ofOtherFormat);
			return failed(error instanceof MemoryFull ? NO_MEMORY.full(error) : NO_MEMORY.silent(error as Error));
		}
		if (known === 'written') return { kind: 'existed' };
		if (known !== 'new') return FROM_MEMORY[known];
		// It stays open if a defect in the node hides the outcome.
		let became: Became = 'open';
		try {
			const outcome = await this.send(write);
			became = becameOf(outcome);
			return outcome.kind === 'failed' && became === 'open' && !mayRepeat(identity)
				? nowRemembered(outcome.failure)
				: outcome;
		} finally {
			this.memory.end(content, became);
		}
	}

	/** Sends a request that the balance covers. A record that the gateway has already is done, where the operation says so. */
	private async send(write: Write): Promise<Outcome> {
		const { state, client, balance } = this;
		const { task, request } = write;
		const uncovered = balance.uncovered(task);
		if (uncovered) return failed(uncovered);
		const answer = await client.send(request, state.options.timeout);
		if (!answer.ok) {
			const { failure } = answer;
			return failure.exists && task.identity?.outputIfExisted
				? { kind: 'existed', said: failure.said }
				: failed(failure);
		}
		state.credits.update(answer.body);
		const failure = this.problemWith(write, answer.body);
		const { body, isAccepted } = answer;
		return failure ? failed(failure) : { kind: 'done', value: body, ...(isAccepted && { isAccepted }) };
	}

	/** Why an answer doesn't show that the record was written; one may also say that the accounting system has refused it. */
	private problemWith({ task, request }: Write, body: unknown): Failure | undefined {
		const { expects, mustAgree } = this.operation;
		const failure = unconfirmed(body, request, expects, mustAgree?.(task.request));
		if (failure) return failure;
		try {
			const reason = rejectionIn(body);
			return reason === undefined ? undefined : rejected(reason, task.identity === undefined);
		} catch (error) {
			return unexpectedResponse(true, { error: error as Error, received: idsIn(body) });
		}
	}
}

/** Whether sending a record again makes no second one, because the gateway knows it by the ID from its content. */
const mayRepeat = (identity?: RecordIdentity) => identity?.kind === 'made';

/** The failure of a record that is the same as one before, which is there, or may be; of both, the node remembers the first. */
const sameAsOpen = ({ outcome, remembered }: Failure) =>
	outcome === 'unknown' ? SAME_RECORD.unknown(remembered) : SAME_RECORD.incomplete;

/** The failure of a record that the next run reports once more, and then counts as written. */
const nowRemembered = (failure: Failure) =>
	failed({ ...failure, remembered: true, description: sentences(failure.description, NOT_AGAIN) });

/** What to remember about an outcome. What the accounting system refused is there, and so may be a part of an entry. */
function becameOf(outcome: Outcome): Became {
	if (outcome.kind === 'done' || outcome.kind === 'existed') return 'written';
	if (outcome.kind !== 'failed') return 'open';
	const { failure } = outcome;
	if (isCertainlyNotDone(failure)) return 'new';
	return failure.outcome === 'incomplete' || failure.partial ? 'incomplete' : 'open';
}
