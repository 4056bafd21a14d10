/**
 * `npm run publisher -- --repository you/your-repository --author "Your Name" --email you@your.domain`: puts these values into
 * package.json and into every link that leads to the repository. `npm run publisher -- --check` lists every place that
 * still has placeholders; a release begins with this check.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';

import { explainFailures, ROOT, UserError } from '../base/processes.mjs';

interface Manifest {
	author: { name: string; email: string };
	homepage: string;
	bugs: { url: string };
	repository: { type: string; url: string };
}

/** The placeholders for the publisher's data. The demo's e-mail address isn't one of them. */
const INVENTED = /(?<!demo@)accounting-gateway\.example|github\.com\/accounting-gateway\//;

const { values } = parseArgs({
	options: {
		check: { type: 'boolean', default: false },
		repository: { type: 'string' },
		author: { type: 'string' },
		email: { type: 'string' },
	},
});

explainFailures();
if (values.check) await check();
else await change();

/** All text files of the repository, each with its path. */
async function texts(): Promise<Array<[file: string, text: string]>> {
	const { stdout } = await execa('git', ['grep', '-I', '-z', '--name-only', ''], { cwd: ROOT });
	// Tests and this file are excluded, because they contain the placeholders on purpose.
	const files = stdout
		.split('\0')
		.filter((file) => file && !file.startsWith('test/') && !file.startsWith('scripts/release/'));
	return await Promise.all(
		files.map(async (file) => [file, await readFile(join(ROOT, file), 'utf8')] satisfies [string, string]),
	);
}

async function check(): Promise<void> {
	const places = (await texts()).flatMap(([file, text]) =>
		text.split('\n').flatMap((line, i) => (INVENTED.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
	);
	if (places.length === 0) return console.log('Repository, author and e-mail are set.');
	throw new UserError(
		`These still name a placeholder repository or author. Set yours with: npm run publisher -- --repository you/your-repository --author "Your Name" --email you@your.domain\n\n${places.join('\n')}`,
	);
}

async function change(): Promise<void> {
	const { repository, author, email } = values;
	if (!/^[\w.-]+\/[\w.-]+$/.test(repository ?? '') || !author || !/^\S+@\S+\.\S+$/.test(email ?? ''))
		throw new UserError(
			'Usage: npm run publisher -- --repository you/your-repository --author "Your Name" --email you@your.domain',
		);
	const file = join(ROOT, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
	const former = manifest.repository.url.replace(/^git\+https:\/\/github\.com\/|\.git$/g, '');
	for (const [path, text] of await texts()) {
		const changed = text.replaceAll(`github.com/${former}`, `github.com/${repository}`);
		if (changed !== text) await writeFile(join(ROOT, path), changed);
	}
	const moved = JSON.parse(await readFile(file, 'utf8')) as Manifest;
	moved.author = { name: author, email: email! };
	await writeFile(file, `${JSON.stringify(moved, null, '\t')}\n`);
	await check();
	console.log('Now run `npm run build` (docs/parameters.md has links, too), and commit.');
}
