/** The data node in front of the sandbox, and what a gateway may answer it. */
import sumBy from 'lodash/sumBy.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { AccountingGatewayData } from '../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import type { FaultInput } from '../../sandbox/admin/faults.mjs';
import type { RunOptions } from '../../host/harness.mjs';
import { useGateway } from './useSandbox.mjs';

/** A value chosen in a field with a list. */
export const locator = (value: unknown, mode = 'id') => ({ __rl: true, mode, value }) as INodeParameters;

/** The node, with a sandbox whose books end on November 20, 2026. */
export function useDataNode() {
	const node = new AccountingGatewayData();
	const gateway = useGateway({ now: new Date('2026-11-20T09:00:00Z') });
	return {
		node,
		gateway,
		/** Runs a read of the first connection; "Get Many" unless the parameters say otherwise. */
		run: async (resource: string, parameters: INodeParameters = {}, options?: Partial<RunOptions>) => {
			const connectionId = locator(gateway.connectionId('rewe-read'));
			return await gateway.run(node, { resource, operation: 'getAll', connectionId, ...parameters }, options);
		},
		/** The gateway's next answer. @param which to which operation, or how often */
		answers: async (body: unknown, which: Pick<FaultInput, 'operationId' | 'contains' | 'times'> = {}) =>
			await gateway.fault({ kind: 'status', status: 200, body, ...which }),
	};
}

/** An amount with its side: debit positive. */
export const amount = (betrag: number) => ({
	betrag: Math.abs(betrag),
	sollHabenKennzeichen: betrag < 0 ? 'HABEN' : 'SOLL',
});

/** An account of a trial balance, with the amount of each period. */
export const balanceOf = (
	kontonummer: string,
	opening: number,
	periods: Record<number, number> | Array<[periode: number, betrag: number]>,
	closing: number,
): IDataObject => ({
	kontonummer,
	kontobeschriftung: `Konto ${kontonummer}`,
	ebWert: amount(opening),
	saldo: amount(closing),
	umsatzSoll: 0,
	umsatzHaben: 0,
	periodenwerte: (Array.isArray(periods) ? periods : Object.entries(periods)).map(([periode, betrag]) => ({
		periode: Number(periode),
		saldo: amount(betrag),
	})),
});

export interface OpenItem {
	beleg: string | null;
	saldo: number;
	belegdatum: string | null;
	buchungstext: string;
}
/** An open item. A customer's invoice and a supplier's credit note are positive. */
export const item = (beleg: string | null, saldo: number, belegdatum: string | null = '2026-11-10') =>
	({ beleg, belegdatum, buchungstext: '', saldo }) satisfies OpenItem;

/** An account with its open items. */
export const openAccount = (kontonummer: string, bezeichnung: string | null, ...posten: OpenItem[]) => ({
	kontonummer,
	bezeichnung,
	isDebitor: /^[1-6]/.test(kontonummer),
	totalSaldo: sumBy(posten, 'saldo'),
	posten,
});

/** A report of open items. */
export const openItems = (konten: object[], stichtag = '2026-11-20') => ({
	data: { stichtag, konten, sumDebitoren: 0, sumKreditoren: 0 },
});
