import type { INodeParameters } from 'n8n-workflow';

/**
 * The form of "Cash Book Entry", "Create" as an accountant fills it in. In a run, each item has its own
 * `belegnummer`.
 * @param own values of other fields, or replacements
 */
export const simpleEntry = (connectionId: string, own: INodeParameters = {}): INodeParameters => ({
	resource: 'cashBookEntry',
	operation: 'create',
	connectionId: { __rl: true, mode: 'id', value: connectionId },
	kassenname: { __rl: true, mode: 'value', value: 'Hauptkasse' },
	bewegung: 'EINNAHME',
	betrag: '10',
	waehrung: 'EUR',
	steuersatz: '19',
	transaktionsdatum: '2026-03-02T09:30:00',
	belegnummer: '={{ "K-" + $itemIndex }}',
	belegtext: 'Tageseinnahme',
	...own,
});
