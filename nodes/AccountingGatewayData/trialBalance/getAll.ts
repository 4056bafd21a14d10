import type { IDataObject } from 'n8n-workflow';

import { connectionId, geschaeftsjahrStartDatum, locator } from '../../shared/locators';
import { recordsOf, rowsOf } from '../../shared/operation';
import type { Operation } from '../../shared/operation';
import { additionalFields, outputOption } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';
import { fiscalYearQuery } from '../fields';

const OUTPUTS = ['accounts', 'periods'] as const;

/** Row 10 of the specification's endpoint table. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many trial balance accounts',
	description: 'Get the trial balance of a fiscal year (SuSa, Summen- und Saldenliste)',
	kind: 'read',
	quelle: true,
	fields: [
		connectionId('ReweRead'),
		geschaeftsjahrStartDatum,
		additionalFields(
			locator({
				name: 'kontonummer',
				displayName: 'Account',
				description: 'Only this account (kontonummer, Konto)',
				list: 'searchAccounts',
				by: 'By Number',
				placeholder: 'e.g. 1000',
			}),
		),
	],
	options: [
		outputOption([
			['accounts', 'Accounts', 'One item per account'],
			['periods', 'Periods', 'One item per account and period (Periode)'],
		]),
	],
	request: (item) => {
		item.options.choice('output', OUTPUTS);
		return gatewayRequest('GET /v2/acct-rewe-read/susa', {
			query: { ...fiscalYearQuery(item), kontonummer: item.additional.text('kontonummer') },
		});
	},
	records(body, item) {
		const accounts = recordsOf(body);
		if (item.options.raw('output') !== 'periods') return accounts.map(signed);
		// Saldo and turnover of the whole year would look like those of the period.
		return rowsOf(
			accounts.map(({ kontonummer, kontobeschriftung, periodenwerte }) => ({
				kontonummer,
				kontobeschriftung,
				periodenwerte,
			})),
			'periodenwerte',
		).map(signed);
	},
};

/**
 * Adds to each amount that comes with its side apart the amount with a sign: `saldoSigned`, and `ebWertSigned` for the
 * opening balance. Debit (SOLL) is positive, credit (HABEN) negative; another side leaves `null`.
 */
function signed(row: IDataObject): IDataObject {
	const additions = ['saldo', 'ebWert'].flatMap((name) => {
		const amount = row[name] as { betrag?: unknown; sollHabenKennzeichen?: unknown } | null | undefined;
		return amount ? [[`${name}Signed`, signedAmount(amount)]] : [];
	});
	return { ...row, ...Object.fromEntries(additions) };
}

function signedAmount({
	betrag,
	sollHabenKennzeichen,
}: {
	betrag?: unknown;
	sollHabenKennzeichen?: unknown;
}) {
	if (typeof betrag !== 'number') return null;
	if (sollHabenKennzeichen === 'SOLL') return betrag;
	// 0 has no sign.
	return sollHabenKennzeichen === 'HABEN' ? 0 - betrag : null;
}
