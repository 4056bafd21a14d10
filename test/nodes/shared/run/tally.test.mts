import type { INodeParameters, INodeType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayBanking } from '../../../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js';
import { AccountingGatewayData } from '../../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayMobility } from '../../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import type { TestItem } from '../../../../host/harness.mjs';
import { simpleEntry } from '../../../../host/workflows.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const delivery = new AccountingGatewayDelivery();
const data = new AccountingGatewayData();
const mobility = new AccountingGatewayMobility();
const banking = new AccountingGatewayBanking();

const NAME = 'Bäckerei Sonnenschein – duo';
const chosen = (module: 'duo' | 'rewe-read' = 'duo', cachedResultName = NAME) => ({
	__rl: true as const,
	mode: 'list',
	value: gateway.connectionId(module),
	cachedResultName,
});
const entry = (own: INodeParameters = {}) => simpleEntry(gateway.connectionId('duo'), own);
const said = async (node: INodeType, parameters: INodeParameters, items: TestItem[] = [{}]) => {
	const { error, hints } = await gateway.run(node, parameters, { items });
	expect(error).toBeUndefined();
	return hints.filter(({ type }) => type === 'info').map(({ message }) => message);
};

describe('after bookings', () => {
	it('the output says how many, where, and what is left', async () => {
		expect(await said(delivery, entry({ connectionId: chosen() }), [{}, {}])).toEqual([
			expect.stringMatching(
				/^2 entries booked in Hauptkasse \(Bäckerei Sonnenschein – duo\)\. Credit balance: \d+ after this run \(/,
			),
		]);
	});

	it('names each cash book', async () => {
		const kassenname = '={{ $itemIndex === 1 ? "Kasse Filiale Süd" : "Hauptkasse" }}';
		const [text] = await said(delivery, entry({ kassenname, connectionId: chosen() }), [{}, {}, {}]);
		expect(text).toContain(`2 entries booked in Hauptkasse (${NAME}), 1 in Kasse Filiale Süd (${NAME}).`);
	});

	it('leaves out where everything was there already, and names one place where all of them were', async () => {
		const both = '={{ $itemIndex ? "Kasse Filiale Süd" : "Hauptkasse" }}';
		await said(delivery, entry({ belegnummer: '' }));
		const again = async () =>
			(await said(delivery, entry({ belegnummer: '', kassenname: both }), [{}, {}]))[0];
		expect(await again()).toMatch(/^1 entry booked in Kasse Filiale Süd; 1 was already known\./);
		expect(await again()).toMatch(/^0 entries booked in Hauptkasse; 2 were already known/);
	});

	it('takes no name from the form that was left over there', async () => {
		const left = { ...chosen(), mode: 'id' };
		expect((await said(delivery, entry({ connectionId: left })))[0]).toMatch(
			/^1 entry booked in Hauptkasse\. /,
		);
	});

	it('names no connection that another one was put in the place of', async () => {
		const other = { ...chosen(), value: '={{ $json.connection }}' };
		const items: TestItem[] = [{ json: { connection: gateway.connectionId('duo') } }];
		expect((await said(delivery, entry({ connectionId: other }), items))[0]).toMatch(
			/^1 entry booked in Hauptkasse\. /,
		);
	});
});

describe('after other writes', () => {
	it('says how many tickets were activated', async () => {
		const create = {
			resource: 'ticket',
			operation: 'create',
			product_id: 'deutschlandticket-job',
			additionalFields: { postal_code: '90402' },
		};
		const { json } = await gateway.run(mobility, create);
		const activate = {
			resource: 'ticket',
			operation: 'activate',
			ticket_id: '={{ $json.id }}',
			coupon_id: '={{ $json.coupon_id }}',
			additionalFields: { postal_code: '90402' },
		};
		expect(await said(mobility, activate, [{ json: json[0] }])).toEqual(['1 ticket activated']);
	});

	it('says how many customers there are now', async () => {
		const customer = { resource: 'customer', operation: 'create', name: '=Firma {{ $itemIndex }}' };
		expect(await said(mobility, customer, [{}, {}])).toEqual(['2 customers created']);
	});
});

describe('after reads', () => {
	const balances = (own: INodeParameters = {}) => ({
		resource: 'paymentTerm',
		operation: 'getAll',
		connectionId: chosen('rewe-read', 'Bäckerei Sonnenschein – rewe-read'),
		geschaeftsjahrStartDatum: { __rl: true, mode: 'day', value: '2026-03-01' },
		...own,
	});
	const years = (own: INodeParameters = {}) => balances({ resource: 'fiscalYear', ...own });

	const AT = '(Bäckerei Sonnenschein – rewe-read)';
	const company = { __rl: true as const, value: '29098-10001' };
	const inList = { ...company, mode: 'list', cachedResultName: '29098-10001 Bäckerei Sonnenschein GmbH' };
	it.each<[string, () => INodeParameters, string]>([
		['the default company', balances, `the connection's default company ${AT}`],
		['the years of the default company', years, `the connection's default company ${AT}`],
		[
			'a company of the list',
			() => years({ companyId: inList }),
			`29098-10001 Bäckerei Sonnenschein GmbH ${AT}`,
		],
		['an ID', () => years({ companyId: { ...company, mode: 'id' } }), `company 29098-10001 ${AT}`],
		[
			'a connection without a name',
			() => balances({ connectionId: { __rl: true, mode: 'id', value: gateway.connectionId('rewe-read') } }),
			"the connection's default company (connection ",
		],
	])('of %s, the output says of which company and connection', async (_what, parameters, text) => {
		expect((await said(data, parameters()))[0]).toContain(`Read from ${text}`);
	});

	it('of a company and of the default one, it names both', async () => {
		const companyId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
		const items: TestItem[] = [{ json: { id: '29098-10001' } }, {}];
		expect((await said(data, years({ companyId }), items))[0]).toMatch(
			/^Read from company 29098-10001 \(.+\), the connection's default company \(.+\)/,
		);
	});
});

describe('what is counted', () => {
	it('is told of five places, and how many more there are', async () => {
		const url = '=https://{{ "abcdefg"[$itemIndex] }}.example.com/hook';
		const setUrl = { resource: 'webhook', operation: 'setUrl', url };
		const hosts = (count: number) => Array.from({ length: count }, (): TestItem => ({}));
		const five =
			'1 webhook URL set (a.example.com), 1 (b.example.com), 1 (c.example.com), 1 (d.example.com), 1 (e.example.com)';
		expect(await said(banking, setUrl, hosts(5))).toEqual([five]);
		expect(await said(banking, setUrl, hosts(7))).toEqual([`${five} and 2 more`]);
	});

	it('is told apart by the IDs of several connections, whose case doesn’t matter', async () => {
		const [one, other] = [gateway.connectionId('duo'), 'ffffffff-0000-4000-8000-00000000000a'];
		const connectionId = `={{ ["${one}", "${one.toUpperCase()}", "${other}"][$itemIndex] }}`;
		for (const belegnummer of ['K-10', 'K-11', 'K-12']) {
			const body = { belegnummer, kassenname: 'Hauptkasse' };
			await gateway.fault({ kind: 'status', status: 200, body, contains: `"${belegnummer}"` });
		}
		expect(
			await said(delivery, entry({ connectionId, belegnummer: '={{ "K-1" + $itemIndex }}' }), [{}, {}, {}]),
		).toEqual([`2 entries booked in Hauptkasse (connection ${one}), 1 in Hauptkasse (connection ${other})`]);
	});
});
