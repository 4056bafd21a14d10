// Mutation testing of a single file: `npm run mutate -- nodes/shared/values/money.ts`. Stryker changes the file in
// small ways, one at a time, and runs the tests beside it; it prints the changes that no test detects.
import { fileURLToPath } from 'node:url';

const { argv } = process;
/** The files to change; Stryker reads the same option. */
const mutate = argv[argv.indexOf('--mutate') + 1] ?? '';
/** The folder of the first file: nodes/shared/values, nodes/AccountingGatewayData. Its tests run. */
const [room] = /^nodes\/(shared\/)?[^/,*]+/.exec(mutate) ?? [];
if (!room) throw new Error('Usage: npm run mutate -- <file of nodes/>,<another one beside it>');
// Every run generates the same test values.
process.env.PROOF_SEED ??= '1';

export default {
	testRunner: 'vitest',
	vitest: { configFile: 'vitest.config.mts', related: false },
	// What all nodes run is tested with the nodes as well.
	testFiles: [
		`test/${room}/**/*.test.mts`,
		...(room === 'nodes/shared/run' ? ['test/nodes/Acc*/**/*.test.mts'] : []),
	],
	plugins: ['@stryker-mutator/vitest-runner', fileURLToPath(new URL('./survivors.mjs', import.meta.url))],
	coverageAnalysis: 'perTest',
	// Changes to code that runs only while a file is loaded, like a form's texts, would need all tests each time.
	ignoreStatic: true,
	concurrency: 1,
	disableTypeChecks: false,
	tsconfigFile: '',
	tempDirName: 'tmp/stryker',
	ignorePatterns: ['/docs', '/tmp', '/host/versions'],
	// Long enough that only the change can cause a timeout, even on a busy machine.
	timeoutMS: 120_000,
	dryRunTimeoutMinutes: 20,
	reporters: ['progress-append-only', 'survivors', 'clear-text'],
	clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: true },
};
