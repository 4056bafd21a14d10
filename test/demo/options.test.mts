import { describe, expect, it } from 'vitest';

import { UserError } from '../../scripts/base/processes.mjs';
import { run as dev } from '../../demo/dev.mjs';
import { run as start } from '../../demo/start.mjs';

describe.each([
	['npm start', start],
	['npm run dev', dev],
])('%s', (name, run) => {
	it.each([
		[['--unknown'], /^Unknown option '--unknown'/],
		[['--port', 'abc'], /^--port has to be a port number between 1 and 65535, not "abc"\.$/],
		[['--sandbox-port', '65536'], /^--sandbox-port has to be a port number/],
		[['--port'], /^Option '--port <value>' argument missing/],
	])('refuses %j before anything is started, with a sentence', async (args, sentence) => {
		const refused = run(args, new AbortController().signal);
		await expect(refused).rejects.toThrow(UserError);
		await expect(refused).rejects.toThrow(sentence);
		if (!args.includes('abc') && !args.includes('65536')) await expect(refused).rejects.toThrow(name);
	});
});

it.each(['1', '301', 'many', '2.5'])('npm start refuses %s clients', async (clients) => {
	await expect(start(['--clients', clients], new AbortController().signal)).rejects.toThrow(
		`--clients has to be a whole number between 2 and 300, not "${clients}".`,
	);
});
