/**
 * Bundles the libraries that nodes use. They are development dependencies, because a community package may have no
 * runtime dependencies. The build writes the bundles to `dist/`; tests load the same ones (vitest.config.mts).
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../base/processes.mjs';

/** The source of each bundle, and its folder in the package; in the sources, that contains its types. */
const LIBRARIES = {
	xml: {
		folder: 'nodes/AccountingGatewayFiles/formats/libraries',
		contents: "export { SaxesParser } from 'saxes';",
	},
	inflate: {
		folder: 'nodes/AccountingGatewayFiles/eInvoice/libraries',
		contents: "export { zlibInflate as inflate, zlibInflateInit as inflateInit, ZStream } from 'pako';",
	},
};

/**
 * Bundles a library.
 *
 * @param {string} contents the module that re-exports it
 * @param {'cjs' | 'esm'} format
 */
async function bundle(contents, format) {
	const { outputFiles, metafile } = await build({
		absWorkingDir: ROOT,
		stdin: { contents, resolveDir: ROOT },
		bundle: true,
		write: false,
		metafile: true,
		format,
		platform: 'node',
		// The bundle contains paths, which must not change where node_modules is a link.
		preserveSymlinks: true,
		target: 'es2022',
		mainFields: ['module', 'main'],
		legalComments: 'none',
		// Removes comments, but keeps names, so that people can read the bundle.
		minifySyntax: true,
		minifyWhitespace: true,
		logLevel: 'error',
	});
	return { code: outputFiles[0].text, inputs: Object.values(metafile.outputs)[0].inputs };
}

/**
 * Lets tests load the bundles.
 *
 * @returns {import('vite').Plugin}
 */
export const bundledLibraries = () => ({
	name: 'bundled-libraries',
	resolveId: (id) => {
		const name = /\/libraries\/(?<name>\w+)\.js$/.exec(id)?.groups?.name;
		return name && name in LIBRARIES ? `\0library:${name}` : undefined;
	},
	load: async (id) => {
		const name = /^\0library:(?<name>\w+)$/.exec(id)?.groups?.name;
		return (
			name && (await bundle(LIBRARIES[/** @type {keyof typeof LIBRARIES} */ (name)].contents, 'esm')).code
		);
	},
});

/**
 * Makes the bundles.
 *
 * @returns {Promise<{ codes: Record<string, string>, packages: string[] }>} the code of each, and the folders of
 * the packages that they contain parts of, from the root of the repository
 */
async function makeBundles() {
	/** @type {Set<string>} */
	const packages = new Set();
	/** @type {Record<string, string>} */
	const codes = {};
	for (const [name, { contents }] of Object.entries(LIBRARIES)) {
		const { code, inputs } = await bundle(contents, 'cjs');
		codes[name] = code;
		for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
			const own = /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
			if (own && bytesInOutput > 0) packages.add(own);
		}
	}
	return { codes, packages: [...packages].sort() };
}

/** The packages of which parts are published in the bundles. */
export async function bundledPackages() {
	const { packages } = await makeBundles();
	return await Promise.all(packages.map(manifestOf));
}

/**
 * Writes the bundles, and the licenses of the packages in them.
 *
 * @param {string} folder of the compiled package
 */
export async function writeBundles(folder) {
	const { codes, packages } = await makeBundles();
	for (const [name, library] of Object.entries(LIBRARIES)) {
		await mkdir(join(folder, library.folder), { recursive: true });
		await writeFile(join(folder, library.folder, `${name}.js`), codes[name]);
	}
	await writeFile(join(folder, 'THIRD-PARTY-NOTICES.md'), await notices(packages));
}

/**
 * @param {string} folder of a package, from the root of the repository
 * @returns {Promise<{ name: string, version: string, license: string }>}
 */
const manifestOf = async (folder) => JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'));

/**
 * The licenses of the packages. Each of them requires that its text is distributed.
 *
 * @param {string[]} folders of packages, from the root of the repository
 */
async function notices(folders) {
	const sections = await Promise.all(
		folders.map(async (folder) => {
			const { name, version, license } = await manifestOf(folder);
			return `## ${name} ${version} (${license})\n\n${(await licenseText(folder)).trim()}\n`;
		}),
	);
	const introduction = 'This package contains parts of the following packages, each under its own license.';
	return `# Third-party notices\n\n${introduction}\n\n${sections.join('\n')}`;
}

/**
 * The license of a package; without one, it may not be bundled.
 *
 * @param {string} folder
 * @returns {Promise<string>}
 */
async function licenseText(folder) {
	const own = (await readdir(join(ROOT, folder))).find((name) => /^licen[cs]e/i.test(name));
	// Some packages have their license only in their repository; scripts/build/licenses has a copy.
	return await readFile(
		own ? join(ROOT, folder, own) : join(ROOT, `scripts/build/licenses/${basename(folder)}.md`),
		'utf8',
	);
}
