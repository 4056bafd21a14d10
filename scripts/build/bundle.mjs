/**
 * Bundles the libraries that nodes use: development dependencies, because a community package may have no other
 * dependencies. The build writes the bundles to `dist/`; tests load the same ones (vitest.config.mts).
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../shared/processes.mjs';

/** The folder of the bundles in the package; in the sources, it has their types. */
const FOLDER = 'nodes/shared/eInvoice/libraries';

/** What is in each bundle. */
const LIBRARIES = {
	xml: "export { SaxesParser } from 'saxes';",
	pdf: `
		export {
			applyPredictor, DocumentParser, FilterPipeline, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef, PdfStream,
			PdfString, Scanner,
		} from '@libpdf/core';
		export { Inflate } from 'pako';
	`,
};

/**
 * LibPDF's package exports the whole library, but only the visible parts of its parser. This exports the parser, so
 * that fonts, forms and signatures can be left out.
 *
 * @type {import('esbuild').Plugin}
 */
const libPdfParser = {
	name: 'libpdf-parser',
	setup(context) {
		context.onLoad({ filter: /@libpdf[\\/]core[\\/]dist[\\/]index\.mjs$/ }, async ({ path }) => {
			const source = await readFile(path, 'utf8');
			return { contents: `${source}\nexport { applyPredictor, DocumentParser, FilterPipeline, Scanner };\n` };
		});
		// Its signing is set up when it is loaded, and needs these.
		context.onResolve({ filter: /^(?:pkijs|asn1js|@scure\/base)$/ }, ({ path }) => ({
			path,
			namespace: 'unused',
		}));
		context.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
			contents: 'exports.CryptoEngine = class {};',
		}));
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
		// The bundle contains paths; this keeps them the same where node_modules is a link.
		preserveSymlinks: true,
		target: 'es2022',
		mainFields: ['module', 'main'],
		// A cache that the PDF parser uses reports to Node.js's diagnostics, except in browsers.
		conditions: ['browser'],
		legalComments: 'none',
		// n8n's rules allow no access to these, nor to the console. Parsers don't need them: they are for caches with a
		// time limit, and for random numbers when something is encrypted.
		define: {
			process: 'undefined',
			globalThis: 'undefined',
			setTimeout: 'undefined',
			clearTimeout: 'undefined',
		},
		drop: ['console'],
		// Without comments; names are kept, so that it can be read.
		minifySyntax: true,
		minifyWhitespace: true,
		plugins: [libPdfParser],
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
		return name && (await bundle(LIBRARIES[/** @type {keyof typeof LIBRARIES} */ (name)], 'esm')).code;
	},
});

/**
 * Makes the bundles.
 *
 * @returns {Promise<{ codes: Record<string, string>, packages: string[] }>} the code of each, and the packages that
 * they contain parts of, as folders from the root of the repository
 */
async function makeBundles() {
	/** @type {Set<string>} */
	const packages = new Set();
	/** @type {Record<string, string>} */
	const codes = {};
	for (const [name, contents] of Object.entries(LIBRARIES)) {
		const { code, inputs } = await bundle(contents, 'cjs');
		codes[name] = code;
		for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
			const own = /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
			if (own && bytesInOutput > 0) packages.add(own);
		}
	}
	return { codes, packages: [...packages].sort() };
}

/** The packages of which parts are published with this one. */
export async function bundledPackages() {
	const { packages } = await makeBundles();
	return await Promise.all(packages.map(manifestOf));
}

/**
 * Writes the bundles, and the licenses of what is in them.
 *
 * @param {string} folder of the compiled package
 */
export async function writeBundles(folder) {
	const { codes, packages } = await makeBundles();
	await mkdir(join(folder, FOLDER), { recursive: true });
	for (const [name, code] of Object.entries(codes)) {
		await writeFile(join(folder, FOLDER, `${name}.js`), code);
	}
	await writeFile(join(folder, 'THIRD-PARTY-NOTICES.md'), await notices(packages));
}

/**
 * @param {string} folder of a package, from the root of the repository
 * @returns {Promise<{ name: string, version: string, license: string }>}
 */
const manifestOf = async (folder) => JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'));

/**
 * The licenses of the packages, each of which must be passed on.
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
	// Some have it only in their repository.
	return await readFile(
		own ? join(ROOT, folder, own) : join(ROOT, `scripts/build/licenses/${basename(folder)}.md`),
		'utf8',
	);
}
