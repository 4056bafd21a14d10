/** Walks "Add an operation" of docs/dev/architecture.md in a copy of the package: what the page says, works. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { execa } from 'execa';
import type { ExecaError } from 'execa';
import type { INodeType } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { IS_THOROUGH } from '../tools/extent.mjs';
import { useGateway } from './support/useSandbox.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const gateway = useGateway();

let copy: string;

/** The code that the page shows, and the file that it belongs to. */
async function exampleOf(page: string): Promise<{ file: string; code: string }> {
	const text = await readFile(join(ROOT, page), 'utf8');
	const [, file, block] = /<!-- example: (\S+) -->\s*```ts\n(.*?)\n\s*```/s.exec(text) ?? [];
	return { file, code: block.replace(/^ {3}/gm, '') };
}

/** Replaces a text that has to be there once. */
async function edit(file: string, before: string, after: string): Promise<void> {
	const text = await readFile(file, 'utf8');
	expect(text.split(before)).toHaveLength(2);
	await writeFile(file, text.replace(before, after));
}

/** Runs a step of `npm run build`. */
const compile = async () =>
	await execa('node', ['node_modules/gulp/bin/gulp.js', 'compile'], { cwd: copy, all: true });

beforeAll(async () => {
	await mkdir(join(ROOT, 'tmp'), { recursive: true });
	copy = await mkdtemp(join(ROOT, 'tmp/operation-'));
	for (const part of ['api', 'credentials', 'nodes', 'gulpfile.js', 'tsconfig.json', 'package.json']) {
		await cp(join(ROOT, part), join(copy, part), { recursive: true });
	}
	await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(async () => await rm(copy, { recursive: true, force: true }));

it('docs/dev/architecture.md adds an operation with one file and one line', async () => {
	const { file, code } = await exampleOf('docs/dev/architecture.md');
	await writeFile(join(copy, file), code);
	const list = join(copy, 'nodes/AccountingGatewayDelivery/resources.ts');
	const listed = "import { getAll as getCashBooks } from './cashBook/getAll';";
	await edit(list, listed, `import { get as getCashBook } from './cashBook/get';\n${listed}`);
	await edit(list, 'operations: [getCashBooks]', 'operations: [getCashBooks, getCashBook]');
	await compile();

	const require = createRequire(join(copy, 'package.json'));
	const { AccountingGatewayDelivery } =
		require('./dist/nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js') as {
			AccountingGatewayDelivery: new () => INodeType;
		};
	const node = new AccountingGatewayDelivery();
	const operations = node.description.properties.filter(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes('cashBook'),
	);
	expect(operations.flatMap(({ options = [] }) => options)).toContainEqual(
		expect.objectContaining({ value: 'get', action: 'Get cash book' }),
	);
	const { json, error } = await gateway.run(node, {
		resource: 'cashBook',
		operation: 'get',
		connectionId: { __rl: true, mode: 'id', value: gateway.connectionId('duo') },
		kassenname: { __rl: true, mode: 'list', value: 'Hauptkasse' },
	});
	expect(error).toBeUndefined();
	expect(json).toEqual([expect.objectContaining({ bezeichnung: 'Hauptkasse' })]);
}, 120_000);

it.runIf(IS_THOROUGH)(
	'Form, preview, requests and answers of the added operation are tested, without being told of it',
	async () => {
		for (const part of ['scripts', 'tools', 'sandbox', 'test', 'host', 'vitest.config.mts'])
			await cp(join(ROOT, part), join(copy, part), {
				recursive: true,
				filter: (path) => !path.includes('node_modules'),
			});
		await symlink(join(ROOT, 'host/n8n/node_modules'), join(copy, 'host/n8n/node_modules'));
		const options = {
			cwd: copy,
			all: true,
			reject: false,
			env: { PROOF_RUNS: '40', RESULTS: '', NO_COLOR: '1' },
		};
		await execa('node', ['--import', 'tsx', 'scripts/build/previews.mts'], options);
		const files = ['test/nodes/form.test.mts', 'test/nodes/previews.test.mts', 'test/conformance'];
		const vitest = [
			'node_modules/vitest/vitest.mjs',
			'run',
			'--project=nodes',
			'--reporter=verbose',
			...files,
		];
		const { exitCode, all } = await execa('node', [...vitest, '-t', 'Get cash b'], options);
		const passed = String(all).match(/✓.*(previews|conformance|otherRecord|tolerance)(?=\.test)/g) ?? [];
		const tested = new Set(passed.map((line) => line.split('/').at(-1)));
		expect([exitCode, tested.size], String(all)).toEqual([0, 4]);
	},
	600_000,
);

it('A wrong endpoint ends the build with the sentence of the compiler', async () => {
	const file = 'nodes/AccountingGatewayDelivery/cashBook/getAll.ts';
	await edit(join(copy, file), "'GET /v2/acct-duo/kassenbuecher'", "'GET /v2/acct-duo/kassenbuch'");
	const error = (await compile().catch((reason: unknown) => reason)) as ExecaError;
	const lines = String(error.all).trim().split('\n');
	expect(lines.at(-1)).toMatch(/^ *(nodes|Type|Property)/);
	expect(lines.join('\n')).toContain(
		"Type '\"GET /v2/acct-duo/kassenbuch\"' is not assignable to type 'ReadEndpoint'",
	);
	expect(lines.filter((line) => /^ +at /.test(line))).toEqual([]);
}, 120_000);
