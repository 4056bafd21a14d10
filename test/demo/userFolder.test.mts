import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterEach, expect, it } from 'vitest';

import { claim, loginsIn, ownerIn, shownPath } from '../../demo/userFolder.mjs';
import { ROOT } from '../../scripts/base/processes.mjs';
import { PATIENCE_MS } from '../../scripts/base/waiting.mjs';
import { useFolder } from '../support/useFolder.mjs';

const folder = useFolder('user-folder');
const ends: Array<() => unknown> = [];
afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

const TIMEOUT = { timeout: PATIENCE_MS };

it.each([
	[resolve('.n8n/mail'), join('.n8n', 'mail')],
	[resolve('../elsewhere/mail'), resolve('../elsewhere/mail')],
	[resolve('/mail'), resolve('/mail')],
])('prints %s as a path that somebody can open from the current folder', (path, shown) => {
	expect(shownPath(path)).toBe(shown);
});

/** Claims each of some folders at the same moment as the others do, and says which ones it got. */
const CLAIMING = `
	import { once } from 'node:events';
	import { join } from 'node:path';
	import { claim } from './demo/userFolder.mts';
	const { folder, count } = JSON.parse(process.argv[1]);
	process.setMaxListeners(0);
	console.log('loaded');
	const start = Number((await once(process.stdin, 'data'))[0]);
	const got = [];
	for (let i = 0; i < count; i++) {
		while (Date.now() < start + 3 * i);
		try {
			claim(join(folder, String(i)));
			got.push(i);
		} catch (error) {
			if (!/already running with this data/.test(error.message)) throw error;
		}
	}
	console.log(JSON.stringify(got));
	await once(process.stdin, 'data');
	process.exit();
`;
const COUNT = 300;

it('gives each folder to one of the programs that claim it at the same moment', TIMEOUT, async () => {
	const root = folder();
	const programs = Array.from({ length: 2 }, () => {
		const args = ['--import', 'tsx', '--input-type=module', '--eval', CLAIMING];
		const given = JSON.stringify({ folder: root, count: COUNT });
		const program = execa(process.execPath, [...args, given], { cwd: ROOT, reject: false, all: true });
		ends.push(() => program.kill('SIGKILL'));
		return { program, lines: createInterface(program.all) };
	});
	const nextLines = async () =>
		await Promise.all(programs.map(async ({ lines }) => (await once(lines, 'line'))[0] as string));
	expect(await nextLines()).toEqual(programs.map(() => 'loaded'));

	const results = nextLines();
	for (const { program } of programs) program.stdin.write(String(Date.now() + 200));
	const got = (await results).flatMap((line) => JSON.parse(line) as number[]);
	expect(got.sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, i) => i));
});

it('takes over a folder from programs that were killed, and forgets them', () => {
	const root = folder();
	const file = join(root, 'npm-start.pid');
	// Above the highest number that a system gives.
	writeFileSync(file, '99999998\n99999999\n');
	claim(root);
	expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\n`);
});

it('makes secrets once for each folder, which nobody else may enter', () => {
	const [root, other] = ['a', 'b'].map((name) => join(folder(), name));
	const secretsIn = (one: string) => {
		const { approver, forms, links } = loginsIn(one);
		return [ownerIn(one).password, approver.password, forms.password, links.hmacSecret];
	};
	const secrets = secretsIn(root);
	expect(secretsIn(root)).toEqual(secrets);
	expect(new Set([...secrets, ...secretsIn(other)]).size).toBe(8);

	const modeOf = (path: string) => statSync(path).mode & 0o777;
	const files = readdirSync(root).map((name) => modeOf(join(root, name)));
	expect(new Set(files)).toEqual(new Set([0o600]));
	chmodSync(root, 0o755);
	claim(root);
	expect(modeOf(root)).toBe(0o700);
});
