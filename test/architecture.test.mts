/** Rules of docs/architecture.md that the folders alone can't enforce. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
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
			.readDirectory(resolve(ROOT, folder), ['.ts', '.mts'])
			.map((file) => [relative(ROOT, file), importsOf(file).map((imported) => relative(ROOT, imported))]),
	);

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

describe('imports', () => {
	it.each(['nodes', 'sandbox'])('form no cycle in %s/', (folder) => {
		const graph = importGraph(folder);
		expect(graph.size).toBeGreaterThan(20);
		expect([...graph.values()].flat().length).toBeGreaterThan(graph.size);
		expect(findCycle(graph)).toBeUndefined();
	});

	it('are found, both of types and of values', () => {
		expect(importGraph('sandbox').get('sandbox/server.mts')).toEqual(
			expect.arrayContaining(['sandbox/context.mts', 'sandbox/store.mts']),
		);
	});

	it('that form a cycle are listed', () => {
		const graph = new Map([
			['a', ['b', 'c']],
			['b', []],
			['c', ['d']],
			['d', ['b', 'c']],
		]);
		expect(findCycle(graph)).toEqual(['c', 'd', 'c']);
	});
});
