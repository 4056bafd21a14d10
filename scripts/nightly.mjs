// Behind `npm run nightly`: what takes longer than a change should wait for, one after another. `npm run nightly -- mutations`
// runs a part of it; the last lines say what failed and how long each part took.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, spawnInherited, UserError } from './base/processes.mjs';

const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];
const TSX = ['--import', 'tsx'];
const STRYKER = [
	'node_modules/@stryker-mutator/core/bin/stryker.js',
	'run',
	'scripts/config/stryker.config.mjs',
];
/**
 * A run of Stryker for each file of a folder: it says at its end what survived, and a night that is too short keeps what is done.
 *
 * @param {string} folder
 */
const mutationsOf = (folder) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => [...STRYKER, '--mutate', join(folder, path)]);

/** The largest file that is read, in bytes. */
const LARGEST_FILE = '45000000';
/** CEN's own tests of its rules: a clone of ConnectingEurope/eInvoicing-EN16931. */
const RULES = process.env.RULES ?? join(ROOT, 'tmp/eInvoicing-EN16931');
const THOROUGH = { NIGHTLY: 'true', PROOF_RUNS: '5000', PROOF_TRIES: 'all' };

/**
 * The parts: their environment, and the programs that Node.js runs.
 *
 * @type {Record<string, { env?: Record<string, string>, programs: string[][] }>}
 */
export const PARTS = {
	// Files and answers that are made to be as much work as they can be, of the largest size that is read.
	constructed: {
		env: { ...THOROUGH, HOSTILE_BYTES: LARGEST_FILE },
		programs: [
			[
				...VITEST,
				'--project=nodes',
				'test/nodes/shared/gateway/answer',
				'test/nodes/shared/errors/hostileInput',
				'test/nodes/AccountingGatewayFiles/eInvoice/hostile',
				'test/nodes/AccountingGatewayFiles/formats',
			],
		],
	},
	// The nodes in n8n's engine, with 5,000 generated values in place of 40.
	proofs: { env: THOROUGH, programs: [[...VITEST, '--project=nodes']] },
	// Memory of long runs and large files, and what else starts other programs.
	'long-runs': { env: THOROUGH, programs: [[...VITEST, '--project=tools']] },
	// The rules of EN 16931, judged by CEN's own tests.
	rules: {
		env: { RULES },
		programs: [[...TSX, 'scripts/proof/eInvoices.mts', 'test/nodes/AccountingGatewayFiles/eInvoice/samples']],
	},
	// What writes, and what values are built from: each small change must make a test fail.
	mutations: {
		programs: [...mutationsOf('nodes/shared/run/write'), ...mutationsOf('nodes/shared/values')],
	},
	// On a real n8n: an update of the package among them.
	n8n: {
		env: { NIGHTLY: 'true' },
		programs: [
			[...VITEST, ...['examples', 'e2e', 'shared', 'queue', 'load'].map((name) => `--project=${name}`)],
		],
	},
	versions: { programs: [[...TSX, 'scripts/versions/versions.mts']] },
	bench: { programs: [[...TSX, 'bench/main.mts']] },
};

/**
 * Runs parts one after another, also after one that failed.
 *
 * @param {string[]} names none: all of them
 * @returns {Promise<number>} the exit code
 */
export async function nightly(names) {
	const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
	if (unknown) throw new UserError(`There is no part "${unknown}", only ${Object.keys(PARTS).join(', ')}.`);
	const chosen = names.length > 0 ? names : Object.keys(PARTS);
	if (chosen.includes('rules') && !existsSync(RULES))
		throw new UserError(
			`CEN's tests are missing: git clone --depth 1 https://github.com/ConnectingEurope/eInvoicing-EN16931 ${RULES}`,
		);
	const outcomes = [];
	for (const name of chosen) {
		const { env = {}, programs } = PARTS[name];
		const begun = performance.now();
		const codes = [];
		console.log(`\n=== ${name}`);
		const before = { ...process.env };
		Object.assign(process.env, env);
		for (const program of programs) codes.push(await spawnInherited(...program));
		process.env = before;
		const outcome = Math.max(...codes) === 0 ? 'ok' : 'FAILED';
		outcomes.push({ name, outcome, minutes: (performance.now() - begun) / 60_000 });
	}
	console.log('\n=== Nightly');
	for (const { name, outcome, minutes } of outcomes)
		console.log(`${outcome.padEnd(6)}  ${minutes.toFixed(1).padStart(6)} min  ${name}`);
	return outcomes.some(({ outcome }) => outcome !== 'ok') ? 1 : 0;
}
