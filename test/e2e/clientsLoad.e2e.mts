/**
 * An office of 80 clients on a real n8n, each night, its table from a CSV file, and its month: `npm run test:e2e --
 * --project=load clientsLoad`. `LOAD_CLIENTS` changes their number.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pick from 'lodash/pick.js';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Mail, startMail } from '../../demo/mailbox.mjs';
import type { Imported } from '../../demo/demo.mjs';
import { GARBAGE, loading, PATIENT_REGEX } from '../../host/intoN8n.mjs';
import { madeTable } from '../../demo/tableOfClients.mjs';
import { importMailing, rowsOf } from '../support/mailingExamples.mjs';
import { Rig } from '../support/rig.mjs';

const CLIENTS = Number(process.env.LOAD_CLIENTS ?? 80);
const PEOPLE = ['anna', 'bert', 'cem', 'dora'].map((name) => `${name}@kanzlei.example`);

let rig: Rig;
let mail: Mail;
let examples: Imported[];
const workflow = (name: string) => examples.find((one) => one.name === name)!.workflowId;

interface Row {
	id: number;
	mandant: string;
	companyId: string;
	zustaendig: string | null;
	duo: string | null;
}

beforeAll(async () => {
	const env = { N8N_RUNNERS_MODE: 'internal', ...loading(PATIENT_REGEX, GARBAGE) };
	rig = await Rig.start({ sandbox: { clients: CLIENTS }, env });
	mail = await startMail();
	examples = await importMailing(rig, mail, 'office', (name) =>
		['client', 'clients', 'close-month', 'close-month-client'].includes(name),
	);
});
afterAll(async () => {
	await rig?.stop();
	await mail?.stop();
});

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Memory that n8n's process keeps, without those that run Code, in MB. */
async function memory(): Promise<number> {
	// Where there is room, Node.js leaves garbage: as much as 540 MB were seen, and as little as none.
	process.kill(rig.n8n.pid!, 'SIGUSR2');
	await sleep(3_000);
	const status = await readFile(`/proc/${rig.n8n.pid}/status`, 'utf8');
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1024;
}

/** Empties the table of clients, and puts a CSV file into it, as n8n's page of the table does. */
async function importIntoTable(lines: string[]): Promise<void> {
	const { api, rest } = rig.client;
	const { id: table } = await madeTable(rig.client, 'Mandanten');
	const filter = { type: 'and', filters: [{ columnName: 'companyId', condition: 'neq', value: '' }] };
	await api.delete(`data-tables/${table}/rows/delete?filter=${encodeURIComponent(JSON.stringify(filter))}`);
	const file = new FormData();
	file.append('file', new Blob([lines.join('\r\n')], { type: 'text/csv' }), 'Mandanten.csv');
	const { data: uploaded } = await rest.post('data-tables/uploads', file);
	const { data: project } = await rest.get('projects/personal');
	await rest.post(`projects/${project.data.id}/data-tables/${table}/import-csv`, {
		fileId: uploaded.data.id,
	});
}

it(
	'nothing is mixed up, whoever fails is named, and neither memory nor the time of a client grows',
	{ timeout: 1_800_000 },
	async () => {
		const fill = async () => {
			expect((await rig.client.run(workflow('clients'), 600_000)).status).toBe('success');
			return await rowsOf<Row>(rig, 'Mandanten', {});
		};
		// All but the one whose connections don't work.
		const known = await fill();
		expect(known).toHaveLength(CLIENTS - 1);
		const cells = known.map(({ mandant, companyId, duo }, index) => ({
			mandant,
			companyId,
			zustaendig: PEOPLE[index % PEOPLE.length],
			duo,
		}));
		// The file has all but the connections, and takes the place of the rows that *Clients* made, as the page says.
		await importIntoTable([
			'mandant,companyId,zustaendig',
			...cells.map(({ mandant, companyId, zustaendig }) => `"${mandant}",${companyId},${zustaendig}`),
		]);
		const rows = await fill();
		expect(rows.map((row) => pick(row, ['mandant', 'companyId', 'zustaendig', 'duo']))).toEqual(cells);
		const earlier = mail.emails.length;
		const before = await memory();
		const { status } = await rig.client.run(workflow('close-month'), 1_500_000);
		const grown = (await memory()) - before;
		expect(status).toBe('success');

		const [cost, ...months] = mail.emails.slice(earlier);
		expect(cost.text).toContain(`${CLIENTS - 1} Mandanten`);
		expect(months.map(({ to }) => to[0]).sort()).toEqual(PEOPLE);
		const sizes = new Map<string, string>();
		for (const { to, text, attachments } of months) {
			const own = rows.filter(({ zustaendig }) => zustaendig === to[0]);
			const parts = text.trim().split('\n\n');
			expect(parts.map((part) => part.split('\n')[0].replace(/, NICHT .*/, '')).sort()).toEqual(
				own.map(({ mandant }) => mandant).sort(),
			);
			expect(parts.filter((part) => part.includes('NICHT')).map((part) => part.split(',')[0])).toEqual(
				own.filter(({ companyId }) => companyId === '29098-10002').map(({ mandant }) => mandant),
			);
			const read = own.filter(({ companyId }) => companyId !== '29098-10002');
			const named = attachments.map(({ dateiname }) => dateiname.replace(/ \d\d\.\d\d\.\d{4}\.xlsx$/, ''));
			expect(named.sort()).toEqual(
				read.flatMap(({ mandant }) => ['Journal', 'OPOS', 'SuSa'].map((kind) => `${kind} ${mandant}`)).sort(),
			);
			for (const { dateiname, sha256 } of attachments.filter(
				({ dateiname }) => !dateiname.startsWith('OPOS'),
			)) {
				// No file has another client's content.
				expect(sizes.get(sha256), dateiname).toBeUndefined();
				sizes.set(sha256, dateiname);
			}
		}

		const ids = await rig.client.executionIds(workflow('close-month-client'));
		const runs = await Promise.all(
			ids.map(
				async (id) =>
					(await rig.client.api.get(`executions/${id}`)).data as Record<'startedAt' | 'stoppedAt', string>,
			),
		);
		const times = runs
			.sort((a, b) => a.startedAt.localeCompare(b.startedAt))
			.map(({ startedAt, stoppedAt }) => Date.parse(stoppedAt) - Date.parse(startedAt));
		expect(times).toHaveLength(CLIENTS - 1);
		const some = Math.max(4, Math.floor(times.length / 4));
		// The first one loads what the others find. Of the others, the client without a subscription takes no time, so the middle counts.
		const [first, last] = [median(times.slice(1, 1 + some)), median(times.slice(-some))];
		console.log(
			`${CLIENTS} clients: memory ${grown.toFixed(0)} MB more; ${first.toFixed(0)} ms a client at first, ${last.toFixed(0)} ms at the end`,
		);
		expect(last).toBeLessThan(1.5 * first);
		expect(grown).toBeLessThan(200);
	},
);
