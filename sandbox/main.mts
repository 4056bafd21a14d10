// Starts the sandbox from the command line: `npm run sandbox -- --help`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startSandbox } from './server.mjs';
import type { Snapshot } from './world.mjs';

const USAGE = `The sandbox gateway: a local gateway with books of its own.

  --port <n>     default 4010
  --host <name>  default 127.0.0.1
  --seed <n>     the same seed gives the same ids; default 1
  --state <file> reads the state from this file, if it exists, and writes it back at the end
  --help         this text`;

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '4010' },
		host: { type: 'string', default: '127.0.0.1' },
		seed: { type: 'string', default: '1' },
		state: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});
if (values.help) {
	console.log(USAGE);
	process.exit();
}

const { state } = values;
const sandbox = await startSandbox({
	port: wholeNumber('port'),
	host: values.host,
	seed: wholeNumber('seed'),
	state: state && existsSync(state) ? (JSON.parse(readFileSync(state, 'utf8')) as Snapshot) : undefined,
});

console.log(`The sandbox gateway is at ${sandbox.url} (its page too); stop it with Ctrl+C.

API key      ${sandbox.apiKey}
Connections`);
for (const { module, id, name } of sandbox.world.accounts[0].connections) {
	console.log(`  ${module.padEnd(10)} ${id}  ${name}`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => {
		if (state) writeFileSync(state, JSON.stringify(sandbox.world.snapshot()));
		void sandbox.close();
	});
}

function wholeNumber(option: 'port' | 'seed'): number {
	const number = Number(values[option]);
	if (Number.isInteger(number) && number >= 0) return number;
	console.error(`--${option} has to be a whole number, not "${values[option]}".`);
	process.exit(2);
}
