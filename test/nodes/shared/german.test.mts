/** With "Deutsch" as the language of messages, no English sentence of the nodes' own reaches a person. */
import { readFileSync, readdirSync } from 'node:fs';

import type { IDataObject, INodeParameters, NodeError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayFiles } from '../../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { AccountingGatewayMobility } from '../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { type Failure, failureText } from '../../../nodes/shared/errors/index.js';
import { httpError } from '../../../nodes/shared/gateway/failures/httpError.js';
import { networkError } from '../../../nodes/shared/gateway/failures/networkError.js';
import {
	invalidJson,
	notReady,
	unexpectedResponse,
} from '../../../nodes/shared/gateway/failures/unexpectedResponse.js';
import { OUTCOMES, wordsOf } from '../../../nodes/shared/run/outcomes.js';
import type { Bilingual } from '../../../nodes/shared/values/index.js';
import type { FaultInput } from '../../../sandbox/admin/faults.mjs';
import { type RunOptions, type RunResult, type TestItem, searchList } from '../../../host/harness.mjs';
import { simpleEntry, uploadToDuo } from '../../../host/workflows.mjs';
import { testCredential } from '../../support/testCredential.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();

/** Names of the form, of n8n and of others are quoted; a field's own name stands in brackets. */
const withoutQuotations = (text: string) => text.replace(/„[^“]*“/g, '').replace(/\([^()]*\)/g, '');
const ENGLISH =
	/\b(?:the|and|which|isn't|wasn't|didn't|has|have|been|this|that|you|your|with|again|if|sent|read|booked|nothing|unknown|gateway's|must|look|check)\b/i;

function expectGerman(text: string | null | undefined): void {
	expect(text).toBeTruthy();
	expect(withoutQuotations(text!)).not.toMatch(ENGLISH);
}

/** Both languages say something, or neither does, and they differ. */
function expectBoth({ en, de }: Bilingual): void {
	expect(de === '').toBe(en === '');
	if (en === '') return;
	expect(de).not.toBe(en);
	expectGerman(de);
}

describe('the words of a failure', () => {
	const expectFailure = (failure: Failure) => {
		const { message, description } = failureText(failure);
		expectBoth(message);
		expectBoth(description);
	};

	const CODES = [
		'ENOTFOUND',
		'FILE_UNREADABLE',
		'ECONNREFUSED',
		'CERT_HAS_EXPIRED',
		'HOSTNAME_MISMATCH',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'EPROTO',
		'ERR_INVALID_CHAR',
		'DEADLINE_EXCEEDED',
		'ANSWER_TOO_LARGE',
		'ERR_CANCELED',
		'SSRF',
		'ECONNRESET',
	];
	it.each(CODES)('of a request without an answer (%s)', (code) => {
		for (const writes of [true, false])
			for (const progress of ['connecting', 'sending', 'handedOver'] as const)
				expectFailure(networkError(code, writes, progress));
	});

	it.each([300, 307, 400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 500, 503])(
		'of status %d',
		(status) => {
			const body = { message: 'Die Periode 3/2026 ist abgeschlossen' };
			for (const writes of [true, false])
				for (const said of [body, null])
					for (const exists of [true, false])
						expectFailure(
							httpError({ status, body: said, retryAfter: 5 }, writes, { saysItExists: () => exists }),
						);
		},
	);

	it("of an answer that can't be used", () => {
		for (const writes of [true, false]) {
			expectFailure(unexpectedResponse(writes));
			expectFailure(unexpectedResponse(writes, { received: { id: 'R-17' } }));
			for (const text of ['<html>', '{']) expectFailure(invalidJson(200, text, writes));
		}
		expectFailure(notReady(202, null));
	});

	it.each(Object.keys(OUTCOMES) as Array<keyof typeof OUTCOMES>)('of the outcome %s', (name) => {
		for (const kind of ['read', 'write', 'local'] as const) {
			const { title, counted } = wordsOf(name, kind);
			expectBoth(title);
			if (counted) expectBoth(counted);
		}
	});
});

describe('a run', () => {
	const run = async (
		node: RunOptions['node'],
		parameters: INodeParameters,
		options: Partial<RunOptions> & { items?: TestItem[] } = {},
	) =>
		await gateway.run(node, parameters, {
			items: [{ json: { n: 1 } }, { json: { n: 2 } }, { json: { n: 3 } }],
			credential: { ...gateway.credential, language: 'de' },
			...options,
		});
	const entry = (own?: INodeParameters) =>
		simpleEntry(gateway.connectionId('duo'), { belegnummer: '=K-{{ $json.n }}', ...own });
	const delivery = new AccountingGatewayDelivery();

	function expectAllGerman({ error, hints, errors }: RunResult): void {
		expectGerman(error?.message ?? 'gut');
		expectGerman(error?.description || 'gut');
		for (const { message } of hints) expectGerman(message);
		for (const { error: text, details } of errors) {
			expectGerman(text as string);
			expectGerman(((details as IDataObject).reason as Bilingual).de);
		}
	}

	const FAULTS: Array<[string, FaultInput]> = [
		['a broken connection', { kind: 'drop', point: 'after-handler', after: 1 }],
		['a refused value', { kind: 'status', status: 422, after: 1, body: { message: 'Kasse geschlossen' } }],
		['a record that is there', { kind: 'status', status: 409, after: 1 }],
		['a key that is refused', { kind: 'status', status: 401, after: 1 }],
		['a failing gateway', { kind: 'status', status: 500, after: 1, times: null }],
	];
	it.each(FAULTS)('that meets %s, in stop mode, with the error output, and by "Retry"', async (_, fault) => {
		await gateway.fault(fault);
		const stopped = await run(delivery, entry());
		expect(stopped.error).toBeDefined();
		expectAllGerman(stopped);
		expectAllGerman(await run(delivery, entry(), { retryOf: stopped.run }));
		await gateway.fault({ ...fault, after: 0 } as FaultInput);
		expectAllGerman(
			await run(delivery, entry({ belegnummer: '=M-{{ $json.n }}' }), {
				settings: { onError: 'continueErrorOutput' },
			}),
		);
	});

	it.each<[string, INodeParameters]>([
		['values that break rules', { betrag: '=x{{ $json.n }}', waehrung: 'EURO' }],
		['the same number twice', { belegnummer: 'K-1' }],
		['cash below 0', { bewegung: 'AUSGABE', options: { kassenbestand: 1 } }],
		['too few credits', { options: { minimumCredits: 1_000_000 } }],
		['a dry run', { options: { dryRun: true } }],
		['an expression without a value', { additionalFields: { gegenkonto: '={{ $json.missing }}' } }],
		['warnings', { steuersatz: '91' }],
	])('with %s', async (_, own) => {
		expectAllGerman(await run(delivery, entry(own)));
		expectAllGerman(await run(delivery, entry(own), { settings: { onError: 'continueErrorOutput' } }));
	});

	it('that remembers, reads, buys or uploads', async () => {
		const file = { content: Buffer.from('%PDF-1.4'), fileName: 'Beleg.pdf', mimeType: 'application/pdf' };
		const upload = uploadToDuo(gateway.connectionId('duo'), { options: { alreadyUploaded: true } });
		const items = [{ files: { data: file } }];
		expectAllGerman(await run(delivery, upload, { items, workflowId: 'memory' }));
		expectAllGerman(await run(delivery, upload, { items, workflowId: 'memory' }));
		const customer = { resource: 'customer', operation: 'create', name: '=Kunde {{ $json.n }}' };
		expectAllGerman(await run(new AccountingGatewayMobility(), customer));
		const read = {
			resource: 'trialBalance',
			operation: 'getAll',
			connectionId: gateway.connectionId('rewe-read'),
			geschaeftsjahrStartDatum: { __rl: true, mode: 'value', value: '2026-01-01' },
		};
		expectAllGerman(await run(new AccountingGatewayData(), read, { items: [{}] }));
		expectAllGerman(await run(new AccountingGatewayData(), { ...read, geschaeftsjahrStartDatum: 'gestern' }));
		await gateway.fault({ kind: 'status', status: 403 });
		expectAllGerman(await run(new AccountingGatewayData(), read));
	});

	it('of the node without a credential, by its option', async () => {
		const read = { resource: 'eInvoice', operation: 'read', options: { language: 'de' } };
		expectAllGerman(await run(new AccountingGatewayFiles(), read, { credential: undefined }));
	});

	it("of a list in the form, and of the credential's own test", async () => {
		const credential = { ...gateway.credential, language: 'de' };
		const search = async (parameters: INodeParameters) =>
			await searchList({ node: delivery, credential, method: 'searchCashBooks', parameters }).then(
				() => expect.unreachable('it found something'),
				(error: unknown) => error as NodeError,
			);
		const form = { resource: 'cashBookEntry', operation: 'create' };
		expectGerman((await search(form)).message);
		await gateway.fault({ kind: 'status', status: 403 });
		const refused = await search({ ...form, connectionId: gateway.connectionId('duo') });
		expectGerman(refused.message);
		expectGerman(refused.description);
		const tested = await Promise.all([
			testCredential(credential),
			testCredential({ ...credential, apiKey: 'a-wrong-key' }),
			testCredential({ ...credential, apiKey: '' }),
			testCredential({ ...credential, baseUrl: 'ftp://x' }),
		]);
		for (const { message } of tested) expectGerman(message);
	});

	it('in English without a choice', async () => {
		const { error } = await run(delivery, entry({ betrag: 'x' }), { credential: gateway.credential });
		expect(error?.message).toMatch(/^Nothing was sent: /);
	});
});

it('only the composer of errors makes one that n8n shows', () => {
	const MAKERS = [
		'nodes/shared/errors/errorText.ts',
		// A list's description must reach the editor as plain text.
		'nodes/shared/form/listSearch.ts',
		// An item's error has the text of the item.
		'nodes/shared/run/report/outputItems.ts',
	];
	const makers = readdirSync('nodes', { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => `nodes/${name}`)
		.filter((file) => /new Node(?:Operation|Api)Error\(/.test(readFileSync(file, 'utf8')));
	expect(makers.sort()).toEqual(MAKERS);
});
