/** A list of cash income and expenses, as the example reads and books it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { AccountingGatewayFiles } from '../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { runNode } from '../../host/harness.mjs';
import { simpleEntry } from '../../host/workflows.mjs';

export type Sentence = Record<'en' | 'de', string>;

/** What comes out for a row, or for a list that isn't proved. */
export interface Listed extends IDataObject {
	row: number | null;
	transaktionsdatum: string | null;
	bewegung: string | null;
	betrag: number | null;
	steuersatz: number | null;
	belegtext: string | null;
	gegenkonto: string | null;
	belegNummer: string | null;
	proof: Record<'rows' | 'income' | 'expense' | 'cashBefore' | 'cashAfter', number | null> | null;
	warnings: Sentence[];
	problem: Sentence | null;
}

/**
 * The run of *Cash Book List: Read* over one file.
 * @param own the parameters of the proof, and others than those of the example
 */
export async function readList(content: Buffer | string, own: INodeParameters, fileName = 'Liste') {
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
		belegnummer: '',
		belegtext: '={{ $json.belegtext }}',
		additionalFields: { gegenkonto: '={{ $json.gegenkonto }}', belegNummer: '={{ $json.belegNummer }}' },
	});
