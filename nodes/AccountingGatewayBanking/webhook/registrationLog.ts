/** What n8n's log says about the registration of webhook URLs. docs/administration.md lists it. */
import { LoggerProxy } from 'n8n-workflow';
import { upperFirst } from 'lodash';

import type { Failure } from '../../shared/errors/failure';
import type { SendResult } from '../../shared/gateway/request';
import type { Entry, Stale, Trigger } from './entry';

const PUBLISH_AGAIN = 'If a published workflow needs the events, publish it again.';

/** Why a URL is left alone. */
export const UNKNOWN =
	"n8n hasn't registered it since it was started, or has registered another one since. If n8n was stopped during a test, the gateway may still have the test URL: publish the workflow that needs the events again";
export const TAKEN_OVER = 'another one may have been registered since';
export const IN_TEST = 'it is replaced by a test, after which it will be cleared';
export const UNFINISHED = 'its last activation failed or is still running';

/** Describes an entry within a sentence. */
function describe({ state, trigger }: Entry): string {
	if (state === 'testing') return `the test URL of ${trigger?.name}`;
	return trigger ? `the URL of ${trigger.name}` : 'the URL set by "Webhook: Set URL"';
}

/** @returns `''` if there are none but cleared ones */
const describeAll = (entries: Entry[]) =>
	entries
		.filter(({ state }) => state !== 'cleared')
		.map(describe)
		.join(', ');

/** Names what no longer gets events. @param own the trigger that gets them now: its former URL is no loss */
function replacing(replaced: Entry[], own?: Trigger): string {
	const lost = replaced.filter(
		({ state, trigger }) => state !== 'uncertain' && (!own || trigger?.workflowId !== own.workflowId),
	);
	const urls = describeAll(lost);
	return urls && ` It replaces ${urls}, which no longer gets any events.`;
}

export function logRegistered(trigger: Trigger, replaced: Entry[]): void {
	trigger.logger.info(
		`The webhook URL of ${trigger.name} was registered with the gateway.${replacing(replaced, trigger)}`,
	);
}

export function logSetByHand(replaced: Entry[]): void {
	LoggerProxy.info(
		`The gateway's webhook URL was set by the operation "Webhook: Set URL".${replacing(replaced)}`,
	);
}

/** @param isSoleUrl whether n8n doesn't know what to restore after the test */
export function logTestStarted({ name, logger }: Trigger, isSoleUrl: boolean): void {
	logger.info(
		`The test URL of ${name} was registered with the gateway. Published workflows get no events until the test ends.`,
	);
	if (!isSoleUrl) return;
	logger.warn(
		`Since it was started, n8n has registered no other webhook URL with the API key of ${name}, so it has none to restore after the test. ${PUBLISH_AGAIN}`,
	);
}

/** Nothing is to be restored. */
export function logTestEnded({ name, logger }: Trigger): void {
	logger.info(
		`The test of ${name} has ended. The gateway's webhook URL was left in place: another one has been registered since.`,
	);
}

/** What has happened, as a clause. */
const happened = ({ state, trigger: { name } }: Stale) =>
	state === 'testing' ? `the test of ${name} has ended` : `the activation of ${name} got no answer`;

/** @param known what the account had before, if that is known */
export function logRestored(stale: Stale, restored: Entry[], known?: Entry): void {
	const urls = describeAll(restored);
	const message = `${upperFirst(happened(stale))}, and the gateway's webhook URL was ${urls ? `restored (${urls})` : 'cleared'}.`;
	const { logger } = stale.trigger;
	if (known) return logger.info(message);
	logger.warn(
		`${message} Since it was started, n8n has registered no other one with this API key. ${PUBLISH_AGAIN}`,
	);
}

/** @param seconds until it is tried again; `undefined`: it isn't */
export function logNotRestored(stale: Stale, wanted: Entry[], failures: Failure[], seconds?: number): void {
	const urls = describeAll(wanted);
	const isProduction = wanted.some(({ state }) => state !== 'cleared' && state !== 'testing');
	const why = failures.map(({ message }) => message).join('; ');
	const problem = `${happened(stale)}, but the gateway's webhook URL could not be ${urls ? `restored (${urls})` : 'cleared'}: ${why}.`;
	stale.trigger.logger.error(
		[
			isProduction ? `Production is cut off: ${problem}` : upperFirst(problem),
			seconds === undefined ? "It won't be retried." : `It will be retried in ${seconds} seconds.`,
			...(isProduction ? ['Publishing the workflow again also restores it.'] : []),
		].join(' '),
	);
}

export function logLeftAlone({ name, logger }: Trigger, reason: string): void {
	logger.info(
		`${upperFirst(name)} was unpublished, but the gateway's webhook URL was left alone: ${reason}.`,
	);
}

export function logClearing({ name, logger }: Trigger, result: SendResult): void {
	if (result.ok) return logger.info(`The gateway's webhook URL was cleared: ${name} was unpublished.`);
	logger.warn(
		`${upperFirst(name)} was unpublished, but the gateway's webhook URL could not be cleared: ${result.failure.message}.`,
	);
}
