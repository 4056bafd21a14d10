/**
 * An execution that failed with a release can be retried with every later version, without booking anything twice.
 *
 * After a release: SAVE_RELEASE=<version> npx vitest run test/compat
 */
import axios from 'axios';
import { parse, stringify } from 'flatted';
import type { INodeParameters, INodeType, IRun } from 'n8n-workflow';
import { afterAll, describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { FaultInput } from '../../sandbox/admin/faults.mjs';
import { useBinaryMode } from '../support/binaryMode.mjs';
import { PACKAGE, type TestItem } from '../support/harness.mjs';
import { loadNode } from '../support/loadNode.mjs';
import { simpleEntry } from '../support/simpleEntry.mjs';
import { useGateway } from '../support/useSandbox.mjs';
import {
	load,
	newestVersion,
	parametersIn,
	RELEASES,
	save,
	SAVE_RELEASE,
	type SavedFailure,
	type SavedNode,
} from './saved.mjs';

/** The gateway's address in saved executions; a retry sends nothing to another one. */
const GATEWAY = 'http://gateway.example.com';

const gateway = useGateway();
// Files are saved with the execution.
useBinaryMode('default');

/** What has arrived, by numbers of entries and names of files. */
async function arrived(): Promise<string[]> {
	const entries = await gateway.list<{ fields: { belegnummer: string } }>('entries');
	const documents = await gateway.list<{ dateiname: string }>('documents');
	return [
		...entries.map(({ fields }) => fields.belegnummer),
		...documents.map(({ dateiname }) => dateiname),
	].sort();
}

/** What n8n does for "Retry", in a new process: the execution is read from the database. */
async function retry(type: INodeType, { node, data }: Pick<SavedFailure, 'node' | 'data'>) {
	const before = await arrived();
	const execution = parse(data.replaceAll(GATEWAY, gateway.sandbox.url)) as IRun['data'];
	const { json, error } = await gateway.run(type, node.parameters, {
		settings: { typeVersion: node.typeVersion },
		retryOf: { data: execution } as IRun,
	});
	const all = await arrived();
	return {
		error,
		retry: { items: json.length, arrived: all.slice().filter((one) => !before.includes(one)) },
		all,
	};
}

describe.skipIf(SAVE_RELEASE).each(RELEASES)(
	'an execution that failed with %s can be retried',
	async (release) => {
		it.each((await load(release, 'failed')).map((saved) => [saved.title, saved] as const))(
			'%s',
			async (_, saved) => {
				const { retry: now } = await retry(await loadNode(saved.folder), saved);
				expect(now).toEqual(saved.retry);
			},
		);
	},
);

describe(SAVE_RELEASE ? `saved as ${SAVE_RELEASE}` : 'what is saved of this version can be retried', () => {
	const failures: SavedFailure[] = [];
	afterAll(async () => {
		if (SAVE_RELEASE) await save(SAVE_RELEASE, 'failed', failures);
	});

	const entry = () => simpleEntry(gateway.connectionId('duo'));
	const document = (): INodeParameters => ({
		resource: 'document',
		operation: 'uploadDuo',
		connectionId: { __rl: true, mode: 'id', value: gateway.connectionId('duo') },
		datei: '*',
		belegtyp: { __rl: true, mode: 'value', value: 'Rechnungseingang' },
	});
	const items = (count: number): TestItem[] => Array.from({ length: count }, (_, i) => ({ json: { i } }));
	const withFiles: TestItem[] = [
		{
			files: Object.fromEntries(
				['a', 'b', 'c'].map((name) => [name, { content: Buffer.from(name), fileName: `${name}.pdf` }]),
			),
		},
	];
	const cases: Array<
		[title: string, parameters: () => INodeParameters, items: TestItem[], fault: FaultInput]
	> = [
		['entries, of which one was refused', entry, items(4), { kind: 'status', status: 422, after: 1 }],
		['entries, one of unknown outcome', entry, items(4), { kind: 'drop', point: 'after-handler', after: 1 }],
		[
			'documents, of which one was refused',
			document,
			withFiles,
			{ kind: 'status', status: 422, contains: 'b.pdf' },
		],
		[
			'a document of unknown outcome',
			document,
			withFiles,
			{ kind: 'drop', point: 'after-handler', contains: 'c.pdf' },
		],
	];

	it.each(cases)('%s', async (title, parameters, input, fault) => {
		const type = new AccountingGatewayDelivery();
		const typeVersion = newestVersion(type);
		const node: SavedNode['node'] = {
			type: `${PACKAGE}.${type.description.name}`,
			typeVersion,
			parameters: parametersIn(type, { parameters: parameters(), typeVersion }, false),
		};
		await gateway.fault(fault);
		const { run, error } = await gateway.run(type, node.parameters, {
			items: input,
			settings: { typeVersion },
		});
		expect(error).toBeDefined();
		const data = stringify(run.data).replaceAll(gateway.sandbox.url, GATEWAY);
		const { all, retry: then } = await retry(type, { node, data });
		expect(new Set(all).size).toBe(all.length);
		const saved: SavedFailure = { title, folder: 'AccountingGatewayDelivery', node, data, retry: then };
		if (SAVE_RELEASE) return void failures.push(saved);

		await axios.post(`${gateway.sandbox.url}/sandbox/reset`);
		const later = await loadNode(saved.folder);
		expect((await retry(later, saved)).retry).toEqual(then);
		// Without what the execution remembers, it would be another one.
		const memory = JSON.stringify('accountingGatewayWritten');
		expect(data).toContain(memory);
		await axios.post(`${gateway.sandbox.url}/sandbox/reset`);
		const forgotten = { node, data: data.replace(memory, '"forgotten"') };
		expect((await retry(later, forgotten)).retry).not.toEqual(then);
	});
});
