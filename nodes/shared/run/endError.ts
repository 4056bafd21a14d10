import type { IExecuteFunctions, NodeError } from 'n8n-workflow';
import { compact, map, maxBy } from 'lodash';

import { isCertainlyNotDone, toNodeError, unsent } from '../errors/failure';
import type { Failure } from '../errors/failure';
import type { Operation } from '../operation';
import { rowsIn, warningTexts } from './hints';
import { forTool, itemSuffix, namesOf, sentence } from './invalidError';
import { itemRanges, resultRanges } from './itemRanges';
import type { Result } from './task';
import { CANCELED } from './session';

/**
 * The error of a run that ended early, with the reason and the results of all items. `undefined` if the run didn't end
 * early.
 */
export function endError(
	context: IExecuteFunctions,
	operation: Operation,
	results: Result[],
	isCanceled: boolean,
): NodeError | undefined {
	const ended =
		results.find(({ outcome }) => outcome.kind === 'failed') ??
		// Some mistakes show only in the gateway's answer, for example a day outside all fiscal years.
		results.find(({ outcome }) => operation.kind === 'read' && outcome.kind === 'invalid') ??
		results.find(({ outcome }) => outcome.kind === 'notSent');
	if (!ended) return undefined;
	const failure = failureOf(ended);
	const tellsAll = operation.kind !== 'read' || ended.outcome.kind === 'notSent';
	const description = compact([
		failure.description,
		...(tellsAll ? outcomeSummary(results, operation) : []),
		...(isCanceled ? [] : wayOn(operation, results, ended, failure)),
		...warningTexts(results).map((text) => `${text}.`),
	]).join(' ');
	const message = isCanceled
		? CANCELED
		: failure.message + itemSuffix(context, ended.items, namesOf([ended]));
	const error = toNodeError(context.getNode(), { ...failure, message, description });
	return forTool(context, error, description);
}

function failureOf({ outcome }: Result): Failure {
	if (outcome.kind === 'failed') return outcome.failure;
	if (outcome.kind === 'notSent') return unsent(outcome.reason);
	const issues = outcome.kind === 'invalid' ? outcome.issues : [];
	return unsent(issues.map(sentence).join('; '), 'Correct the data, then run the node again.');
}

type Is = (result: Result) => boolean;

const isDryRun: Is = ({ outcome }) => rowsIn(outcome)?.dryRun === true;
const isCarriedOut: Is = (result) => rowsIn(result.outcome) !== undefined && !isDryRun(result);
const hasFailed =
	(...which: Array<Failure['outcome']>): Is =>
	({ outcome }) =>
		outcome.kind === 'failed' && which.includes(outcome.failure.outcome);
const mayBeCarriedOut: Is = ({ outcome }) =>
	outcome.kind === 'failed' && !isCertainlyNotDone(outcome.failure);
const is =
	(...kinds: Array<Result['outcome']['kind']>): Is =>
	({ outcome }) =>
		kinds.includes(outcome.kind);

/** Tells how to continue after a run that has written some of its records, without writing these twice. */
function wayOn(
	operation: Operation,
	results: Result[],
	ended: Result,
	{ outcome, exists }: Failure,
): string[] {
	if (operation.kind !== 'write' || !results.some(isCarriedOut)) return [];
	const rest = 'With "On Error: Continue (using error output)", the other items are sent even if one fails.';
	// The failure's own text says what to do about a record that already exists.
	if (exists) return [rest];
	const which = itemRanges(ended.items) + (ended.label ? ` (${ended.label})` : '');
	const isOpen = outcome === 'unknown' || outcome === 'incomplete';
	const first = outcome === 'refused' ? `correct ${which}` : isOpen ? `look up ${which}` : 'remove the cause';
	const written = results.filter((result) => isCarriedOut(result) || mayBeCarriedOut(result));
	const isRecognized = written.every(({ rerun }) => rerun !== undefined);
	// The records may have different conditions for another run; the longest one is the strictest.
	const rerun = maxBy(map(written, 'rerun'), 'length');
	const again = isRecognized
		? `, nor does a new run with ${rerun}`
		: '; a new run would send again what was carried out';
	return [`To continue: ${first}; "Retry" sends nothing twice${again}.`, rest];
}

/** Summarizes the run: one text per outcome, with its items. */
function outcomeSummary(results: Result[], { kind }: Operation): string[] {
	if (results.length === 1) return [];
	const ofLocal: Array<[title: string, is: Is]> = [
		['Done', isCarriedOut],
		['Not done', is('invalid', 'failed', 'notSent')],
	];
	const ofSent: Array<[title: string, is: Is]> = [
		['Carried out', isCarriedOut],
		['Dry run, nothing sent', isDryRun],
		['Refused', (result) => is('invalid')(result) || hasFailed('refused')(result)],
		['Incomplete', hasFailed('incomplete')],
		['Unknown', hasFailed('unknown')],
		['Not sent', (result) => is('notSent')(result) || hasFailed('notSent')(result)],
	];
	return (kind === 'local' ? ofLocal : ofSent).flatMap(([title, isOne]) => {
		const selected = results.filter(isOne);
		return selected.length > 0 ? [`${title}: ${resultRanges(selected, results)}.`] : [];
	});
}
