/** deploy/single/compose.yaml without Docker: a real n8n with its settings and SQLite, and its backup. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import axios from 'axios';
import { execa } from 'execa';
import omit from 'lodash/omit.js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { signIn } from '../../host/client.mjs';
import { hostNode } from '../../host/n8n.mjs';
import { composeEnvironment } from '../support/compose.mjs';
import { useFolder } from '../support/useFolder.mjs';
import { nodeOf } from '../../host/workflows.mjs';
import { Rig } from '../support/rig.mjs';
import { freePort } from '../../scripts/base/ports.mjs';
import { OWN_PORTS } from '../support/ownPorts.mjs';

const HOUR_MS = 3_600_000;
const folder = useFolder('backups');
let rig: Rig;
let workflowId: string;
let env: Record<string, string>;

beforeAll(async () => {
	const settings = await composeEnvironment('deploy/single/compose.yaml', 'n8n');
	// The key is in n8n's own folder, and nobody runs code. The sandbox is on this machine.
	const rest = omit(settings, 'N8N_ENCRYPTION_KEY_FILE');
	const here = { N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1', N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8' };
	rig = await Rig.start({ env: { ...rest, ...here } });
	workflowId = await rig.client.importWorkflow({
		name: 'Receipts by webhook',
		nodes: [
			nodeOf(
				'Webhook',
				'n8n-nodes-base.webhook',
				{ httpMethod: 'POST', path: 'single', responseMode: 'lastNode', options: {} },
				{ typeVersion: 2, webhookId: 'single' },
			),
			nodeOf(
				'Upload',
				'n8n-nodes-accounting-gateway.accountingGatewayDelivery',
				{
					resource: 'document',
					operation: 'uploadDuo',
					connectionId: { __rl: true, mode: 'id', value: 'cc842d9e-7a63-4388-8355-94c114ced647' },
					belegtyp: { __rl: true, mode: 'value', value: 'Rechnungseingang' },
					datei: '*',
				},
				{ credentials: rig.credentials },
			),
		],
		connections: { Webhook: { main: [[{ node: 'Upload', type: 'main', index: 0 }]] } },
	});
	await rig.publishWebhook(workflowId, 'webhook/single');
});
afterAll(async () => await rig?.stop());
beforeEach(() => {
	const DATABASE = join(rig.n8n.userFolder, '.n8n/database.sqlite');
	env = { DATABASE, BACKUP_FOLDER: folder(), N8N_URL: rig.n8nUrl };
});

/** As the container runs it, with n8n's own Node.js. */
const backup = async (...args: string[]) =>
	await execa(hostNode(), ['deploy/single/backup.mjs', ...args], { env, reject: false, all: true });
const upload = async (content: string) => {
	const data = new FormData();
	data.append('receipt', new Blob([content], { type: 'application/pdf' }), 'Rechnung.pdf');
	return (await axios.post(`${rig.n8nUrl}/webhook/single`, data)).status;
};
const executions = async () => (await rig.executions(workflowId)).length;

it('a backup comes back with the files of its executions, and only while n8n doesn’t run', async () => {
	expect(await upload('%PDF-1.4 first')).toBe(200);
	const [{ id: first }] = await rig.executionsEnded(workflowId, 1);
	const documents = rig.sandbox.store.list('documents') as Array<{ id: string }>;
	expect(documents).toHaveLength(1);
	// By this, n8n's list of executions finds the upload.
	const stored = await rig.client.api.get(`executions/${first}`, { params: { includeData: true } });
	expect(stored.data.customData).toEqual({ id: documents[0].id });
	expect((await backup('once')).all).toMatch(/backed up: .*\.sqlite, \d+ bytes/);
	const [file] = (await readdir(folder())).filter((name) => name !== 'files');
	expect((await stat(folder(file))).mode & 0o777).toBe(0o600);

	await upload('%PDF-1.4 second');
	await rig.executionsEnded(workflowId, 2);
	const running = await backup('restore', file);
	expect([running.exitCode, running.all]).toEqual([1, expect.stringContaining('n8n is still running')]);
	expect(await executions()).toBe(2);

	await rig.n8n.stop();
	// As on a new machine.
	for (const name of ['binaryData', 'storage'])
		await rm(join(rig.n8n.userFolder, '.n8n', name), { recursive: true, force: true });
	const { exitCode, all } = await backup('restore', file);
	expect([exitCode, all]).toEqual([0, expect.stringContaining(`restored: ${file}`)]);
	await rig.n8n.start();
	rig.client = await signIn(rig.n8nUrl);
	const [{ id }] = await rig.executionsEnded(workflowId, 1);
	const [item] = (await rig.client.execution(id)).data.resultData.runData.Webhook[0].data!.main[0]!;
	const [receipt] = Object.values(item.binary!);
	expect(receipt.id).toMatch(/^filesystem/);
	expect(String(await rig.client.download(receipt))).toBe('%PDF-1.4 first');
});

it('a file stays in the backups for as long as n8n has it, and then as long as a backup needs it', async () => {
	const file = join(rig.n8n.userFolder, '.n8n/storage/receipt');
	const copy = folder('files/storage/receipt');
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, '%PDF-1.4');
	await backup('once');
	const passDays = async (days: number) => {
		const time = new Date((await stat(copy)).mtimeMs - days * 24 * HOUR_MS);
		await utimes(copy, time, time);
		await backup('once');
		return existsSync(copy);
	};
	expect(await passDays(30)).toBe(true);
	await rm(file);
	// The backup of yesterday refers to it.
	expect(await passDays(1)).toBe(true);
	expect(await passDays(14)).toBe(false);
});

it('a backup that fails leaves nothing that looks like one, and a damaged one isn’t restored', async () => {
	await writeFile(folder('n8n-2026-01-01_013000.sqlite'), 'no database');
	const failed = await execa(hostNode(), ['deploy/single/backup.mjs', 'once'], {
		env: { ...env, DATABASE: folder('missing.sqlite') },
		reject: false,
		all: true,
	});
	expect([failed.exitCode, failed.all]).toEqual([1, expect.stringContaining('THE BACKUP FAILED')]);
	expect(await readdir(folder())).toEqual(['n8n-2026-01-01_013000.sqlite']);

	env.N8N_URL = `http://127.0.0.1:${await freePort(OWN_PORTS)}`;
	const before = await stat(env.DATABASE);
	for (const name of ['n8n-2026-01-01_013000.sqlite', 'n8n-none.sqlite', '']) {
		const { exitCode, all } = await backup('restore', name);
		expect([exitCode, all]).toEqual([1, expect.stringContaining('NOTHING WAS RESTORED')]);
	}
	expect((await stat(env.DATABASE)).ino).toBe(before.ino);
});

it('old backups go when there is a new one, which the health check wants to be a day old at most', async () => {
	const dated = async (days: number) => {
		const file = folder(`n8n-${days}.sqlite`);
		await writeFile(file, '');
		const time = new Date(Date.now() - days * 24 * HOUR_MS);
		await utimes(file, time, time);
	};
	await dated(2);
	await dated(30);
	expect((await backup('check')).exitCode).toBe(1);
	const service = execa(hostNode(), ['deploy/single/backup.mjs'], {
		env: { ...env, BACKUP_AT: '08:09' },
		reject: false,
	});
	await expect.poll(async () => (await backup('check')).exitCode).toBe(0);
	const left = async () => (await readdir(folder())).filter((name) => name.endsWith('.sqlite'));
	await expect.poll(async () => (await left()).length).toBe(2);
	expect(await left()).toContain('n8n-2.sqlite');
	service.kill('SIGTERM');
	expect((await service).exitCode).toBe(0);
	await rm(folder(), { recursive: true });
});
