/** What is published: `npm pack` of the last build (`npm test` builds before it runs the tests). */
import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';

interface Manifest {
	files: string[];
	scripts: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
	[key: string]: unknown;
}

let manifest: Manifest;
let published: string[];
let bytes: number;

beforeAll(async () => {
	manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
	const { stdout } = await execa('npm', ['pack', '--dry-run', '--json']);
	const [pack] = JSON.parse(stdout) as [{ size: number; files: { path: string }[] }];
	published = pack.files.map(({ path }) => path);
	bytes = pack.size;
});

describe('the published package', () => {
	it('has every node and credential that n8n shall load', () => {
		expect(published).toEqual(expect.arrayContaining([...manifest.n8n.nodes, ...manifest.n8n.credentials]));
	});

	it('has each node’s codex beside it, and icons that are there', async () => {
		for (const path of manifest.n8n.nodes) {
			expect(published).toContain(path.replace(/\.js$/, '.json'));
			const code = await readFile(path, 'utf8');
			const icons = [...code.matchAll(/'file:\.\.\/\.\.\/(icons\/[^']+)'/g)].map(
				([, icon]) => `dist/${icon}`,
			);
			expect(icons.length, path).toBeGreaterThanOrEqual(2);
			expect(published).toEqual(expect.arrayContaining(icons));
		}
	});

	it('has nothing else: no sources, tests, tools or secrets', () => {
		const known =
			/^(package\.json|LICENSE|README\.md|CHANGELOG\.md|dist\/(nodes|credentials|icons)\/.+\.(js|json|svg))$/;
		expect(published.filter((path) => !known.test(path))).toEqual([]);
		expect(published.filter((path) => /test|sandbox|contract/.test(path))).toEqual([]);
	});

	it('is small', () => {
		expect(bytes).toBeLessThan(200_000);
	});

	it('brings no package of its own and runs nothing when it is installed', () => {
		for (const field of [
			'dependencies',
			'optionalDependencies',
			'bundleDependencies',
			'overrides',
			'resolutions',
		]) {
			expect(manifest[field], field).toBeUndefined();
		}
		expect(
			Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare|publish)$/.test(name)),
		).toEqual([]);
	});
});
