import type { IExecuteFunctions } from 'n8n-workflow';
import { compact, groupBy, map, maxBy, uniq, uniqBy, upperFirst } from 'lodash';

import { OUTCOMES, wordsOf } from '../outcomes';
import { Explained, failureText, unsent } from '../../errors';
import type { Failure } from '../../errors';
import type { OutcomeName } from '../outcomes';
import { AGAIN } from '../../operation';
import type { Again, Operation } from '../../operation';
import { bilingual, both, sentences } from '../../values';
import type { Bilingual } from '../../values';
import { asOne, warningTexts } from './hints';
import { CORRECT_DATA, sentence } from './invalidError';
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
): Explained | undefined {
	const ended =
		results.find(({ outcome }) => outcome.kind === 'failed') ??
		// Some mistakes show only in the gateway's answer, for example a day outside all fiscal years.
		results.find(({ outcome }) => operation.kind === 'read' && outcome.kind === 'invalid') ??
		results.find(({ outcome }) => outcome.kind === 'notSent');
	if (!ended) return undefined;
	const failure = failureOf(ended);
	const { message, description, status } = failureText(failure);
	const tellsAll = operation.kind !== 'read' || ended.outcome.kind === 'notSent';
	return new Explained({
		message: isCanceled
			? CANCELED
			: asOne(
					[message, unknownSuffix(operation, failure), itemSuffix(context, ended.items, namesOf([ended]))],
					'',
				),
		description: sentences(
			description,
			...(tellsAll ? outcomeSummary(results, operation) : []),
			...(isCanceled ? [] : wayOn(context, operation, results, ended, failure)),
			...warningTexts(results).map((text) => bilingual((language) => text[language].replace(/\.?$/, '.'))),
		),
		status,
	});
}

const NO_ENDING = both('', '');

/** What a headline says about an unknown outcome, unless its own words do: n8n's editor first shows the headline alone. */
function unknownSuffix(operation: Operation, { outcome, message }: Failure): Bilingual {
	if (operation.kind !== 'write' || outcome !== 'unknown' || message.en.includes('unknown')) return NO_ENDING;
	const { one, done } = operation.achieves;
	return both(`: unknown whether the ${one.en} was ${done.en}`, `: unklar, ob ${done.de}`);
}

function failureOf({ outcome }: Result): Failure {
	if (outcome.kind === 'failed') return outcome.failure;
	if (outcome.kind === 'notSent') return unsent(outcome.reason);
	const issues = outcome.kind === 'invalid' ? outcome.issues : [];
	return unsent(
		bilingual((language) => issues.map((issue) => sentence(issue, language)).join('; ')),
		CORRECT_DATA,
	);
}

const likelihoodOfAgain = ({ again = 'always' }: Pick<Result, 'again'>) => AGAIN.indexOf(again);

const GO_ON = both(
	'With "On Error: Continue (using error output)", the other items are sent even if one fails.',
	'Mit „On Error: Continue (using error output)“ werden die anderen Items auch dann gesendet, wenn eines misslingt.',
);
const CALLER = both(
	'For it, "Retry" of the workflow that called it is a new run.',
	'Für ihn ist „Retry“ des Workflows, der ihn aufgerufen hat, ein neuer Lauf.',
);

/** Tells how to continue after a run that has written some of its records, or may have, without writing these twice. */
function wayOn(
	context: IExecuteFunctions,
	operation: Operation,
	results: Result[],
	ended: Result,
	failure: Failure,
): Bilingual[] {
	if (operation.kind !== 'write' || isTool(context)) return [];
	const stays = failure.outcome === 'unknown' || failure.outcome === 'incomplete';
	if (!stays && !results.some((result) => became(result) === 'carriedOut')) return [];
	// What stopped the run without a failure, such as the minimum of credits, stops it there, too.
	const rest = ended.outcome.kind === 'notSent' || results.length === 1 ? [] : [GO_ON];
	// The failure's own text says what to do about a record that already exists.
	if (failure.exists) return rest;
	const isCalled = context.getMode() === 'integrated';
	const retry = isCalled
		? both(`"Retry" of this sub-workflow's own execution`, '„Retry“ der Ausführung dieses Unterworkflows')
		: both('"Retry"', '„Retry“');
	if (stays) return [...wayPast(results, ended, failure, retry), ...rest];
	const again =
		failure.partial && (ended.again ?? 'always') === 'always'
			? both('it again as a whole, and nothing else', 'den Vorgang noch einmal als Ganzes und sonst nichts')
			: both('nothing', 'nichts');
	// An earlier attempt may have sent its records in another way than the node would now.
	const newRun = context.getMode() === 'retry' ? NO_ENDING : ofNewRun(results);
	const first = firstStep(ended, failure);
	return compact([
		both(
			`To continue: ${first.en}; ${retry.en} sends ${again.en} twice${newRun.en}.`,
			`So geht es weiter: ${first.de}; ${retry.de} sendet ${again.de} doppelt${newRun.de}.`,
		),
		isCalled && CALLER,
		...rest,
	]);
}

/** The way on from a record that is there, or may be: a retry doesn't send it, and ends at it again. */
function wayPast(
	results: Result[],
	ended: Result,
	{ outcome, remembered }: Failure,
	retry: Bilingual,
): Bilingual[] {
	const open = results.filter((result) => became(result) === 'notSent');
	const which = resultRanges(open, results);
	const [those, them, wurde] = open.length === 1 ? ['was', 'it', 'wurde'] : ['were', 'them', 'wurden'];
	const left =
		open.length > 0
			? both(
					`${upperFirst(which.en)} ${those} not sent, and ${retry.en} won't send ${them}: it sends nothing and ends here again.`,
					`${which.de} ${wurde} nicht gesendet, und ${retry.de} sendet das auch nicht: Es sendet nichts und endet wieder hier.`,
				)
			: both(
					`${upperFirst(retry.en)} sends nothing and ends here again.`,
					`${retry.de} sendet nichts und endet wieder hier.`,
				);
	const { again, option, unless } = recognition(results);
	const isNumbered = ended.sent && !remembered;
	const isSent = outcome === 'unknown' && !remembered;
	const newRun =
		again === 'always'
			? both(
					'run the workflow anew with only what is missing: it would send again what is there',
					'führen Sie den Workflow nur mit dem neu aus, was fehlt: Was da ist, sendete er noch einmal',
				)
			: both(
					`run the workflow anew${option.en}: what is there is recognized${isNumbered ? ' by its number or ID' : ''}${isSent ? ', and what is missing is sent' : ' and not sent again'}${unless.en}`,
					`führen Sie den Workflow${option.de} neu aus: Was da ist, wird${isNumbered ? ' an seiner Nummer oder ID' : ''} erkannt${isSent ? ', und was fehlt, gesendet' : ' und nicht noch einmal gesendet'}${unless.de}`,
				);
	const name = named(ended);
	return [
		left,
		both(
			`To continue: look up ${name.en}; then ${newRun.en}.`,
			`So geht es weiter: Sehen Sie nach, ob ${name.de} da ist; dann ${newRun.de}.`,
		),
	];
}

const named = ({ items, label }: Result): Bilingual =>
	bilingual((language) => itemRanges(items, language) + (label ? ` (${label[language]})` : ''));

/** What a person does before anything is sent again. */
function firstStep(ended: Result, { outcome, partial, status = 0 }: Failure): Bilingual {
	const { en, de } = named(ended);
	if (partial) return both(`look up what of ${en} is there`, `Sehen Sie nach, was von ${de} da ist`);
	return outcome === 'refused' && [400, 404, 409, 422].includes(status)
		? both(`correct ${en}`, `Berichtigen Sie ${de}`)
		: both('remove the cause', 'Beheben Sie die Ursache');
}

/** Whether a new run recognizes what was sent, and by which option; of different records, the strictest condition counts. */
function recognition(results: Result[]): { again: Again; option: Bilingual; unless: Bilingual } {
	const written = results.filter(
		(result) => !['notSent', 'refused', 'invalid', 'dryRun'].includes(became(result)),
	);
	const again = maxBy(written, likelihoodOfAgain)?.again ?? 'always';
	const options = compact(uniq(map(written, 'recognizedBy')));
	return {
		again,
		option:
			options.length > 0
				? both(
						` with the option${options.length > 1 ? 's' : ''} "${options.join('" and "')}"`,
						` mit ${options.length > 1 ? 'den Optionen' : 'der Option'} „${options.join('“ und „')}“`,
					)
				: NO_ENDING,
		unless:
			again === 'ifDateMoves'
				? both(
						', unless its date depends on the moment ($now, $today)',
						', außer das Datum hängt vom Moment ab ($now, $today)',
					)
				: NO_ENDING,
	};
}

/** Whether a new run is as safe as a retry. */
function ofNewRun(results: Result[]): Bilingual {
	const { again, option, unless } = recognition(results);
	return again === 'always'
		? both(
				'; a new run would send again what was carried out',
				'; ein neuer Lauf sendete noch einmal, was schon ausgeführt ist',
			)
		: both(`, nor does a new run${option.en}${unless.en}`, `, ebenso ein neuer Lauf${option.de}${unless.de}`);
}

/** Summarizes the run: one text per outcome, with its items. */
function outcomeSummary(results: Result[], { kind }: Operation): Bilingual[] {
	if (results.length === 1) return [];
	const title = (name: OutcomeName) => wordsOf(name, kind).title;
	const titled = groupBy(results, (result) => title(became(result)).en);
	return uniqBy((Object.keys(OUTCOMES) as OutcomeName[]).map(title), 'en')
		.filter(({ en }) => titled[en])
		.map(({ en, de }) => {
			const which = resultRanges(titled[en], results);
			return both(`${en}: ${which.en}.`, `${de}: ${which.de}.`);
		});
}
