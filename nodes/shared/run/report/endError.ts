import type { IExecuteFunctions, NodeError } from 'n8n-workflow';
import { compact, groupBy, map, maxBy, uniq } from 'lodash';

import { OUTCOMES, titleOf, toNodeError, unsent } from '../../errors';
import type { Failure, OutcomeName } from '../../errors';
import { AGAIN } from '../../operation';
import type { Operation } from '../../operation';
import { warningTexts } from './hints';
import { sentence } from './invalidError';
import { itemRanges, itemSuffix, namesOf, resultRanges } from '../itemNames';
import { isTool } from '../n8n';
import { CANCELED } from '../runState';
import { became } from '../task';
import type { Result } from '../task';

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
		...(isCanceled ? [] : wayOn(context, operation, results, ended, failure)),
		...warningTexts(results).map((text) => `${text}.`),
	]).join(' ');
	const message = isCanceled
		? CANCELED
		: failure.message +
			unknownSuffix(operation, failure) +
			itemSuffix(context, ended.items, namesOf([ended]));
	const { status } = failure;
	return toNodeError(context.getNode(), { message, description, status }, isTool(context));
}

/** What a headline says about an unknown outcome, unless its own words do: n8n's editor first shows the headline alone. */
function unknownSuffix(operation: Operation, { outcome, message }: Failure): string {
	if (operation.kind !== 'write' || outcome !== 'unknown' || message.includes('unknown')) return '';
	const { one, done } = operation.achieves;
	return `: unknown whether the ${one} was ${done}`;
}

function failureOf({ outcome }: Result): Failure {
	if (outcome.kind === 'failed') return outcome.failure;
	if (outcome.kind === 'notSent') return unsent(outcome.reason);
	const issues = outcome.kind === 'invalid' ? outcome.issues : [];
	return unsent(
		issues.map((issue) => sentence(issue)).join('; '),
		'Correct the data, then run the node again.',
	);
}

const likelihoodOfAgain = ({ again = 'always' }: Pick<Result, 'again'>) => AGAIN.indexOf(again);

/** Tells how to continue after a run that has written some of its records, without writing these twice. */
function wayOn(
	context: IExecuteFunctions,
	operation: Operation,
	results: Result[],
	ended: Result,
	failure: Failure,
): string[] {
	if (operation.kind !== 'write' || !results.some((result) => became(result) === 'carriedOut')) return [];
	// What stopped the run without a failure, such as the minimum of credits, stops it there, too.
	const rest =
		ended.outcome.kind === 'notSent'
			? []
			: ['With "On Error: Continue (using error output)", the other items are sent even if one fails.'];
	// The failure's own text says what to do about a record that already exists.
	if (failure.exists) return rest;
	const isCalled = context.getMode() === 'integrated';
	const retry = isCalled ? `"Retry" of this sub-workflow's own execution` : '"Retry"';
	const again =
		failure.partial && (ended.again ?? 'always') === 'always'
			? 'it again as a whole, and nothing else'
			: 'nothing';
	// An earlier attempt may have sent its records in another way than the node would now.
	const newRun = context.getMode() === 'retry' ? '' : ofNewRun(results);
	return compact([
		`To continue: ${firstStep(ended, failure)}; ${retry} sends ${again} twice${newRun}.`,
		isCalled && 'For it, "Retry" of the workflow that called it is a new run.',
		...rest,
	]);
}

/** What a person does before anything is sent again. */
function firstStep({ items, label }: Result, { outcome, partial, status = 0 }: Failure): string {
	const which = itemRanges(items) + (label ? ` (${label})` : '');
	if (partial) return `look up what of ${which} is there`;
	if (outcome === 'refused' && [400, 404, 409, 422].includes(status)) return `correct ${which}`;
	return outcome === 'unknown' || outcome === 'incomplete' ? `look up ${which}` : 'remove the cause';
}

/** Whether a new run is as safe as a retry; the records may have different conditions, of which the strictest one counts. */
function ofNewRun(results: Result[]): string {
	const written = results.filter(
		(result) => !['notSent', 'refused', 'invalid', 'dryRun'].includes(became(result)),
	);
	const again = maxBy(written, likelihoodOfAgain)?.again ?? 'always';
	if (again === 'always') return '; a new run would send again what was carried out';
	const options = compact(uniq(map(written, 'recognizedBy')));
	const withOptions =
		options.length > 0 ? ` with the option${options.length > 1 ? 's' : ''} "${options.join('" and "')}"` : '';
	const unless = again === 'ifDateMoves' ? ', unless its date depends on the moment ($now, $today)' : '';
	return `, nor does a new run${withOptions}${unless}`;
}

/** Summarizes the run: one text per outcome, with its items. */
function outcomeSummary(results: Result[], { kind }: Operation): string[] {
	if (results.length === 1) return [];
	const title = (name: OutcomeName) => titleOf(name, kind === 'local');
	const titled = groupBy(results, (result) => title(became(result)));
	return uniq((Object.keys(OUTCOMES) as OutcomeName[]).map(title))
		.filter((title) => titled[title])
		.map((title) => `${title}: ${resultRanges(titled[title], results)}.`);
}
