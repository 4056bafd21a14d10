import type { IDataObject } from 'n8n-workflow';

/** The one status of the accounting system's task that the specification shows; it stands for success. */
const SUCCESS = 'ERFOLGREICH';

/**
 * Tells when the accounting system's task (`acctAntwort`, where `acct` stands for the provider's name) ended otherwise
 * than in success: the entry is booked then, but something about it needs attention.
 */
export function taskWarning(body: unknown): string | undefined {
	const [, task] = Object.entries((body ?? {}) as IDataObject).find(([key]) => key.endsWith('Antwort')) ?? [];
	const { status, meldungen } = (task ?? {}) as {
		status?: unknown;
		meldungen?: Array<{ nachricht?: string }>;
	};
	if (status === undefined || status === null || status === SUCCESS) return undefined;
	const messages = Array.isArray(meldungen) ? meldungen.flatMap((meldung) => meldung?.nachricht ?? []) : [];
	return `the accounting system answered ${String(status as string)}${messages.length > 0 ? `: ${messages.join('; ')}` : ''}`;
}
