/**
 * `npm run add -- getCustomer customer get`: makes an operation of an endpoint that the contract describes: its file, its line in the
 * list of operations, and its rows in the lists that sandbox and tests share. It is complete and passes; what only a person knows, the
 * last lines name.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import lowerFirst from 'lodash/lowerFirst.js';
import upperFirst from 'lodash/upperFirst.js';

import { operations } from '../../api/contract.mjs';
import { explainFailures, ROOT, UserError } from '../base/processes.mjs';
import { Endpoint } from './endpoint.mjs';
import { operationFile, titleOf } from './operationFile.mjs';

const USAGE =
	'Usage: npm run add -- <operationId of the contract> <resource> <operation> [--node Delivery|Data|Mobility|Banking], e.g. npm run add -- getCustomer customer get';
/** Has the first operation of each resource, which stays. */
const FIRST_ONES = 'test/nodes/form.test.mts';
const NODES = ['Delivery', 'Data', 'Mobility', 'Banking'];

explainFailures();
const { positionals, values } = parseArgs({
	allowPositionals: true,
	options: { node: { type: 'string' } },
});
if (positionals.length !== 3) throw new UserError(USAGE);
const [operationId, resource, operation] = positionals;

async function add(): Promise<void> {
	const described = operations.filter(({ path }) => path.startsWith('/'));
	const index = described.findIndex(({ id }) => id === operationId);
	if (index < 0)
		throw new UserError(
			`The contract has no operation "${operationId}": describe its endpoint in api/gateway.openapi.yaml first, with an example of what is sent and answered, as createCustomer has them.`,
		);
	const endpoint = new Endpoint(described[index]);
	const folder = await nodeOf();
	const list = `nodes/${folder}/resources.ts`;
	const file = `nodes/${folder}/${resource}/${operation}.ts`;
	if (existsSync(join(ROOT, file))) throw new UserError(`${file} already exists.`);

	const german = /value: '(\w+)', name: '[^']*\(([^)']+)\)/g;
	const germanNames = new Map(
		[...(await read(list)).matchAll(german)].map(([, value, name]) => [value, name]),
	);
	const made = operationFile(endpoint, resource, operation, germanNames.get(resource));
	await write(file, made.code);
	const written = [file, ...(await inList(list))];
	written.push(...(await inSandbox(endpoint, described[index - 1]?.id)));
	written.push(...(await inTests(endpoint, described[index - 1]?.id)));
	if (made.newNames.length > 0) written.push(await inGermanNames(made.newNames));

	await execa('npm', ['run', 'types'], { cwd: ROOT });
	const formatted = [...new Set(written)];
	await execa('npx', ['prettier', '--write', '--log-level=warn', ...formatted], { cwd: ROOT });
	console.log(
		[
			'Written:',
			...formatted.map((path) => `  ${path}`),
			'',
			'What only you know:',
			`  ${file}: description, hints and the German sentences${endpoint.isWrite ? '; `identity`, if a number or ID may occur only once' : ''}`,
			...(made.newNames.length > 0 ? ['  nodes/shared/parameters/labels.ts: the German names'] : []),
			...(written.some((path) => path.startsWith('sandbox/'))
				? [
						"  the sandbox: its handler answers the contract's example; what it should remember is yours, and its price",
					]
				: []),
			...made.left.map((sentence) => `  ${sentence}`),
			'',
			`Then: npm run build && npm test${endpoint.isWrite ? ', and docs/dev/faults.md: PROOF_RUNS=1000 npx vitest run test/resilience/faults.test.mts -u' : ''}`,
		].join('\n'),
	);
}

/** The folder of the node that has the resource, or is to get it. */
async function nodeOf(): Promise<string> {
	const { node } = values;
	if (node !== undefined && !NODES.includes(node))
		throw new UserError(`There is no node "${node}". ${USAGE}`);
	const folderOf = (name: string) => `AccountingGateway${name}`;
	if (node !== undefined) return folderOf(node);
	const lists = await Promise.all(
		NODES.map(async (name) => await read(`nodes/${folderOf(name)}/resources.ts`)),
	);
	const having = NODES.filter((_, i) => lists[i].includes(`value: '${resource}'`));
	if (having.length === 1) return folderOf(having[0]);
	throw new UserError(
		`${having.length === 0 ? 'No node has' : `${having.join(' and ')} have`} the resource "${resource}": name the node that gets the operation. ${USAGE}`,
	);
}

/** The operation's line in the list, and the resource, if it is new. */
async function inList(list: string): Promise<string[]> {
	const name = lowerFirst(`${operation}${upperFirst(resource)}`);
	const imported = `import { ${operation} as ${name} } from './${resource}/${operation}';\n`;
	await edit(list, (text) => {
		const withImport = text.replace(/(?:import \{.*\n)+(?=\n)/, (imports) => {
			const path = (line: string) => /'([^']+)'/.exec(line)![1];
			const [first, ...others] = `${imports}${imported}`.trim().split('\n');
			const ordered = others.sort((a, b) => (path(a) < path(b) ? -1 : 1));
			return `${[first, ...ordered].join('\n')}\n`;
		});
		const known = new RegExp(`(value: '${resource}',[^\\]]*operations: \\[)([^\\]]*?),?(\\s*\\])`);
		if (known.test(withImport)) return withImport.replace(known, `$1$2, ${name}$3`);
		const added = `\t{ value: '${resource}', name: '${titleOf(resource)}', operations: [${name}] },\n];\n`;
		return withImport.replace(/\];\n$/, added);
	});
	const isFirst = new RegExp(`value: '${resource}',[^\\]]*operations: \\[\\s*${name}\\s*\\]`).test(
		await read(list),
	);
	if (!isFirst) return [list];
	const row = `\t\t'${list.split('/')[1].replace('AccountingGateway', '')} ${resource} ${operation}',`;
	await edit(FIRST_ONES, (text) =>
		text.replace(/(?<=\n)\t\t'Banking [^]*?(?=\n\t\]\);)/, (rows) =>
			[...rows.split('\n'), row].sort().join('\n'),
		),
	);
	return [list, FIRST_ONES];
}

/** A handler that answers the contract's example with what was sent, and its price. */
async function inSandbox(endpoint: Endpoint, before: string | undefined): Promise<string[]> {
	const costs = 'sandbox/http/costs.mts';
	if ((await read(costs)).includes(`\t${endpoint.id}:`)) return [];
	await edit(costs, (text) => text.replace(/\n\};\n$/, `\n\t${endpoint.id}: 1,\n};\n`));
	const routes = await Promise.all(
		['delivery', 'accounting', 'mobility', 'banking'].map(async (area) => {
			const path = `sandbox/${area}/routes.mts`;
			return { path, text: await read(path) };
		}),
	);
	// The area of an endpoint of the same part of the gateway.
	const kin = operations.filter(
		({ id, path }) => id !== endpoint.id && path.split('/')[2] === endpoint.path.split('/')[2],
	);
	const found = routes.find(({ text }) => kin.some(({ id }) => text.includes(`\t${id}:`)));
	const { path } = found ?? routes.find(({ text }) => text.includes(`\t${before}:`)) ?? routes[0];
	await edit(path, (text) =>
		text.replace(/\n\t\} satisfies Partial<Handlers>;/, (end) => `\n\t\t${endpoint.handler()},${end}`),
	);
	return [costs, path];
}

/** The rows of the lists that tests share, if the endpoint has none yet. */
async function inTests(endpoint: Endpoint, before: string | undefined): Promise<string[]> {
	const { id } = endpoint;
	const cases = endpoint.cases();
	const changes: Array<[file: string, change: (text: string) => string]> = [
		[
			'test/api/contract.test.mts',
			(text) => text.replace(new RegExp(`(\\t.* \\| ${before} \\|.*\\n)`), `$1\t${endpoint.row()}\n`),
		],
		[
			'test/conformance/otherRecord.test.mts',
			(text) =>
				cases
					? text.replace(/\n\};\n\nasync function run\(/, (end) => `\n\t${id}: ${cases},${end}`)
					: text.replace(/(\t\t\/\/ Complete lists;.*\n)/, `$1\t\t'${id}',\n`),
		],
	];
	if (endpoint.isWrite)
		changes.push([
			'test/resilience/bookings.mts',
			(text) =>
				text.replace(
					/(const VALUES: Record<string, INodeParameters> = \{[^]*?)\n\};/,
					`$1\n\t${id}: ${endpoint.marked()},\n};`,
				),
		]);
	const written: string[] = [];
	for (const [file, change] of changes) {
		if (new RegExp(`\\b${id}\\b`).test(await read(file))) continue;
		await edit(file, change);
		written.push(file);
	}
	return written;
}

/** The names of new fields as a German reads them; where they are English, a person translates them. */
async function inGermanNames(names: string[]): Promise<string> {
	const file = 'nodes/shared/parameters/labels.ts';
	const rows = names.map((name) => `\t${/^\w+$/.test(name) ? name : `'${name}'`}: '${name}',`);
	await edit(file, (text) => text.replace(/\n\};/, `\n${rows.join('\n')}\n};`));
	return file;
}

async function read(file: string): Promise<string> {
	return await readFile(join(ROOT, file), 'utf8');
}

async function write(file: string, text: string): Promise<void> {
	await mkdir(dirname(join(ROOT, file)), { recursive: true });
	await writeFile(join(ROOT, file), text);
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
	const text = await read(file);
	const changed = change(text);
	if (changed === text)
		throw new UserError(`${file} is no longer as this command knows it: add the line by hand.`);
	await write(file, changed);
}

await add();
