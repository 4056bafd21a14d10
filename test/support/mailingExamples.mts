/** Examples that send e-mails, in a real n8n, with mailboxes of their own. */
import isMatch from 'lodash/isMatch.js';

import type { Mail } from '../../demo/mailbox.mjs';
import {
	importExamples,
	type Imported,
	storeFormCredentials,
	storeMailCredentials,
} from '../../demo/demo.mjs';
import { madeTable, type StoredRow, typeIntoTable } from '../../demo/tableOfClients.mjs';
import type { Rig } from './rig.mjs';

/**
 * Imports examples that send e-mails, with credentials for the rig's sandbox and the mailboxes.
 * @param suffix of the names of the mailboxes' credentials and the called workflows, because other tests use the same
 * n8n
 * @param copies whether the wanted ones get it, too, because another test uses the same example
 */
export async function importMailing(
	rig: Rig,
	mail: Mail,
	suffix: string,
	wanted: (name: string) => boolean,
	copies = false,
): Promise<Imported[]> {
	const credentials = {
		accountingGatewayApi: rig.credential.id,
		...(await storeMailCredentials(rig.client, mail, ` (${suffix})`)),
		...(await storeFormCredentials(rig.client)),
	};
	return await importExamples(rig.client, credentials, ({ name }) => wanted(name), ` (${suffix})`, copies);
}

/**
 * The table of clients as *Clients* and a person fill it: each client's connections are those that are its alone. The tests of one
 * n8n share the table.
 */
export async function fillTableOfClients({ client, sandbox }: Rig): Promise<void> {
	const make = async () => await madeTable(client, 'Mandanten');
	// Another test may make it meanwhile.
	const { id } = await make().catch(make);
	for (const { id: companyId, name: mandant, chart } of sandbox.store.companies) {
		const own = (module: string) =>
			sandbox.store.accounts[0].connections.find(
				(one) => one.module === module && one.companyIds.join() === companyId,
			)!.id;
		const row: StoredRow = {
			mandant,
			companyId,
			duo: own('duo'),
			rewe: own('rewe'),
			reweRead: own('rewe-read'),
			kontenrahmen: chart.kontenrahmen,
			kontonummernLaenge: chart.digits,
		};
		const filters = [{ columnName: 'companyId', condition: 'eq', value: companyId }];
		await client.api.post(`data-tables/${id}/rows/upsert`, { filter: { type: 'and', filters }, data: row });
	}
	await typeIntoTable(client);
}

/** The matching rows of a Data Table. */
export async function rowsOf<Row extends object>(
	rig: Rig,
	table: string,
	wanted: Partial<Row>,
): Promise<Row[]> {
	const { data: tables } = await rig.client.api.get('data-tables', { params: { limit: 100 } });
	const { id } = tables.data.find(({ name }: { name: string }) => name === table);
	const { data } = await rig.client.api.get(`data-tables/${id}/rows`, { params: { limit: 250 } });
	return (data.data as Row[]).filter((row) => isMatch(row, wanted));
}
