/** Rules of docs/dev/architecture.md that the folders alone can't enforce. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const OPTIONS: ts.CompilerOptions = {
	module: ts.ModuleKind.NodeNext,
	moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/** The modules that each module imports, types included. */
type ImportGraph = ReadonlyMap<string, readonly string[]>;

function importsOf(file: string): string[] {
	const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
	return importedFiles.flatMap(({ fileName }) => {
		const { resolvedModule } = ts.resolveModuleName(fileName, file, OPTIONS, ts.sys);
		return resolvedModule && !resolvedModule.isExternalLibraryImport ? [resolvedModule.resolvedFileName] : [];
	});
}

const importGraph = (folder: string): ImportGraph =>
	new Map(
		ts.sys
			.readDirectory(resolve(ROOT, folder), ['.ts', '.mts', '.mjs'], ['**/node_modules'])
			.map((file) => [relative(ROOT, file), importsOf(file).map((imported) => relative(ROOT, imported))]),
	);

/** The imports among scripts/, demo/ and host/. */
const toolGraph = (): ImportGraph => {
	const graph = new Map(['scripts', 'demo', 'host'].flatMap((folder) => [...importGraph(folder)]));
	return new Map(
		[...graph].map(([module, imported]) => [module, imported.filter((other) => graph.has(other))]),
	);
};

/** A path of imports that ends where it begins, or undefined. */
function findCycle(graph: ImportGraph): string[] | undefined {
	const finished = new Set<string>();
	const visit = (module: string, path: readonly string[]): string[] | undefined => {
		const seen = path.indexOf(module);
		if (seen >= 0) return [...path.slice(seen), module];
		if (finished.has(module)) return undefined;
		for (const imported of graph.get(module) ?? []) {
			const cycle = visit(imported, [...path, module]);
			if (cycle) return cycle;
		}
		finished.add(module);
		return undefined;
	};
	for (const module of graph.keys()) {
		const cycle = visit(module, []);
		if (cycle) return cycle;
	}
	return undefined;
}

/**
 * The layers of nodes/, from the top. A module belongs to the first one that its path matches, and imports nothing from
 * a layer above. Rooms on one layer don't know each other.
 */
const LAYERS: RegExp[][] = [
	[/^nodes\/[^/]+\/[^/]+\.node\.ts$/],
	[/^nodes\/[^/]+Trigger\//],
	[/^nodes\/[^/]+\/resources\.ts$/],
	[
		/^nodes\/AccountingGatewayBanking\//,
		/^nodes\/AccountingGatewayData\//,
		/^nodes\/AccountingGatewayDelivery\//,
		/^nodes\/AccountingGatewayFiles\/cashBookList\//,
		/^nodes\/AccountingGatewayFiles\/cashRegisterExport\//,
		/^nodes\/AccountingGatewayFiles\/eInvoice\//,
		/^nodes\/AccountingGatewayMobility\//,
	],
	[/^nodes\/AccountingGatewayFiles\//],
	[/^nodes\/shared\/run\/(?:index|run)\.ts$/],
	[
		/^nodes\/shared\/run\/read\//,
		/^nodes\/shared\/run\/write\/write\.ts$/,
		/^nodes\/shared\/run\/local\.ts$/,
	],
	[/^nodes\/shared\/run\/check\//, /^nodes\/shared\/run\/report\//, /^nodes\/shared\/run\/write\//],
	[/^nodes\/shared\/run\//],
	[/^nodes\/shared\/form\//],
	[/^nodes\/shared\/operation\.ts$/],
	[/^nodes\/shared\/parameters\//],
	[/^nodes\/shared\/answer\//],
	[/^nodes\/shared\/gateway\//],
	[/^nodes\/shared\/processedData\//],
	[/^nodes\/shared\/errors\//],
	[/^nodes\/shared\/values\//, /^nodes\/shared\/thisGateway\.ts$/],
	[/^api\//],
];

/** The layers of the workshop, what builds, starts and proves the package, from the top, by the same rules. */
const TOOL_LAYERS: RegExp[][] = [
	[/^scripts\/run\.mjs$/],
	[
		/^scripts\/add\//,
		/^scripts\/config\//,
		/^scripts\/docs\//,
		/^scripts\/nightly\.mjs$/,
		/^scripts\/proof\//,
		/^scripts\/release\//,
		/^scripts\/versions\//,
	],
	[/^demo\//],
	[/^host\//],
	[/^scripts\/build\//],
	[/^scripts\/base\//],
];

/** A module's layer, from the top, and its room there. */
function placeOf(module: string, layers: RegExp[][]): { layer: number; room: number } {
	const rooms = layers.map((layer) => layer.findIndex((room) => room.test(module)));
	const layer = rooms.findIndex((room) => room >= 0);
	return { layer, room: rooms[layer] };
}

/** The imports that run back up, or into another room of the same layer. */
function wrongWay(graph: ImportGraph, layers = LAYERS): string[] {
	return [...graph].flatMap(([module, imported]) =>
		imported
			.filter((other) => {
				const [from, to] = [placeOf(module, layers), placeOf(other, layers)];
				return to.layer < from.layer || (to.layer === from.layer && to.room !== from.room);
			})
			.map((other) => `${module} → ${other}`),
	);
}

describe.each([
	{ of: 'nodes/', graph: importGraph('nodes'), layers: LAYERS },
	{ of: 'scripts/, demo/ and host/', graph: toolGraph(), layers: TOOL_LAYERS },
])('the layers of $of', ({ graph, layers }) => {
	it('have a place for every module', () => {
		const modules = [...graph.keys(), ...[...graph.values()].flat()];
		expect(modules.filter((module) => placeOf(module, layers).layer < 0)).toEqual([]);
		for (const room of layers.flat()) {
			expect(
				modules.some((module) => room.test(module)),
				room.source,
			).toBe(true);
		}
	});

	it('are only left by going down', () => {
		expect(wrongWay(graph, layers)).toEqual([]);
	});
});

/** The rooms of nodes/shared/: the folders with a door, an `index.ts` that lists what others may use. */
const doorOf = (module: string, doors: readonly string[]): string | undefined =>
	doors.find((door) => module.startsWith(dirname(door) + sep));

describe('a room of nodes/shared/', () => {
	const graph = importGraph('nodes');
	const doors = [...graph.keys()]
		.filter((module) => module.startsWith(join('nodes', 'shared')) && basename(module) === 'index.ts')
		.sort((a, b) => b.length - a.length);

	it('is entered by its door alone, from outside', () => {
		expect(doors.length).toBeGreaterThan(6);
		const past = [...graph].flatMap(([module, imported]) =>
			imported
				.filter((other) => {
					const door = doorOf(other, doors);
					return door && other !== door && !module.startsWith(dirname(door) + sep);
				})
				.map((other) => `${module} → ${other}`),
		);
		expect(past).toEqual([]);
	});

	it('has a door, and the door lists names', () => {
		const doorless = [...graph.keys()].filter(
			(module) => dirname(module).startsWith(join('nodes', 'shared') + sep) && !doorOf(module, doors),
		);
		expect(doorless.filter((module) => !module.endsWith('.d.ts'))).toEqual([]);
		expect(doors.filter((door) => readFileSync(resolve(ROOT, door), 'utf8').includes('export *'))).toEqual(
			[],
		);
	});
});

describe('a reader of files', () => {
	it('is known to the node that reads files, and to nothing else', () => {
		const reader = join('nodes', 'AccountingGatewayFiles', '/');
		const outside = [...importGraph('nodes')].filter(([module]) => !module.startsWith(reader));
		const known = outside.flatMap(([module, imported]) =>
			imported.filter((other) => other.startsWith(reader)).map((other) => `${module} → ${other}`),
		);
		expect(known).toEqual([]);
	});
});

describe('what tests and benchmarks need of each other', () => {
	it('is in host/ and scripts/base/: the rest of scripts/ and test/ is nothing that others import', () => {
		const into = (folder: string, other: string) =>
			[...importGraph(folder)].flatMap(([module, imported]) =>
				imported.filter((one) => one.startsWith(join(other, '/'))).map((one) => `${module} → ${one}`),
			);
		const base = join('scripts', 'base', '/');
		expect(into('test/support', 'scripts').filter((one) => !one.includes(`→ ${base}`))).toEqual([]);
		expect(['bench', 'demo', 'host', 'scripts'].flatMap((folder) => into(folder, 'test'))).toEqual([]);
	});
});

describe('the sandbox', () => {
	it('knows nothing of the nodes, whose mistakes it would share', () => {
		const imported = [...importGraph('sandbox').values()].flat();
		expect(imported.filter((module) => module.startsWith(`nodes${sep}`))).toEqual([]);
	});
});

/** Casts that the compiler would refuse without the detour, in a file's lines, and have no reason on or above their line. */
function castsWithoutReason(text: string): string[] {
	const lines = text.split('\n');
	const isReason = (line = '') => /(^|\s)\/\/ \S/.test(line);
	return lines.filter((line, i) => {
		const code = line.replace(/^\s*(\/\/|\*|\/\*).*/, '');
		return /\bas (unknown as|never)\b/.test(code) && !isReason(line) && !isReason(lines[i - 1]);
	});
}

const FOLDERS = [
	'nodes',
	'credentials',
	'api',
	'sandbox',
	'scripts',
	'demo',
	'bench',
	'host',
	'test',
	'workflows',
];

/** The modules in a folder and below it, with their absolute paths; at least one. */
function modulesIn(folder: string): string[] {
	const modules = ts.sys.readDirectory(resolve(ROOT, folder), ['.ts', '.mts', '.mjs'], ['**/node_modules']);
	expect(modules.length).toBeGreaterThan(0);
	return modules;
}

describe('a cast by way of unknown, or to never', () => {
	it.each(FOLDERS)('has a comment in %s/ that says why the compiler can’t know', (folder) => {
		const found = modulesIn(folder)
			.filter((file) => !file.endsWith('architecture.test.mts'))
			.flatMap((file) =>
				castsWithoutReason(readFileSync(file, 'utf8')).map(
					(line) => `${relative(ROOT, file)}: ${line.trim()}`,
				),
			);
		expect(found).toEqual([]);
	});
});

/** The names in capitals that a module declares at its top level. */
function constantsOf(file: string): string[] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
	const namesIn = (name: ts.BindingName): string[] =>
		ts.isIdentifier(name)
			? [name.text]
			: name.elements.flatMap((one) => (ts.isBindingElement(one) ? namesIn(one.name) : []));
	return source.statements
		.filter(ts.isVariableStatement)
		.flatMap(({ declarationList }) => declarationList.declarations.flatMap(({ name }) => namesIn(name)))
		.filter((name) => /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/.test(name));
}

describe('names of the repository:', () => {
	it.each(FOLDERS)('modules are in camel case in %s/', (folder) => {
		const names = modulesIn(folder).map((module) => basename(module));
		expect(names.filter((name) => !/^[A-Za-z\d]+(\.[a-z\d]+)*$/.test(name))).toEqual([]);
	});

	it('a constant’s name has one meaning in nodes/ and credentials/: no second module declares it', () => {
		const files = new Map<string, string[]>();
		for (const file of ['nodes', 'credentials'].flatMap(modulesIn)) {
			for (const name of constantsOf(file)) {
				files.set(name, [...(files.get(name) ?? []), relative(ROOT, file)]);
			}
		}
		expect(files.size).toBeGreaterThan(300);
		const shared = [...files].filter(([, modules]) => modules.length > 1);
		expect(shared.map(([name, modules]) => `${name}: ${modules.join(', ')}`)).toEqual([]);
	});

	it('the folders with the nodes’ tests are those of the code', () => {
		const tests = modulesIn('test/nodes').filter((module) => module.endsWith('.test.mts'));
		const missing = tests.filter(
			(test) => !existsSync(resolve(ROOT, relative(resolve(ROOT, 'test'), dirname(test)))),
		);
		expect(missing).toEqual([]);
	});
});

describe('imports', () => {
	it.each(['nodes', 'sandbox', 'scripts', 'demo', 'host'])('form no cycle in %s/', (folder) => {
		const graph = importGraph(folder);
		expect(graph.size).toBeGreaterThan(3);
		expect([...graph.values()].flat().length).toBeGreaterThanOrEqual(graph.size);
		expect(findCycle(graph)).toBeUndefined();
	});
});
