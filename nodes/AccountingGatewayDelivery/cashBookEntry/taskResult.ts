import { cut } from '../../shared/errors/cut';
import type { Rejection } from '../../shared/operation';
import { isObject } from '../../shared/values/json';

/** The only status of the accounting system's task that the contract shows: success. */
const SUCCESS = 'ERFOLGREICH';

/** Statuses and message types that mean failure; the contract leaves the complete set open. */
const FAILURE =
	/fehl|error|fail|abgelehnt|abgewiesen|ckgewiesen|abgebrochen|abbruch|storniert|ungueltig|ungültig|erfolglos|(?<!noch.?)nicht.?(erfolg|gebucht|verbucht|angenommen)|not.?(success|booked|accepted)|unsuccess|reject|denied|invalid|abort|cancell?ed/i;
/** What they look like when there is none. */
const NO_FAILURE = /fehlerfrei|error.?free|(ohne|keine?).?fehler|(no|without).?errors?/gi;

/** Limits for a hint; the output has everything. */
const MAX_MESSAGES = 10;
const MAX_CHARACTERS = 1_000;

interface TaskResult {
	status?: unknown;
	meldungen: Array<{ nachricht?: unknown; typ?: unknown }>;
}

/** The result of the accounting system's task: `acctAntwort`, where `acct` stands for the provider's name. */
function taskResultIn(answer: unknown): TaskResult | undefined {
	if (Array.isArray(answer)) return taskResultIn(answer[0]);
	if (!isObject(answer)) return undefined;
	const [, task] = Object.entries(answer).find(([key]) => key.endsWith('Antwort')) ?? [];
	if (!isObject(task)) return taskResultIn(answer.data);
	const { status, meldungen } = task;
	return {
		status,
		meldungen: (Array.isArray(meldungen) ? (meldungen as unknown[]) : []).filter(isObject),
	};
}

const namesFailure = (value: unknown) =>
	typeof value === 'string' && FAILURE.test(value.replace(NO_FAILURE, ''));

function describe({ status, meldungen }: TaskResult): string {
	const texts = meldungen.flatMap(({ nachricht }) => (typeof nachricht === 'string' ? nachricht : []));
	const shown = cut(texts.slice(0, MAX_MESSAGES).join('; '), MAX_CHARACTERS);
	const messages = texts.length > 0 ? `: ${shown}` : '';
	return `the accounting system answered ${String(status as string)}${messages}`;
}

/** Detects that the accounting system refused an entry that the gateway accepted. */
export function taskRejection(answer: unknown): Rejection | undefined {
	const task = taskResultIn(answer);
	const isRejected =
		task && (namesFailure(task.status) || task.meldungen.some(({ typ }) => namesFailure(typ)));
	return isRejected ? { rejection: describe(task) } : undefined;
}

/** Warns that the task didn't end in success: the entry may need attention. */
export function taskWarning(answer: unknown): string | undefined {
	const task = taskResultIn(answer);
	if (!task || task.status === undefined || task.status === null || task.status === SUCCESS) return undefined;
	return describe(task);
}
