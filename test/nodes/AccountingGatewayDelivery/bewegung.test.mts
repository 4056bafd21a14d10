/** What decides about the sign of an advanced entry: its movement, or the amounts themselves. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { simpleEntry } from '../../../host/workflows.mjs';
import { refused, useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

/** An advanced entry of these amounts, in the form as it is after "Create" was changed to "Create Advanced". */
const entry = (amounts: string[], own: INodeParameters = {}): INodeParameters =>
	simpleEntry(gateway.connectionId('duo'), {
		operation: 'createAdvanced',
		belegzeilen: { belegzeile: amounts.map((betrag) => ({ betrag })) },
		...own,
	});

const run = async (parameters: INodeParameters, json: IDataObject = {}) =>
	await gateway.run(node, parameters, { items: [{ json }] });

describe('The sign of an advanced entry', () => {
	it.each([
		['AUSGABE', '30,00', ['10,00', '20,00-'], 'belegzeilen\\[2\\].betrag', '20,00-'],
		['EINNAHME', '10,00', ['30,00', '-20,00'], 'belegzeilen\\[2\\].betrag', '-20,00'],
	])('is refused where %s has %s and %o', async (bewegung, betrag, amounts, field, shown) => {
		const { error } = await run(entry(amounts, { bewegung, betrag }));
		expect(error?.message).toMatch(refused(field));
		expect(error?.message).toContain(`"${shown}" is negative: give it without a sign`);
		expect(await gateway.requests()).toEqual([]);
	});

	it.each([
		['={{ $json.misspelled }}', {}],
		['={{ $json.bewegung }}', { bewegung: null }],
	])('is not guessed where %s gives nothing', async (bewegung, json) => {
		const { error } = await run(entry(['30'], { bewegung, betrag: '30' }), json);
		expect(error?.message).toBe(
			"Nothing was sent: Movement (bewegung) is empty: there is no value for it; check the column or field that it comes from; if it may be empty, end its expression with ?? ''",
		);
		expect(await gateway.requests()).toEqual([]);
	});
});

it('An entry is reversed (Storno) by the opposite sign with the same account and rate: no account keeps a balance of it', async () => {
	const balances = async () => {
		const { json, error } = await gateway.run(new AccountingGatewayData(), {
			resource: 'trialBalance',
			operation: 'getAll',
			connectionId: { __rl: true, mode: 'id', value: gateway.connectionId('rewe-read') },
			geschaeftsjahrStartDatum: { __rl: true, mode: 'day', value: '2026-03-02' },
		});
		expect(error).toBeUndefined();
		return new Map(json.map(({ kontonummer, saldoSigned }) => [kontonummer, saldoSigned]));
	};
	const book = async (betrag: string, belegtext: string) => {
		const belegzeile = [{ betrag, prozent: '19', gegenkonto: '4930', belegtext, belegNummer: 'K-117' }];
		const { error } = await run(
			entry([], { belegzeilen: { belegzeile }, betrag, bewegung: '', steuersatz: '' }),
		);
		expect(error).toBeUndefined();
	};
	const before = await balances();
	await book('-23,80', 'Büromaterial');
	const between = await balances();
	const moved = [...between]
		.filter(([konto, saldo]) => saldo !== (before.get(konto) ?? 0))
		.map(([konto]) => konto);
	// Cash, input tax and the expense.
	expect(moved.sort()).toEqual(['1000', '1576', '4930']);
	await book('23,80', 'Storno K-117');
	const after = await balances();
	for (const [konto, saldo] of after) expect(saldo, JSON.stringify(konto)).toBe(before.get(konto) ?? 0);
});
