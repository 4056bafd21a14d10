import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { requireKnownVersion } from '../shared/run';
import { ProcessedRow } from '../shared/processedData';
import { languageOf } from '../shared/gateway';
import { both } from '../shared/values';
import { latestTransactions } from './poll';
import { idOf } from './transactions';

/**
 * Passes on what a poll has found. After n8n was killed, a poll finds again what was emitted last, because it isn't
 * known whether n8n had stored it; n8n's record tells which transactions have started the workflow. A test in the
 * editor, and a start from the command line, get the latest transactions.
 */
export async function emit(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	requireKnownVersion(context);
	const mode = context.getMode();
	const account = String(context.getNodeParameter('account_id', 0, ''));
	const found = context.getInputData().flatMap(({ json }, item) => {
		const id = idOf(json);
		return id ? [{ json, identity: JSON.stringify([account, id]), pairedItem: { item } }] : [];
	});
	if (mode === 'manual' || found.length === 0) return [await latestTransactions(context)];
	const marks = found.map(({ identity }) => identity);
	const processed = await new ProcessedRow(context, 'events').add(marks);
	const own = context.getContext('node') as { accepted?: boolean };
	// "Retry" is a person's decision, and "Retry On Fail" is the same execution.
	const isAgain = mode === 'retry' || own.accepted === true;
	own.accepted = true;
	const isKnown = new Set(isAgain ? [] : processed);
	if (isKnown.size > 0) {
		context.addExecutionHints?.({
			type: 'info',
			location: 'outputPane',
			message: known(isKnown.size, found.length)[await languageOf(context)],
		});
	}
	return [
		found
			.filter(({ identity }) => !isKnown.has(identity))
			.map(({ json, pairedItem }) => ({ json, pairedItem })),
	];
}

const known = (some: number, all: number) =>
	both(
		`${some} of ${all} transactions have started this workflow before, so they don't start it again.`,
		`${some} von ${all} Umsätzen haben diesen Workflow schon gestartet und starten ihn nicht noch einmal.`,
	);
