/** Writes the records of a run, each once: the way of a record to the gateway, from top to bottom. */
import { groupBy, map, uniq } from 'lodash';

import {
	CHECK_FIRST,
	NOT_AGAIN,
	isCertainlyNotDone,
	sentences,
	unexpectedResponse,
	unsent,
} from '../../errors';
import type { Failure } from '../../errors';
import type { GatewayClient } from '../../gateway';
import { idsIn, rejectionIn, unconfirmed } from '../../answer';
import type { OnDay, RecordIdentity, WriteOperation } from '../../operation';
import { CashBalance } from '../check';
import { MemoryFull, NodeMemory } from './memory';
import type { Became, Journal, Known } from './memory';
import { MOST_REMEMBERED, OtherFormat } from '../../processedData';
import { isSentOnce, recordKey, rememberedContent, rememberedDay } from '../recordIdentity';
import { rowsFrom } from '../report';
import type { RunState } from '../runState';
import { failed, withLabel } from '../task';
import type { Bilingual } from '../../values';
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
	const memory = new NodeMemory(state.context, contents, mayForget, new Map(days));
	const balance = new CashBalance(operation, tasks);
	const writer = new Writer(state, client, journal, operation, memory, balance);
	try {
		const results = await state.workOn(tasks, async (task) => await writer.write(task), {
			atOnce: state.atMost('write'),
			keyOf: ({ identity, request }) =>
				isSentOnce(identity) ? recordKey(identity) : operation.orderingKey?.(request),
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

	/** The outcome of a record, with the rows that are put out for it. */
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
		const key = isSentOnce(task.identity) ? recordKey(task.identity) : undefined;
		const first = key === undefined ? undefined : this.outcomes.get(key);
		if (first?.kind === 'existed') return first;
		if (first?.kind === 'done') return { kind: 'existed', value: first.value };
		if (first?.kind === 'failed' && !isCertainlyNotDone(first.failure))
			return withLabel(sameAsOpen(first.failure), task.label?.en);
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
			if (error instanceof OtherFormat) return failed(OF_OTHER_FORMAT);
			return failed(error instanceof MemoryFull ? withoutRoom(error) : unremembered(error as Error));
		}
		if (known === 'written') return { kind: 'existed' };
		if (known === 'open') return OPEN;
		if (known === 'onOtherDay') return ON_OTHER_DAY;
		if (known === 'incomplete') return INCOMPLETE_BEFORE;
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
			return reason === undefined ? undefined : rejected(reason, task);
		} catch (error) {
			return unexpectedResponse(true, { error: error as Error, received: idsIn(body) });
		}
	}
}

/** Whether sending a record again makes no second one, because the gateway knows it by the ID from its content. */
const mayRepeat = (identity?: RecordIdentity) => identity?.kind === 'made';

/** The failure of a record that is the same as one before, which is there, or may be; of both, the node remembers the first. */
const sameAsOpen = ({ outcome, remembered }: Failure) =>
	outcome === 'unknown'
		? failed({
				outcome,
				message: 'It is the same record as one before, whose outcome is unknown',
				german: 'Es ist derselbe Vorgang wie einer davor, bei dem unklar ist, was daraus wurde.',
				description: sentences(CHECK_FIRST, remembered && NOT_AGAIN),
				remembered,
			})
		: failed({
				outcome: 'incomplete',
				message: 'It is the same record as one before, which is incomplete',
				german: 'Es ist derselbe Vorgang wie einer davor, der unvollständig ist.',
				description: 'It was not sent again: complete or correct that one.',
			});

/** The failure of a record that the gateway has, and the accounting system behind it has refused. */
function rejected(reason: Bilingual, { identity }: WriteTask): Failure {
	const again = identity ? '' : ', but a new run sends it again: keep it out';
	return {
		outcome: 'incomplete',
		message: `The gateway accepted it, but ${reason.en}`,
		german: `Das Gateway hat es angenommen, gebucht ist es nicht. ${reason.de}`,
		description: `Look it up in the accounting system and correct it there: if you sent it again, it would exist twice. A retry sends nothing${again}.`,
	};
}

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

/** The failure of a record that was refused in an earlier run, of which something may be there. */
const INCOMPLETE_BEFORE = failed({
	outcome: 'incomplete',
	message: 'An earlier run sent it, and it was refused, so it was not sent again',
	german:
		'Ein früherer Lauf hat es gesendet, und es wurde abgelehnt; darum wurde es nicht noch einmal gesendet.',
	description:
		'The gateway may have it, or some of its lines: look it up, and correct or complete it there. To have it booked anew, cancel what is there and change its booking text, or send it alone, with the option turned off by which the node remembers it.',
	remembered: true,
});

/** No record of a run is sent if the node couldn't remember all of them. */
const withoutRoom = ({ held, added }: MemoryFull): Failure => ({
	...unsent(
		`Nothing was sent, because this node's memory has no room for all that is new (${added}): it holds ${held} of at most ${MOST_REMEMBERED}`,
		'What it remembers is never dropped, so that nothing is booked twice. For what is new, such as a new year, use another node of this kind, and give it nothing that this one has booked; or send fewer items at once.',
	),
	german: `Es wurde nichts gesendet, weil das Gedächtnis dieses Nodes für alles Neue (${added}) keinen Platz hat: ${held} von höchstens ${MOST_REMEMBERED} Plätzen sind belegt. Nehmen Sie für Neues, etwa ein neues Jahr, einen weiteren Node.`,
});

/** No record is sent if the node can't read what it remembers: it would send everything once more. */
const OF_OTHER_FORMAT: Failure = {
	...unsent(
		'Nothing was sent, because what this node remembers was written by another version of the package',
		'This version can’t tell what was sent before, so it sends nothing rather than everything once more. Put a new node in its place (add one, don’t copy its ID) and give it only what was not sent yet; or install the former version again.',
	),
	german:
		'Es wurde nichts gesendet: Was dieser Node sich gemerkt hat, stammt von einer anderen Version des Pakets und ist für diese nicht lesbar. Setzen Sie einen neuen Node an seine Stelle und geben Sie ihm nur, was noch nicht gesendet wurde, oder installieren Sie die frühere Version wieder.',
};

/**
 * The failure of a record whose outcome is unknown, because an earlier run was stopped or its answer was lost. Reported
 * once, so that someone looks the record up.
 */
const OPEN = failed({
	outcome: 'unknown',
	message:
		'Whether it was carried out is unknown: an earlier run ended before the outcome was known, or another run is sending it now',
	german:
		'Es ist unklar, ob es ausgeführt wurde: Ein früherer Lauf endete, bevor das feststand, oder ein anderer sendet es gerade.',
	description:
		'Make sure that no other run of this workflow is still active, then look it up in the accounting system. If it is missing, enter it there: from now on, this node treats it as done, unless another run stopped before sending it.',
	remembered: true,
});

/** The failure of a record that an earlier run sent, on another day than it would be sent now; reported once. */
const ON_OTHER_DAY = failed({
	outcome: 'unknown',
	message:
		'It may be there already, on the day before or after: an earlier run sent the same of the same moment, when the workflow had another time zone',
	german:
		'Es ist vielleicht schon da, einen Tag früher oder später: Ein früherer Lauf hat dasselbe mit demselben Zeitpunkt gesendet, als der Workflow eine andere Zeitzone hatte.',
	description:
		'Look it up in the accounting system, and correct its day there. If it is missing, enter it there: from now on, this node treats it as done.',
	remembered: true,
});

const unremembered = ({ message }: Error): Failure => ({
	...unsent(
		`Not sent, because n8n couldn't look up what this node has already sent: ${message}`,
		"If the workflow is new, save it. Otherwise, n8n's database has a problem: see n8n's log.",
	),
	german: 'n8n konnte nicht nachsehen, was dieser Node schon gesendet hat; darum wurde nichts gesendet.',
});
