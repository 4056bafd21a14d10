/** `details` on the error output: what a workflow needs to write to a person, without a table of texts of its own. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayMobility } from '../../../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { adviceFor } from '../../../../../nodes/shared/run/outcomes.js';
import { simpleEntry } from '../../../../../host/workflows.mjs';
import { useGateway } from '../../../../support/useSandbox.mjs';

const gateway = useGateway();
const settings = { onError: 'continueErrorOutput' as const };
const SENTENCE = expect.stringMatching(/^\p{Lu}.+\.$/u) as string;
const advice = { en: SENTENCE, de: SENTENCE };

describe('the details of an item on the error output', () => {
	it.each([
		['refused', 422, 'Das Gateway hat einen Wert abgelehnt (HTTP 422). Meldung des Gateways: „Nein“'],
		['refused', 402, 'Das Guthaben ist aufgebraucht (HTTP 402). Meldung des Gateways: „Nein“'],
		[
			'unknown',
			500,
			'Das Gateway konnte die Anfrage nicht verarbeiten (HTTP 500). Meldung des Gateways: „Nein“',
		],
	])(
		'of an entry that is %s with HTTP %i have its number, and reason and advice in two languages',
		async (outcome, status, de) => {
			await gateway.fault({ kind: 'status', status, body: { message: 'Nein' } });
			const entry = simpleEntry(gateway.connectionId('duo'), { belegnummer: 'K-17' });
			const { errors } = await gateway.run(new AccountingGatewayDelivery(), entry, { settings });
			const reason = { en: errors[0].error, de };
			expect(errors.map(({ details }) => details)).toEqual([
				{
					outcome,
					httpCode: status,
					label: 'belegnummer K-17',
					sent: { belegnummer: 'K-17' },
					reason,
					advice,
				},
			]);
		},
	);

	it('of a value that breaks a rule show a number as people write it', async () => {
		const entry = simpleEntry(gateway.connectionId('duo'), { betrag: '={{ 1234.567 }}' });
		const { errors } = await gateway.run(new AccountingGatewayDelivery(), entry, { settings });
		expect(errors[0].details).toMatchObject({
			issues: [{ label: { de: 'Betrag' }, value: { en: '1234.567', de: '1.234,567' } }],
			reason: { de: expect.stringMatching(/^Betrag „1\.234,567“ hat /) as string },
		});
	});

	it('of a ticket of unknown outcome have the IDs that came back, and so has the error', async () => {
		const id = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
		const body = { id, coupon_id: 'CPN-1', product_id: 'another', status: 'active', price_in_cents: 4900 };
		await gateway.fault({ kind: 'status', status: 201, body });
		const ticket = { resource: 'ticket', operation: 'create', product_id: 'deutschlandticket-job' };
		const { errors } = await gateway.run(new AccountingGatewayMobility(), ticket, { settings });
		expect(errors[0].details).toMatchObject({
			outcome: 'unknown',
			received: { id, coupon_id: 'CPN-1', product_id: 'another' },
			// Tickets aren't in the accounting system.
			advice: {
				en: expect.stringContaining('whether it is there already'),
				de: expect.stringContaining('ob es schon da ist'),
			},
		});
		expect(errors[0].error).toContain(id);
		expect((errors[0].details as IDataObject).received).not.toHaveProperty('price_in_cents');
		expect(errors[0].details).not.toHaveProperty('sent');
	});

	it('speak of their item alone, as others of the same run may have been sent', () => {
		const all = [
			...(['invalid', 'notSent', 'refused'] as const).map((outcome) => adviceFor({ outcome })),
			...[401, 402, 403, 429].map((status) => adviceFor({ outcome: 'refused', status })),
		];
		for (const { en, de } of all) {
			expect(en).toMatch(/this one was not (sent|carried out)\.$/);
			expect(de).toMatch(/[Dd]ieser Vorgang wurde nicht (gesendet|ausgeführt)\.$/);
			expect(en + de).not.toMatch(/nothing|nichts/i);
		}
	});

	it('differ by outcome and status', () => {
		const all = [
			...(['invalid', 'notSent', 'unknown', 'incomplete', 'failed', 'refused'] as const).map((outcome) =>
				adviceFor({ outcome }),
			),
			...[401, 402, 403, 429].map((status) => adviceFor({ outcome: 'refused', status })),
			adviceFor({ outcome: 'refused', status: 409, exists: true }),
		];
		for (const language of ['en', 'de'] as const) {
			expect(new Set(all.map((one) => one[language])).size).toBe(all.length);
		}
		expect(adviceFor({ outcome: 'refused', status: 422 })).toEqual(adviceFor({ outcome: 'refused' }));
	});
});
