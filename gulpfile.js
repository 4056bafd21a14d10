// The build: `npm run build` = clean, types and previews from the contract, compile, copy icons, codex and previews.
const { rm } = require('node:fs/promises');
const { spawn } = require('node:child_process');
const { dest, parallel, series, src } = require('gulp');

/** Runs a program of node_modules/.bin; rejects with its exit code, its output goes to the terminal. */
const run = (program, ...args) =>
	new Promise((resolve, reject) => {
		const child = spawn(program, args, {
			stdio: 'inherit',
			shell: process.platform === 'win32',
			env: {
				...process.env,
				PATH: `${__dirname}/node_modules/.bin${require('node:path').delimiter}${process.env.PATH}`,
				REDOCLY_TELEMETRY: 'off',
				REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
			},
		});
		child.on('error', reject);
		child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
	});

const clean = () => rm('dist', { recursive: true, force: true });

// Input and output stand in redocly.yaml.
const types = () => run('openapi-typescript');

const previews = () => run('tsx', 'scripts/previews.mts');

const compile = () => run('tsc', '-p', 'tsconfig.json');

/** tsc emits the codex files itself (resolveJsonModule); icons and previews are copied. `encoding: false`: gulp 5 damages binary files otherwise. */
const copy = () =>
	src(['icons/*.svg', 'nodes/**/__schema__/**/*.json'], { base: '.', encoding: false }).pipe(dest('dist'));

const lintPackage = () => run('n8n-node', 'lint');
const lintTools = () => run('eslint', '--config', 'eslint.tools.config.mjs', '--max-warnings', '0', '.');
const typecheckTools = () => run('tsc', '-p', 'tsconfig.tools.json');
const lintContract = () => run('redocly', 'lint');
const checkFormat = () => run('prettier', '--check', '--log-level', 'warn', '.');

exports.types = types;
exports.build = series(clean, types, previews, parallel(compile, copy));
exports.lint = series(lintPackage, lintTools, typecheckTools, lintContract, checkFormat);
