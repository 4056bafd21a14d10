/** A list of cash income and expenses, as the example reads and books it. */
import type { INodeParameters } from 'n8n-workflow';

import { AccountingGatewayFiles } from '../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { runNode } from '../../tools/harness.mjs';
import { simpleEntry } from '../../tools/workflows.mjs';

/** The run of *Cash Book List: Read* over one file. @param own other parameters than those of the example */
export async function readList(content: Buffer | string, fileName = 'Liste', own: INodeParameters = {}) {
	return await runNode({
		node: new AccountingGatewayFiles(),
		parameters: { resource: 'cashBookList', operation: 'read', ...own },
		items: [{ files: { data: { fileName, content: Buffer.from(content) } } }],
	});
}

/** The parameters of *Cash Book Entry: Create* that book what was read. @param connectionId of the accounting system */
export const bookingOfList = (connectionId: string): INodeParameters =>
	simpleEntry(connectionId, {
		bewegung: '={{ $json.bewegung }}',
		betrag: '={{ $json.betrag }}',
		steuersatz: '={{ $json.steuersatz }}',
		transaktionsdatum: '={{ $json.transaktionsdatum }}',
		belegnummer: '={{ $json.belegnummer }}',
		belegtext: '={{ $json.belegtext }}',
		additionalFields: { gegenkonto: '={{ $json.gegenkonto }}', belegNummer: '={{ $json.belegNummer }}' },
	});
