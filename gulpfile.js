// The build: `npm run build` = clean, types and previews from the contract, compile, bundle libraries, copy icons, codex and previews.
const { rm } = require('node:fs/promises');
const { promisify } = require('node:util');
const { dest, parallel, series, src, watch } = require('gulp');

/** gulp prints such an error without its stack, which is about gulp and this file. */
const failed = (message) => Object.assign(new Error(message), { showStack: false });

/** Runs a program of node_modules/.bin; its output goes to the terminal. */
const run = async (program, ...args) => {
	const { execa } = await import('execa');
	const result = await execa(program, args, { preferLocal: true, stdio: 'inherit', reject: false });
	if (result.failed) throw failed(result.shortMessage);
};

const clean = () => rm('dist', { recursive: true, force: true });

// scripts/config/redocly.yaml names input and output.
const types = () => run('openapi-typescript', '--redocly', 'scripts/config/redocly.yaml');

// The previews, and docs/parameters.md.
const pages = () => run('tsx', 'scripts/docs/parameterDocs.mts');

/**
 * Runs the native compiler, which emits the same in a third of the processor time. ESLint's rules need the package
 * `typescript`. It runs in one thread, because several would check the same types repeatedly. What `import()` loads is loaded
 * by `require`, whose cache n8n empties when it updates a package; that of `import()` would go on giving the old code.
 */
const TSC = [
	...['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json', '--singleThreaded'],
	...['--module', 'commonjs', '--moduleResolution', 'bundler'],
];

/** What the compiler says is the error, so that it is the last thing to read. */
const compile = async () => {
	const { execa } = await import('execa');
	const result = await execa('node', TSC, { reject: false });
	if (result.failed) throw failed(result.stdout || result.shortMessage);
};

/** The compiler emits the codex files itself (resolveJsonModule); icons and previews are copied. `encoding: false`: gulp 5 damages binary files otherwise. */
const COPIED = ['icons/*.svg', 'nodes/**/__schema__/**/*.json'];
const copy = () => src(COPIED, { base: '.', encoding: false }).pipe(dest('dist'));

/** Writes the libraries that nodes use, and their licenses. */
const libraries = async () => await (await import('./scripts/build/bundle.mjs')).writeBundles('dist');

/** Removes the build's stamp, because the output of `tsc --watch` isn't a complete build. */
const unstamp = async () => await (await import('./scripts/build/build.mjs')).clearStamp();
/** Compiles changed files until it is stopped. */
const compileWatch = () => run('node', ...TSC, '--watch', '--preserveWatchOutput');
const copyWatch = () => watch(COPIED, copy);

const build = series(clean, types, parallel(compile, libraries, series(pages, copy)));

exports.types = types;
exports.compile = compile;
exports.build = async () => {
	const { stamped } = await import('./scripts/build/build.mjs');
	await stamped(promisify(build));
};
exports.watch = series(unstamp, types, pages, copy, libraries, parallel(compileWatch, copyWatch));
