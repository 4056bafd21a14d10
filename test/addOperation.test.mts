/** `npm run add` in a copy of the package: what it writes for a read and for a write builds, and passes what an operation must. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { execa, type ExecaError } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { IS_THOROUGH } from '../scripts/base/extent.mjs';
import { copyRepository } from './support/repositoryCopy.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const CONTRACT = 'api/gateway.openapi.yaml';

let copy: string;

/** A program of the copy, in the copy. */
const run = async (...args: string[]) =>
	await execa('node', args, {
		cwd: copy,
		all: true,
		env: { PROOF_RUNS: '40', NIGHTLY: '', RESULTS: '', NO_COLOR: '1' },
	});
const add = async (...args: string[]) => await run('--import', 'tsx', 'scripts/add/add.mts', ...args);
const gulp = async (task: string) => await run('node_modules/gulp/bin/gulp.js', task);

/** Replaces a text that has to be there once. */
async function edit(file: string, before: string, after: string): Promise<void> {
	const text = await readFile(join(copy, file), 'utf8');
	expect(text.split(before)).toHaveLength(2);
	await writeFile(join(copy, file), text.replace(before, after));
}

beforeAll(async () => {
	await mkdir(join(ROOT, 'tmp'), { recursive: true });
	copy = await mkdtemp(join(ROOT, 'tmp/operation-'));
	await copyRepository(copy, /^(?!docs\/(?!parameters|dev))./);
	await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	await mkdir(join(copy, 'host/n8n'), { recursive: true });
	await symlink(join(ROOT, 'host/n8n/node_modules'), join(copy, 'host/n8n/node_modules'));
	const endpoints = await readFile(join(import.meta.dirname, 'support/newEndpoints.yaml'), 'utf8');
	const before = '  /v2/banking/transactions/{id}:\n';
	await edit(CONTRACT, before, endpoints.replace(/^(?=.)/gm, '  ') + before);
});

afterAll(async () => await rm(copy, { recursive: true, force: true }));

it('says what is missing: in the contract, in the command, and a node for a new resource', async () => {
	const messageOf = async (...args: string[]) =>
		await add(...args).then(
			() => 'added',
			(error: ExecaError) => String(error.all),
		);
	expect(await messageOf('getNothing', 'customer', 'get')).toContain(
		'The contract has no operation "getNothing": describe its endpoint in api/gateway.openapi.yaml first',
	);
	expect(await messageOf('getCustomer')).toMatch(/^Usage: npm run add -- /);
	expect(await messageOf('createCustomerNote', 'customerNote', 'create')).toContain(
		'No node has the resource "customerNote": name the node that gets the operation',
	);
	expect(await messageOf('getBankConnection', 'connection', 'read')).toContain(
		'Delivery and Banking have the resource "connection": name the node',
	);
	expect(await messageOf('createCustomer', 'customer', 'create')).toContain(
		'customer/create.ts already exists',
	);
}, 300_000);

it('adds a read and a write that build, keep the rules, and pass what every operation must', async () => {
	const read = await add('getCustomer', 'customer', 'get');
	expect(read.all).toMatch(/^Written:\n {2}nodes\/AccountingGatewayMobility\/customer\/get.ts\n/);
	const write = await add('createCustomerNote', 'customerNote', 'create', '--node', 'Mobility');
	expect(write.all).toContain('docs/dev/faults.md');
	// Of an endpoint that another operation has, too, sandbox and tests have their lines.
	const second = await add('listCashBooks', 'cashBook', 'get');
	expect(second.all).toMatch(/^Written:\n {2}\S+cashBook\/get.ts\n {2}\S+Delivery\/resources.ts\n\n/);
	await gulp('build');
	await run(
		'node_modules/typescript-native/bin/tsc',
		'-p',
		'scripts/config/tsconfig.json',
		'--singleThreaded',
	);
	const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project=nodes', '--reporter=verbose'];
	const tests = [
		'api/contract',
		'nodes/form',
		'nodes/previews',
		'sandbox/strictness',
		'conformance/otherRecord',
	];
	if (IS_THOROUGH) {
		tests.push(...['conformance', 'tolerance'].map((name) => `conformance/${name}`), 'resilience/faults');
		const files = ['customer/get', 'customerNote/create'].map(
			(name) => `nodes/AccountingGatewayMobility/${name}.ts`,
		);
		await run('node_modules/eslint/bin/eslint.js', '--max-warnings=0', ...files);
		await run(
			'node_modules/prettier/bin/prettier.cjs',
			'--check',
			...files,
			'sandbox',
			'test',
			'nodes/shared',
		);
	}
	const named =
		'Get customer|Get cash book|Create customer note|etCustomer|CustomerNote|ustomerNote: |customer: get|specification|which n8n leaves out|Previews of the output|has a German name';
	const { all } = await run(...vitest, ...tests.map((name) => `test/${name}.test.mts`), '-t', named);
	const passed = String(all).match(/(?<=✓.*test\/)[\w/]+(?=\.test)/g) ?? [];
	expect([...new Set(passed)].sort()).toEqual(tests.sort());
}, 900_000);

it('A wrong endpoint ends the build with the sentence of the compiler', async () => {
	const file = 'nodes/AccountingGatewayDelivery/cashBook/getAll.ts';
	await edit(file, "'GET /v2/acct-duo/kassenbuecher'", "'GET /v2/acct-duo/kassenbuch'");
	const error = (await gulp('compile').catch((reason: unknown) => reason)) as ExecaError;
	const lines = String(error.all).trim().split('\n');
	expect(lines.at(-1)).toMatch(/^ *(nodes|Type|Property)/);
	expect(lines.join('\n')).toContain(
		"Type '\"GET /v2/acct-duo/kassenbuch\"' is not assignable to type 'ReadEndpoint'",
	);
	expect(lines.filter((line) => /^ +at /.test(line))).toEqual([]);
}, 120_000);
