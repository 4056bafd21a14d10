/**
 * A workflow that was saved with a release sends the same with every later version, and the nodes behind find the same
 * fields. What fails here breaks saved workflows: give the node a new `version` instead, see CONTRIBUTING.md.
 *
 * After a release: SAVE_RELEASE=<version> npx vitest run test/compat
 */
import isPlainObject from 'lodash/isPlainObject.js';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { exampleItem, exampleParameters } from '../conformance/examples.mjs';
import { type Action, actions } from '../conformance/operations.mjs';
import { example, useRecorder } from '../conformance/recorder.mjs';
import { PACKAGE, runNode } from '../support/harness.mjs';
import { loadNode } from '../support/loadNode.mjs';
import {
	load,
	newestVersion,
	parametersIn,
	plain,
	RELEASES,
	save,
	SAVE_RELEASE,
	type SavedNode,
	type SavedRun,
} from './saved.mjs';

const TRIGGER = 'AccountingGatewayBankingTrigger';

const recorder = useRecorder();

// Defaults such as "a month ago" are the same on every day.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T10:00:00Z') }));
afterEach(() => void vi.useRealTimers());

async function execute({ node: { parameters, typeVersion } }: SavedNode, action: Action): Promise<SavedRun> {
	const { credential } = recorder;
	const { json, error } = await runNode({
		node: action.node,
		parameters,
		credential,
		items: [exampleItem(action)],
		settings: { typeVersion },
	});
	expect(error).toBeUndefined();
	const requests = recorder.requests.map(({ method, url, text }) => ({
		method,
		url,
		...(text && { body: JSON.parse(text) as unknown }),
	}));
	return plain({ requests, answers: [], items: json });
}

const actionOf = ({ node, resolved: { resource, operation } }: SavedNode) =>
	actions.find(
		({ node: { description }, chosen }) =>
			node.type === `${PACKAGE}.${description.name}` &&
			chosen.resource === resource &&
			chosen.operation === operation,
	);

describe.skipIf(SAVE_RELEASE)('what a release saved still means the same', () => {
	it('for 0.1.0 and what came after it', () => expect(RELEASES).toContain('0.1.0'));

	describe.each(RELEASES)('%s', async (release) => {
		it.each((await load(release, 'nodes')).map((saved) => [saved.title, saved] as const))(
			'%s',
			async (_, saved) => {
				const { folder, node, resolved, run } = saved;
				const type = await loadNode(folder);
				expect(node.type).toBe(`${PACKAGE}.${type.description.name}`);
				expect([type.description.version].flat()).toContain(node.typeVersion);
				expect(parametersIn(type, node, true)).toMatchObject(resolved);
				if (!run) return;
				const answers = [...run.answers];
				recorder.answer = () => answers.shift()!;
				const action = actionOf(saved);
				expect(action).toBeDefined();
				const { requests, items } = await execute(saved, action!);
				expect(requests).toEqual(run.requests);
				expect(items).toMatchObject(run.items);
			},
		);
	});
});

/** Added, they change what all others mean. */
const APART = ['dryRun', 'idFromContent'];

describe.runIf(SAVE_RELEASE)(`saved as ${SAVE_RELEASE}`, () => {
	const nodes: SavedNode[] = [];
	afterAll(async () => await save(SAVE_RELEASE!, 'nodes', nodes));

	const savedOf = (title: string, type: INodeType, folder: string, filledIn: INodeParameters): SavedNode => {
		const typeVersion = newestVersion(type);
		const parameters = parametersIn(type, { parameters: filledIn, typeVersion }, false);
		return {
			title,
			folder,
			node: { type: `${PACKAGE}.${type.description.name}`, typeVersion, parameters },
			resolved: parametersIn(type, { parameters, typeVersion }, true),
		};
	};

	const fillings = actions.flatMap((action) => {
		const optional = action.fields.filter((field) => field.optional).map(({ name }) => name);
		const added = (names: string[]) =>
			exampleParameters(action, Object.fromEntries(names.map((name) => [name, undefined!])));
		return [
			[`${action.name}, as it is dropped`, action, added([])] as const,
			[
				`${action.name}, everything added`,
				action,
				added(optional.filter((name) => !APART.includes(name))),
			] as const,
			...optional
				.filter((name) => APART.includes(name))
				.map((name) => [`${action.name}, ${name}`, action, added([name])] as const),
		];
	});

	it.each(fillings)('%s', async (title, action, parameters) => {
		const folder = action.node.constructor.name;
		const saved = savedOf(title, action.node, folder, parameters);
		const answers: SavedRun['answers'] = [];
		recorder.answer = (request) => {
			const answer = example(request);
			answers.push(answer);
			return answer;
		};
		const run = await execute(saved, action);
		nodes.push({ ...saved, run: { ...run, answers } });
	});

	it('the trigger', async () => {
		const type = await loadNode(TRIGGER);
		const options = type.description.properties.find(({ name }) => name === 'options')!.options!;
		const all = Object.fromEntries(
			options.map((option) => [option.name, 'default' in option ? option.default : undefined]),
		);
		expect(isPlainObject(all)).toBe(true);
		nodes.push(savedOf('the trigger, as it is dropped', type, TRIGGER, {}));
		nodes.push(savedOf('the trigger, everything added', type, TRIGGER, { options: all as INodeParameters }));
	});
});
