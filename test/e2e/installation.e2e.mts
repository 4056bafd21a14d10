/**
 * What docs/install.md says: the package without npm's registry, by the editor's buttons, and where n8n allows verified
 * packages only.
 */
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { EXAMPLE_EVENT } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import { type N8nClient, signIn } from '../../host/client.mjs';
import { Editor } from '../../host/editor.mjs';
import { type N8n, startN8n } from '../../host/n8n.mjs';
import { PACKAGE, packageFolder } from '../../host/package.mjs';
import { type NpmRegistry, startNpmRegistry } from '../support/npmRegistry.mjs';
import { NIGHTLY } from '../../scripts/base/extent.mjs';
import { LEAN } from '../support/rig.mjs';
import { TriggerRig } from '../support/triggerRig.mjs';

/** Its command, in docs/install.md. */
const UNINSTALL = /with n8n stopped `(rm -rf .*?)`/;
const NODE = `${PACKAGE}.accountingGatewayDelivery`;
/** What n8n 3.0 makes the default. */
const VERIFIED_ONLY = { ...LEAN, N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' };

let folder: string;
let version: string;
let registry: NpmRegistry;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'installation-'));
	const { stdout } = await execa('tar', ['-xzOf', inject('tarball'), 'package/package.json']);
	({ version } = JSON.parse(stdout) as { version: string });
	registry = await startNpmRegistry(inject('tarball'), folder);
});
afterAll(async () => {
	registry?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** The version of the package that an n8n has loaded, if any. */
async function loaded({ rest }: N8nClient): Promise<string | undefined> {
	const { data } = await rest.post(
		'node-types',
		{ nodeInfos: [{ name: NODE, version: 1 }] },
		{ validateStatus: () => true },
	);
	return (data.data as Array<{ communityNodePackageVersion?: string }> | undefined)?.[0]
		?.communityNodePackageVersion;
}

describe('with N8N_UNVERIFIED_PACKAGES_ENABLED=false', () => {
	const started: N8n[] = [];

	afterAll(async () => void (await Promise.all(started.map((n8n) => n8n.stop()))));

	/** Starts an n8n without the package, which has this list of packages. */
	async function start(...packages: object[]): Promise<N8n> {
		const userFolder = await mkdtemp(join(folder, 'n8n-'));
		await cp(inject('template'), userFolder, { recursive: true });
		const n8n = await startN8n({
			userFolder,
			env: {
				...VERIFIED_ONLY,
				...registry.env,
				N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
				N8N_COMMUNITY_PACKAGES: JSON.stringify(packages),
			},
		});
		started.push(n8n);
		return n8n;
	}

	it('installs the package when it is listed with version and checksum', async () => {
		const { url, logFile } = await start({ name: PACKAGE, version, checksum: registry.checksum });
		expect(await readFile(logFile, 'utf8')).toContain(
			`Installed community package '${PACKAGE}@${version}' from env`,
		);
		expect(await loaded(await signIn(url))).toBe(version);
		expect(registry.requests.some((path) => path.endsWith('.tgz'))).toBe(true);
	});

	it.runIf(NIGHTLY)('refuses another checksum, and runs without the package', async () => {
		const { url, logFile } = await start({ name: PACKAGE, version, checksum: 'sha512-AAAA' });
		expect(await readFile(logFile, 'utf8')).toMatch(/Failed to install community package .* checksum/i);
		expect(await loaded(await signIn(url))).toBeUndefined();
	});

	it.runIf(NIGHTLY)('does not start when the package is listed without a checksum', async () => {
		await expect(start({ name: PACKAGE, version })).rejects.toThrow(
			/no checksum available for .* and unverified packages are disabled/,
		);
	});
});

describe('without npm’s registry', () => {
	let rig: TriggerRig;
	let trigger: string;
	let registered: string;

	beforeAll(async () => {
		rig = await TriggerRig.start({ env: VERIFIED_ONLY });
		trigger = await rig.addWorkflow('Payments');
	});
	afterAll(async () => await rig?.stop());

	/** Runs commands of docs/install.md as the user in whose home n8n keeps its data. Returns what they print. */
	async function runCommands(pattern: RegExp, tarball: string): Promise<string> {
		const [, commands] = pattern.exec(await readFile('docs/install.md', 'utf8'))!;
		const cwd = await mkdtemp(join(folder, 'downloads-'));
		await cp(tarball, join(cwd, `${PACKAGE}-0.1.0.tgz`));
		const env = { HOME: rig.n8n.userFolder };
		return (await execa('sh', ['-euc', commands], { cwd, env })).stdout;
	}

	const unpack = async (tarball: string) => await runCommands(/^```\n(openssl [^]*?)^```/m, tarball);

	/** The package as if it were another version. */
	async function otherVersion(number: string): Promise<string> {
		const unpacked = join(folder, number);
		await cp(packageFolder(rig.n8n.userFolder), join(unpacked, 'package'), { recursive: true });
		const file = join(unpacked, 'package/package.json');
		await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), version: number }));
		const tarball = join(folder, `${PACKAGE}-${number}.tgz`);
		await execa('tar', ['-czf', tarball, '-C', unpacked, 'package']);
		return tarball;
	}

	const deliver = async () =>
		(await axios.post(registered, EXAMPLE_EVENT, { validateStatus: () => true })).status;

	it('is loaded from where it was unpacked, over an older version, of which n8n 2 asks nothing; published triggers stay', async () => {
		registered = await rig.publish(trigger);
		const newer = await otherVersion('99.0.0');
		await rm(packageFolder(rig.n8n.userFolder), { recursive: true });
		const sha512 = createHash('sha512').update(await readFile(inject('tarball')));
		expect(await unpack(inject('tarball'))).toBe(sha512.digest('base64'));
		await unpack(newer);
		await rig.restart();
		expect(await loaded(rig.client)).toBe('99.0.0');
		// n8n's list of packages doesn't have it, so n8n offers no update.
		expect((await rig.client.rest.get('community-packages')).data.data).toEqual([]);
		expect(rig.registeredUrl).toBe(registered);
		expect(await deliver()).toBe(200);
	});

	it.runIf(NIGHTLY)(
		'removed while a trigger is published, it leaves an address at the gateway that refuses each event',
		async () => {
			await runCommands(UNINSTALL, inject('tarball'));
			await rig.restart();
			expect(await loaded(rig.client)).toBeUndefined();
			expect(rig.registeredUrl).toBe(registered);
			expect(await deliver()).toBeGreaterThanOrEqual(400);
		},
	);

	it.runIf(NIGHTLY)('put back in the older version, it goes on', async () => {
		await unpack(inject('tarball'));
		await rig.restart();
		expect(await loaded(rig.client)).toBe(version);
		expect(await deliver()).toBe(200);
	});

	describe.runIf(NIGHTLY)('by the buttons of Settings → Community nodes', () => {
		let n8n: N8n;
		let editor: Editor;

		beforeAll(async () => {
			// A published trigger would be published again by n8n itself, as soon as the package is back.
			await rig.unpublish(trigger);
			await runCommands(UNINSTALL, inject('tarball'));
			await rig.n8n.stop();
			n8n = await startN8n({
				userFolder: rig.n8n.userFolder,
				env: { ...registry.env, N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' },
			});
			rig.client = await signIn(n8n.url);
			editor = await Editor.open(n8n.url);
		});
		afterAll(async () => {
			await editor?.close();
			await n8n?.stop();
		});

		const shown = async () => (await editor.package.innerText()).split('\n');

		it('is installed from npm’s registry', async () => {
			await editor.openPackages();
			await editor.installPackage(PACKAGE);
			expect(await shown()).toEqual([PACKAGE, expect.stringContaining('7 nodes'), `v${version}`]);
			expect(await loaded(rig.client)).toBe(version);
			registered = await rig.publish(trigger);
			expect(await deliver()).toBe(200);
		});

		it('is updated, without a restart, and published triggers stay', async () => {
			await registry.publish(await otherVersion('99.0.0'));
			await editor.openPackages();
			await editor.updatePackage();
			await expect.poll(shown).toContain('v99.0.0');
			expect(await loaded(rig.client)).toBe('99.0.0');
			expect(rig.registeredUrl).toBe(registered);
			expect(await deliver()).toBe(200);
		});

		it('is uninstalled, and installed in its older version', async () => {
			await rig.client.deactivate(trigger);
			await editor.uninstallPackage();
			await expect.poll(async () => await loaded(rig.client)).toBeUndefined();
			await editor.openPackages();
			await editor.installPackage(`${PACKAGE}@${version}`);
			expect(await shown()).toContain(`v${version}`);
			expect(await loaded(rig.client)).toBe(version);
		});
	});
});
