import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { TestItem } from '../../../support/harness.mjs';
import { simpleEntry } from '../../../support/simpleEntry.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const delivery = new AccountingGatewayDelivery();
const data = new AccountingGatewayData();

const NAME = 'Bäckerei Sonnenschein – duo';
const chosen = (module: 'duo' | 'rewe-read' = 'duo', cachedResultName = NAME) => ({
	__rl: true as const,
	mode: 'list',
	value: gateway.connectionId(module),
	cachedResultName,
});
const entry = (own: INodeParameters = {}) => simpleEntry(gateway.connectionId('duo'), own);
const said = async (
	node: typeof delivery | typeof data,
	parameters: INodeParameters,
	items: TestItem[] = [{}],
) => {
	const { error, hints } = await gateway.run(node, parameters, { items });
	expect(error).toBeUndefined();
	return hints.filter(({ type }) => type === 'info').map(({ message }) => message);
};

describe('after bookings', () => {
	it('the output says how many, where, and what is left', async () => {
		expect(await said(delivery, entry({ connectionId: chosen() }), [{}, {}])).toEqual([
			expect.stringMatching(
				/^2 entries booked in Hauptkasse \(Bäckerei Sonnenschein – duo\)\. Credit balance: \d+ after this run, /,
			),
		]);
	});

	it('names each cash book', async () => {
		const kassenname = '={{ $itemIndex === 1 ? "Kasse Filiale Süd" : "Hauptkasse" }}';
		const [text] = await said(delivery, entry({ kassenname, connectionId: chosen() }), [{}, {}, {}]);
		expect(text).toContain(`2 entries booked in Hauptkasse (${NAME}), 1 in Kasse Filiale Süd (${NAME}).`);
	});

	it('says what was there already', async () => {
		await said(delivery, entry({ belegnummer: '' }));
		const again = entry({ belegnummer: '', belegtext: '={{ $itemIndex ? "Neu" : "Tageseinnahme" }}' });
		expect((await said(delivery, again, [{}, {}]))[0]).toMatch(
			/^1 entry booked in Hauptkasse; 1 was there already\./,
		);
		expect((await said(delivery, again, [{}, {}]))[0]).toMatch(
			/^0 entries booked in Hauptkasse; 2 were there already/,
		);
	});

	it('names no connection that another one was put in the place of', async () => {
		const other = { ...chosen(), value: '={{ $json.connection }}' };
		const items: TestItem[] = [{ json: { connection: gateway.connectionId('duo') } }];
		expect((await said(delivery, entry({ connectionId: other }), items))[0]).toMatch(
			/^1 entry booked in Hauptkasse\. /,
		);
	});

	it('counts documents, and of equal ones one', async () => {
		const upload = {
			resource: 'document',
			operation: 'uploadDuo',
			connectionId: chosen(),
			datei: '*',
			belegtyp: 'Rechnungseingang',
			options: { idFromContent: true },
		};
		const file = (content: string): TestItem => ({ files: { data: { content: Buffer.from(content) } } });
		expect((await said(delivery, upload, [file('a'), file('b'), file('a')]))[0]).toContain(
			`2 documents uploaded to duo (${NAME}); 1 was there already.`,
		);
	});

	it('a dry run has done nothing', async () => {
		expect(await said(delivery, entry({ options: { dryRun: true } }))).toEqual([]);
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
	const years = (additionalFields: INodeParameters = {}) =>
		balances({ resource: 'fiscalYear', additionalFields });

	it('of the default company, the output says of which connection', async () => {
		const text = 'Read from the default company (Bäckerei Sonnenschein – rewe-read)';
		expect((await said(data, balances()))[0]).toContain(text);
		expect((await said(data, years()))[0]).toContain(text);
	});

	it('of a company that was chosen, it says nothing', async () => {
		const [text = ''] = await said(
			data,
			years({ companyId: { __rl: true, mode: 'id', value: '29098-10001' } }),
		);
		expect(text).not.toContain('company');
	});

	it('without a name, it has the ID', async () => {
		const connectionId = { __rl: true, mode: 'id', value: gateway.connectionId('rewe-read') };
		expect((await said(data, balances({ connectionId })))[0]).toContain(
			`Read from the default company (connection ${gateway.connectionId('rewe-read')})`,
		);
	});
});
