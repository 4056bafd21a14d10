/** How the sandbox checks its own answers against the contract. */
import { describe, expect, it } from 'vitest';
import { operations } from '../../sandbox/http/contract.mjs';
import { COSTS } from '../../sandbox/http/costs.mjs';
import { exampleAnswer } from '../../api/contract.mjs';

/** Every object within a value, with its path. */
function* objectsIn(value: unknown, path = ''): Generator<[string, Record<string, unknown>]> {
	if (typeof value !== 'object' || value === null) return;
	if (!Array.isArray(value)) yield [path, value as Record<string, unknown>];
	for (const [key, member] of Object.entries(value)) yield* objectsIn(member, `${path}${key}/`);
}

/** Objects (`<operation> <path>`) whose fields the contract leaves open. */
const OPEN = [
	/\b(tariff_settings|metadata|order|ticket|product|custom_fields)\/$/,
	/^list(\w*Connections|CashBooks|\w*DocumentTypes|TicketProducts) data\//,
	/^createAdvancedCashBookEntry belegbilder\//,
	// The example is the partial answer.
	/^createTicket /,
];

describe.each(operations.filter(({ id }) => id !== 'setWebhookUrl'))(
	'the sandbox’s answer of $id',
	({ id, checkAnswer }) => {
		it('may have no field that the contract lacks, at any depth', () => {
			const example = exampleAnswer(id);
			for (const [path, object] of objectsIn(example)) {
				if (OPEN.some((place) => place.test(`${id} ${path}`))) continue;
				object.unbekannt = 1;
				expect(checkAnswer(200, example)).toBe(`"${path}unbekannt" is unknown here.`);
				delete object.unbekannt;
			}
		});
	},
);

it('an answer of the sandbox has a status that the contract describes', () => {
	expect(operations[0].checkAnswer(302, {})).toBe('The contract has no JSON answer with status 302.');
});

it('every operation of the sandbox has a price', () => {
	expect(Object.keys(COSTS).sort()).toEqual(operations.map(({ id }) => id).sort());
});

it('the sandbox’s credit balance comes with the accounting areas', () => {
	const paths = (credits: boolean) =>
		operations.filter(({ answersCredits }) => answersCredits === credits).map(({ path }) => path);
	expect(paths(true).filter((path) => !path.startsWith('/v2/acct'))).toEqual([]);
	expect(paths(false).filter((path) => path.startsWith('/v2/acct'))).toEqual([]);
});
