/** deploy/prepare.sh: what Compose needs is there, and readable where it has to be, whatever the umask. */
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { execa } from 'execa';
import { beforeEach, describe, expect, it } from 'vitest';

import { useFolder } from '../support/useFolder.mjs';

const folder = useFolder('deploy');
beforeEach(async () => {
	await cp('deploy', folder(), { recursive: true });
	for (const at of ['', 'single/']) {
		await rm(folder(`${at}secrets`), { recursive: true, force: true });
		await rm(folder(`${at}.env`), { force: true });
	}
});

const text = async (file: string) => await readFile(folder(file), 'utf8');
const mode = async (file: string) => ((await stat(folder(file))).mode & 0o777).toString(8);
const prepare = async (umask: string, what = '') =>
	await execa('sh', ['-c', `umask ${umask}; chmod go-r *.sh */*.mjs Caddyfile; sh prepare.sh ${what}`], {
		cwd: folder(),
	});

describe.skipIf(process.platform === 'win32')('prepare.sh', () => {
	it.each(['077', '022', '000'])(
		'makes files that containers can read and others can’t: umask %s',
		async (umask) => {
			await prepare(umask);
			expect(await mode('secrets')).toBe('700');
			expect(await mode('.env')).toBe('600');
			for (const file of ['secrets/encryption_key', 'secrets/postgres_password', 'Caddyfile', 'backup.sh'])
				expect(Number.parseInt(await mode(file), 8) & 0o444, file).toBe(0o444);
			for (const name of ['encryption_key', 'postgres_password'])
				expect(await text(`secrets/${name}`)).toMatch(/^[0-9a-f]{48}$/);
			expect(await text('.env')).toMatch(/^N8N_RUNNERS_AUTH_TOKEN=[0-9a-f]{48}\n$/);
		},
	);

	it('prepares the folder of one n8n with SQLite, which needs one secret', async () => {
		await prepare('077', 'single');
		expect(await mode('single/secrets')).toBe('700');
		expect(await mode('single/.env')).toBe('600');
		expect(await readdir(folder('single/secrets'))).toEqual(['encryption_key']);
		for (const file of ['single/secrets/encryption_key', 'Caddyfile', 'single/backup.mjs'])
			expect(Number.parseInt(await mode(file), 8) & 0o444, file).toBe(0o444);
		expect(await text('single/.env')).toMatch(/^N8N_RUNNERS_AUTH_TOKEN=[0-9a-f]{48}\n$/);
	});

	it('changes no secret that is there, and nothing else in .env', async () => {
		await writeFile(folder('.env'), 'N8N_DOMAIN=n8n.example.com');
		await prepare('077');
		const before = [await text('secrets/encryption_key'), await text('.env')];
		expect(before[1]).toMatch(/^N8N_DOMAIN=n8n\.example\.com\nN8N_RUNNERS_AUTH_TOKEN=\w{48}\n$/);
		await prepare('022');
		expect([await text('secrets/encryption_key'), await text('.env')]).toEqual(before);
	});
});
