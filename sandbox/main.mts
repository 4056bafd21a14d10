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

const OPTIONS = {
	port: { type: 'string', default: '4010' },
	host: { type: 'string', default: '127.0.0.1' },
	seed: { type: 'string', default: '1' },
	state: { type: 'string' },
	help: { type: 'boolean', default: false },
} as const;

async function main(): Promise<void> {
	const { values } = parseArgs({ options: OPTIONS });
	if (values.help) return console.log(USAGE);
	const { host, state } = values;
	const sandbox = await startSandbox({
		port: wholeNumber('port', values.port),
		host,
		seed: wholeNumber('seed', values.seed),
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
}

function wholeNumber(option: string, value: string): number {
	if (!/^\d+$/.test(value)) throw new Error(`--${option} has to be a whole number, not "${value}".`);
	return Number(value);
}

main().catch((error: Error) => {
	console.error(`${error.message}\nSee --help.`);
	process.exitCode = 1;
});
