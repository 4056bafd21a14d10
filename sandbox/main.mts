// Starts the sandbox from the command line: `npm run sandbox -- --help`.
import { parseArgs } from 'node:util';
import { isLoopback } from './admin/access.mjs';
import { MAX_CLIENTS } from './seed.mjs';
import { startSandbox } from './server.mjs';
import { readState, StateFile } from './stateFile.mjs';

const USAGE = `The sandbox gateway: a local gateway with books of its own.

  --port <n>           default 4010; 0 takes any free one
  --host <address>     the address to listen on; default 127.0.0.1, reachable only from this machine
  --allow-host <name>  another host name that it answers to; can be repeated
  --seed <n>           the same seed gives the same IDs; default 1
  --clients <n>        clients of the office, 2 to ${MAX_CLIENTS}; default 2
  --state <file>       keeps the state in this file from one run to the next
  --help               this text`;

const OPTIONS = {
	port: { type: 'string', default: '4010' },
	host: { type: 'string', default: '127.0.0.1' },
	'allow-host': { type: 'string', multiple: true, default: [] as string[] },
	seed: { type: 'string', default: '1' },
	clients: { type: 'string', default: '2' },
	state: { type: 'string' },
	help: { type: 'boolean', default: false },
} as const;

async function main(): Promise<void> {
	const { values } = parseArgs({ options: OPTIONS });
	if (values.help) return console.log(USAGE);
	const { host, state, 'allow-host': allowedHosts } = values;
	const sandbox = await startSandbox({
		port: wholeNumber('port', values.port),
		host,
		allowedHosts,
		seed: wholeNumber('seed', values.seed),
		clients: wholeNumber('clients', values.clients),
		state: state ? readState(state) : undefined,
	});
	const stateFile = state ? new StateFile(state, sandbox.store) : undefined;

	if (!isLoopback(host)) {
		console.warn(
			`Warning: --host ${host} lets other machines reach the sandbox. Its control API needs no key: anyone who can reach it sees what arrived, and the API keys.`,
		);
	}
	console.log(`The sandbox gateway is at ${sandbox.url} (its page too); stop it with Ctrl+C.

API key      ${sandbox.apiKey}
Connections`);
	for (const { module, id, name } of sandbox.store.accounts[0].connections) {
		console.log(`  ${module.padEnd(10)} ${id}  ${name}`);
	}

	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			sandbox
				.close()
				.then(() => stateFile?.close())
				.catch(fail);
		});
	}
}

function wholeNumber(option: string, value: string): number {
	if (!/^\d+$/.test(value)) throw new Error(`--${option} has to be a whole number, not "${value}".`);
	return Number(value);
}

function fail(error: Error): void {
	console.error(`${error.message}\nSee --help.`);
	process.exitCode = 1;
}

main().catch(fail);
