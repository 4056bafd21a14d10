/** Commands of n8n that find their port taken, with a program in place of n8n that says so. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { N8n } from '../../host/n8n.mjs';
import { useFolder } from '../support/useFolder.mjs';

const folder = useFolder('n8n-commands');

/** Notes its port, and has lost it as often as it is told. */
const PROGRAM = `
	const { appendFileSync, readFileSync } = require('node:fs');
	const port = process.env.N8N_RUNNERS_BROKER_PORT;
	const file = process.env.PORTS_FILE;
	appendFileSync(file, port + '\\n');
	const isLost = readFileSync(file, 'utf8').trim().split('\\n').length <= Number(process.env.LOST);
	if (isLost) console.log("n8n Task Broker's port " + port + ' is already in use. Do you have another instance of n8n running already?');
	else console.log(process.argv.slice(2).join(' '));
	process.exit(isLost ? 1 : Number(process.env.CODE));
`;

async function runCommand(settings: Record<string, string>) {
	const [program, file] = [folder('n8n.cjs'), folder('ports')];
	writeFileSync(program, PROGRAM);
	writeFileSync(file, '');
	const env = { PORTS_FILE: file, ...settings };
	const n8n = new N8n({ userFolder: folder(), program, env }, 1, 2);
	const said = await n8n.cli('execute', '--id=7').catch((error: Error) => error);
	return { said, ports: readFileSync(file, 'utf8').trim().split('\n') };
}

it('a command whose port was taken meanwhile runs again with another one', async () => {
	const { said, ports } = await runCommand({ LOST: '2', CODE: '0' });
	expect(said).toBe('execute --id=7');
	expect(new Set(ports).size).toBe(3);
});

it('a command that fails for another reason runs once', async () => {
	const { said, ports } = await runCommand({ LOST: '0', CODE: '3' });
	expect(String(said)).toContain('n8n execute --id=7 ended with exit code 3:\nexecute --id=7');
	expect(ports).toHaveLength(1);
});
