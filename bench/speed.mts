/**
 * Time that bookings and look-ups take on a real n8n: with our node, with n8n's HTTP Request node, and with a bare HTTP
 * client outside of n8n. Each round runs all of them, so that they see the same load.
 *
 * npx tsx bench/speed.mts [items, default 300] [--rounds 5] [--engine vm|legacy]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import pLimit from 'p-limit';

import { type N8nClient, signIn } from '../host/client.mjs';
import { startN8n } from '../host/n8n.mjs';
import { installPackage, PACKAGE, packPackage } from '../host/package.mjs';
import { exampleAnswer } from '../test/support/contract.mjs';
import { simpleEntry } from '../test/support/simpleEntry.mjs';
import { nodeOf } from '../test/support/workflows.mjs';
import { CONNECTION, startGateway } from './quickGateway.mjs';

const { values, positionals } = parseArgs({
	options: {
		rounds: { type: 'string', default: '5' },
		/** n8n's engine for expressions. */
		engine: { type: 'string', default: 'vm' },
	},
	allowPositionals: true,
});
const ITEMS = Number(positionals[0] ?? 300);
const API_KEY = 'speed-key';
/** Milliseconds that the gateway takes for an answer. */
const LATENCY = 10;

/** The same work for each contender. */
interface Job {
	name: string;
	/** Path and query. */
	path: string;
	/** What our node is given. */
	node: INodeParameters;
	/** What is posted for the item of this number; left out for a look-up. */
	body?: (belegnummer: string) => object;
	/** Requests at once, of our node and of the bare client. */
	atOnce: number;
	answer: unknown;
}

const JOBS: Job[] = [
	{
		name: 'bookings, one after another',
		path: `/v2/acct-duo/kassenbuch-einfach?connectionId=${CONNECTION}`,
		node: simpleEntry(CONNECTION),
		body: (belegnummer) => ({
			kassenname: 'Hauptkasse',
			bewegung: 'EINNAHME',
			betrag: 10,
			waehrung: 'EUR',
			steuersatz: 19,
			transaktionsdatum: '2026-03-02T09:30:00+01:00',
			belegnummer,
			belegtext: 'Tageseinnahme',
		}),
		atOnce: 1,
		answer: exampleAnswer('createCashBookEntry'),
	},
	{
		name: 'look-ups, 8 at once',
		path: `/v2/acct-duo/kassenbuecher?connectionId=${CONNECTION}`,
		node: {
			resource: 'cashBook',
			operation: 'getAll',
			connectionId: { __rl: true, mode: 'id', value: CONNECTION },
			options: { concurrency: 8 },
		},
		atOnce: 8,
		answer: exampleAnswer('listCashBooks'),
	},
];

const NODE = 'Our node';
const HTTP_REQUEST = 'HTTP Request node';
const BARE = 'Bare client';

/** A workflow that does a job with both nodes, one after the other. */
function workflowOf({ name, path, node, body }: Job, gateway: string, credentialId: string) {
	const credentials = { accountingGatewayApi: { id: credentialId, name: 'Gateway' } };
	const to = (...titles: string[]) => ({
		main: [titles.map((title) => ({ node: title, type: 'main' as const, index: 0 }))],
	});
	const jsonBody = body && `={{ ${JSON.stringify(body('K-')).replace('"K-"', '"K-" + $itemIndex')} }}`;
	return {
		name,
		settings: {},
		nodes: [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
			nodeOf(
				'Items',
				'n8n-nodes-base.code',
				{ jsCode: `return Array.from({ length: ${ITEMS} }, () => ({ json: {} }))` },
				{ typeVersion: 2 },
			),
			nodeOf(NODE, `${PACKAGE}.accountingGatewayDelivery`, node, { credentials }),
			nodeOf(
				HTTP_REQUEST,
				'n8n-nodes-base.httpRequest',
				{
					url: gateway + path,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'accountingGatewayApi',
					...(jsonBody && { method: 'POST', sendBody: true, specifyBody: 'json', jsonBody }),
				},
				{ typeVersion: 4.2, credentials },
			),
		],
		connections: { Start: to('Items'), Items: to(NODE, HTTP_REQUEST) },
	};
}

/** Seconds that each node took. */
async function inN8n(client: N8nClient, workflowId: string): Promise<Record<string, number>> {
	const { status, data } = await client.run(workflowId);
	if (status !== 'success') throw new Error(data.resultData.error?.message);
	const { runData } = data.resultData;
	return Object.fromEntries(
		[NODE, HTTP_REQUEST].map((name) => [name, runData[name][0].executionTime / 1000]),
	);
}

/** Seconds that the bare client took. */
async function bare({ path, body, atOnce }: Job, gateway: string): Promise<number> {
	const limit = pLimit(atOnce);
	const options = { headers: { 'x-api-key': API_KEY }, proxy: false as const };
	const started = performance.now();
	await Promise.all(
		Array.from({ length: ITEMS }, (_, i) =>
			limit(async () =>
				body
					? await axios.post(gateway + path, body(`K-${i}`), options)
					: await axios.get(gateway + path, options),
			),
		),
	);
	return (performance.now() - started) / 1000;
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const userFolder = await mkdtemp(join(tmpdir(), 'speed-'));
await installPackage(await packPackage(userFolder), userFolder);
const n8n = await startN8n({ userFolder, env: { N8N_EXPRESSION_ENGINE: values.engine } });
try {
	const client = await signIn(n8n.url);
	console.log(`${ITEMS} items, ${LATENCY} ms for an answer, n8n's expression engine: ${values.engine}`);
	for (const job of JOBS) {
		const gateway = await startGateway(async (body) => {
			await Promise.all([text(body), sleep(LATENCY)]);
			return job.answer;
		});
		const credentialId = await client.importCredential({
			name: 'Gateway',
			type: 'accountingGatewayApi',
			data: { apiKey: API_KEY, baseUrl: gateway.url, accountingProvider: 'acct' },
		});
		const workflowId = await client.importWorkflow(workflowOf(job, gateway.url, credentialId));
		const rounds: Array<Record<string, number>> = [];
		// The first round only warms up.
		for (let round = 0; round <= Number(values.rounds); round++) {
			const seconds = { ...(await inN8n(client, workflowId)), [BARE]: await bare(job, gateway.url) };
			if (round > 0) rounds.push(seconds);
		}
		await gateway.close();
		console.log(`\n${job.name}`);
		for (const contender of [NODE, HTTP_REQUEST, BARE]) {
			const seconds = median(rounds.map((round) => round[contender]));
			const ratio = median(rounds.map((round) => round[contender] / round[NODE]));
			console.log(
				`${contender}: ${seconds.toFixed(2)} s, ${ratio.toFixed(2)} times the time of ${NODE.toLowerCase()}`,
			);
		}
	}
} finally {
	await n8n.stop();
	await rm(userFolder, { recursive: true, force: true });
}
