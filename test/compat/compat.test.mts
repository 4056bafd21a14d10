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
import { FakeDatabase } from '../support/triggerHarness.mjs';
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
	recorder.requests = [];
	// It remembers nothing of the execution before.
	new FakeDatabase().install();
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

/** Fails if the node means something else now than when it was saved. */
async function expectTheSame(saved: SavedNode): Promise<void> {
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
}

describe.skipIf(SAVE_RELEASE).each(RELEASES)('what %s saved still means the same', async (release) => {
	it.each((await load(release, 'nodes')).map((saved) => [saved.title, saved] as const))(
		'%s',
		async (_, saved) => await expectTheSame(saved),
	);
});

/** Added, they change what all others mean. */
const APART = ['dryRun', 'idFromContent'];

describe(SAVE_RELEASE ? `saved as ${SAVE_RELEASE}` : 'what is saved of this version means the same', () => {
	const nodes: SavedNode[] = [];
	afterAll(async () => {
		if (SAVE_RELEASE) await save(SAVE_RELEASE, 'nodes', nodes);
	});
	const keep = async (saved: SavedNode) =>
		SAVE_RELEASE ? nodes.push(saved) : await expectTheSame(plain(saved));

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

	/** Adds what it sends and emits. */
	const ran = async (saved: SavedNode, action: Action): Promise<SavedNode> => {
		const answers: SavedRun['answers'] = [];
		recorder.answer = (request) => {
			const answer = example(request);
			answers.push(answer);
			return answer;
		};
		const run = await execute(saved, action);
		return { ...saved, run: { ...run, answers } };
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
		await keep(await ran(savedOf(title, action.node, folder, parameters), action));
	});

	it('the trigger', async () => {
		const type = await loadNode(TRIGGER);
		const options = type.description.properties.find(({ name }) => name === 'options')!.options!;
		const all = Object.fromEntries(
			options.map((option) => [option.name, 'default' in option ? option.default : undefined]),
		);
		expect(isPlainObject(all)).toBe(true);
		await keep(savedOf('the trigger, as it is dropped', type, TRIGGER, {}));
		await keep(savedOf('the trigger, everything added', type, TRIGGER, { options: all as INodeParameters }));
	});

	it.skipIf(SAVE_RELEASE)('and what means something else is noticed', async () => {
		const [title, action, parameters] = fillings.find(([name]) => name.endsWith('everything added'))!;
		const saved = await ran(savedOf(title, action.node, action.node.constructor.name, parameters), action);
		const run = saved.run!;
		const [request] = run.requests;
		const changes: Array<Partial<SavedNode>> = [
			{ resolved: { ...saved.resolved, operation: 'another' } },
			{ node: { ...saved.node, typeVersion: 99 } },
			{ run: { ...run, requests: [{ ...request, url: `${request.url}&more=1` }] } },
			{ run: { ...run, items: [{ ...run.items[0], more: 1 }] } },
		];
		for (const change of changes)
			await expect(expectTheSame({ ...saved, ...change }), JSON.stringify(change)).rejects.toThrow();
		await expectTheSame(saved);
	});
});
