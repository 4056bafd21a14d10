/** What is published: `npm pack` of the last build (`npm test` builds before it runs the tests). */
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/base/processes.mjs';

interface Manifest {
	files: string[];
	scripts: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
	name: string;
	version: string;
	repository: { url: string };
	[key: string]: unknown;
}

let manifest: Manifest;
/** The unpacked tarball. */
let folder: string;
/** Its files. */
let published: string[];
/** Its size in the registry, and on disk. */
let size: number;
let unpackedSize: number;

beforeAll(async () => {
	manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
	const target = await mkdtemp(join(tmpdir(), 'published-'));
	const { stdout } = await execa('npm', ['pack', '--json', '--pack-destination', target]);
	const [pack] = JSON.parse(stdout) as [{ filename: string; size: number; unpackedSize: number }];
	({ size, unpackedSize } = pack);
	await execa('tar', ['-xzf', join(target, pack.filename), '-C', target]);
	folder = join(target, 'package');
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	published = entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'));
});

describe('the published package', () => {
	it('has every node and credential that n8n has to load', () => {
		expect(published).toEqual(expect.arrayContaining([...manifest.n8n.nodes, ...manifest.n8n.credentials]));
	});

	it('has each node’s codex beside it, and icons that exist', async () => {
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
			/^(package\.json|LICENSE|README\.md|CHANGELOG\.md|dist\/THIRD-PARTY-NOTICES\.md|dist\/(nodes|credentials|icons)\/.+\.(js|json|svg))$/;
		expect(published.filter((path) => !known.test(path))).toEqual([]);
		expect(published.filter((path) => /test|sandbox|openapi/.test(path))).toEqual([]);
	});

	it('has the documents that a user reads', () => {
		expect(published).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md']));
	});

	it('names no path of the machine that built it, and no source map', async () => {
		for (const path of published.filter((file) => file.startsWith('dist/'))) {
			const content = await readFile(join(folder, path), 'utf8');
			expect(content.includes(ROOT), path).toBe(false);
			expect(content, path).not.toMatch(/sourceMappingURL|\/home\/|\/Users\/|[A-Z]:\\Users/);
		}
	});

	it('uses only what every version of n8n depends on directly: its image has no other packages for a node', async () => {
		const code = await Promise.all(
			published
				.filter((path) => path.endsWith('.js'))
				.map(async (path) => await readFile(join(folder, path), 'utf8')),
		);
		const used = code.flatMap((text) =>
			[...text.matchAll(/require\("([^."][^"]*)"\)/g)].map(([, name]) => name),
		);
		expect([...new Set(used)].sort()).toEqual(['lodash', 'luxon', 'n8n-workflow', 'node:crypto']);
	});

	it('isn’t published by a bare `npm publish`, which would ship whatever dist/ has', async () => {
		// Nothing listens there; npm asks for a login before it looks at the package.
		const nowhere = ['--registry=http://127.0.0.1:9', '--//127.0.0.1:9/:_authToken=x', '--fetch-retries=0'];
		const { exitCode, stderr } = await execa('npm', ['publish', ...nowhere], { reject: false });
		expect(exitCode).toBe(1);
		expect(stderr).toContain('EPRIVATE');
	});

	it('has a bill of materials that lists the package and what is bundled, with version, license and hash', async () => {
		const { stdout } = await execa('npm', ['run', '--silent', 'sbom']);
		const { bomFormat, metadata, components, dependencies } = JSON.parse(stdout) as {
			bomFormat: string;
			metadata: { component: { purl: string } };
			components: Array<{ name: string; version: string }>;
			dependencies: Array<{ ref: string; dependsOn: string[] }>;
		};
		const { name, version } = manifest;
		expect(bomFormat).toBe('CycloneDX');
		expect(metadata.component.purl).toBe(`pkg:npm/${name}@${version}`);
		const notices = await readFile(join(folder, 'dist/THIRD-PARTY-NOTICES.md'), 'utf8');
		const bundled = [...notices.matchAll(/^## (\S+) (\S+) \((.+)\)$/gm)];
		expect(bundled.length).toBeGreaterThan(0);
		expect(components).toHaveLength(bundled.length);
		for (const [, library, number, license] of bundled) {
			expect(components).toContainEqual(
				expect.objectContaining({
					name: library,
					version: number,
					licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
					hashes: [expect.objectContaining({ alg: 'SHA-512' })],
				}),
			);
		}
		expect(stdout).not.toMatch(/"cdx:npm:package:(development|private)"/);
		const refs = components.map((component) => `${component.name}@${component.version}`);
		const root = `${name}@${version}`;
		expect(dependencies.map(({ ref }) => ref).sort()).toEqual([root, ...refs].sort());
		expect(dependencies.find(({ ref }) => ref === root)?.dependsOn.sort()).toEqual(refs.sort());
	});

	it('links only to the repository that package.json names', async () => {
		const { repository } = manifest;
		const address = repository.url.replace(/^git\+|\.git$/g, '');
		const links: string[] = [];
		for (const path of ['package.json', ...published.filter((file) => /^dist\/.*\.js(on)?$/.test(file))]) {
			const content = await readFile(join(folder, path), 'utf8');
			links.push(...(content.match(/https:\/\/github\.com\/[^"'\s>]+/g) ?? []));
		}
		expect(links.length).toBeGreaterThan(10);
		expect(links.filter((link) => !link.startsWith(address))).toEqual([]);
	});

	it('takes at most 325 KB packed, and 1.16 MB unpacked', () => {
		expect(size).toBeLessThanOrEqual(325_000);
		expect(unpackedSize).toBeLessThanOrEqual(1_160_000);
	});

	it('is replaced as a whole when n8n updates it without a restart: nothing is loaded past `require`, whose cache n8n empties', async () => {
		const files = published.filter((path) => path.endsWith('.js'));
		const code = await Promise.all(
			files.map(async (path) => [path, await readFile(join(folder, path), 'utf8')]),
		);
		expect(code.filter(([, text]) => /\bimport\(/.test(text)).map(([path]) => path)).toEqual([]);
	});

	it('reads no code at n8n’s start that reads files, or runs an operation or a trigger', async () => {
		const script = `
			for (const path of ${JSON.stringify([...manifest.n8n.nodes, ...manifest.n8n.credentials])}) require(${JSON.stringify(`${folder}/`)} + path);
			const files = Object.keys(require.cache).filter((path) => path.startsWith(${JSON.stringify(folder)}));
			console.log(JSON.stringify(files));
		`;
		const { stdout } = await execa('node', ['-e', script], {
			env: { NODE_PATH: join(ROOT, 'node_modules') },
		});
		const files = JSON.parse(stdout) as string[];
		expect(files.length).toBeGreaterThan(100);
		expect(
			files.filter((path) =>
				/\/formats\/|\/libraries\/|\/read[A-Z]\w+\.js$|\/journalBooking\/journal\.js$|\/(?:run|emit|poll|receive)\.js$/.test(
					path,
				),
			),
		).toEqual([]);
	});

	it('takes at most 3.5 MB of n8n’s memory from its start, so it makes nothing that only some runs need', async () => {
		const args = ['--expose-gc', 'bench/load.mjs', join(ROOT, 'package.json'), folder];
		const loaded: number[] = [];
		// What is compiled beside it differs from one process to the next, by a tenth.
		for (let round = 0; round < 3; round++) {
			const { stdout } = await execa('node', args, { env: { NODE_PATH: join(ROOT, 'node_modules') } });
			loaded.push((JSON.parse(stdout) as { bytes: number }).bytes);
		}
		expect(Math.min(...loaded)).toBeLessThanOrEqual(3.5e6);
	});

	it('reads e-invoices with the libraries that are bundled, loaded when the first one is read', async () => {
		const samples = join(ROOT, 'test/nodes/AccountingGatewayFiles/eInvoice/samples');
		const script = `
			const { readFileSync } = require('node:fs');
			const { readInvoice } = require(${JSON.stringify(join(folder, 'dist/nodes/AccountingGatewayFiles/eInvoice/readInvoice.js'))});
			const loaded = () => Object.keys(require.cache).filter((path) => path.includes('libraries')).length;
			const before = loaded();
			readInvoice(readFileSync(${JSON.stringify(join(samples, 'objectStreams.pdf'))}), 'a.pdf').then(({ invoice }) =>
				console.log(before, loaded(), invoice.number, invoice.grossAmount),
			);
		`;
		const { stdout } = await execa('node', ['-e', script], {
			env: { NODE_PATH: join(ROOT, 'node_modules') },
		});
		expect(stdout).toBe('0 2 FX-1 119');
	});

	it('has the license of everything that is bundled', async () => {
		const notices = await readFile(join(folder, 'dist/THIRD-PARTY-NOTICES.md'), 'utf8');
		const named = [...notices.matchAll(/^## (\S+) \d+\.\d+\.\d+ \(/gm)].map(([, name]) => name);
		expect(named.sort()).toEqual(['pako', 'saxes', 'xmlchars']);
		expect(notices.match(/copyright/gi)?.length).toBeGreaterThanOrEqual(named.length);
	});

	it('has no dependencies of the kinds that n8n’s rules overlook', () => {
		expect(manifest).not.toHaveProperty('optionalDependencies');
		expect(manifest).not.toHaveProperty('bundleDependencies');
	});
});

it('the package uses n8n’s official lint rules, unchanged', async () => {
	const template = 'node_modules/@n8n/node-cli/dist/template/templates/shared/default/eslint.config.mjs';
	const rules = async (file: string) => (await readFile(file, 'utf8')).replace(/\s+/g, ' ');
	expect(await rules('eslint.config.mjs')).toBe(await rules(template));
});
