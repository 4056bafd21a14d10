/** The example "Incoming payment: open item": what it says of a payment, and how it shows what a payer has written. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { fieldsOf } from '../support/exampleNode.mjs';

const EXAMPLE = 'incoming-payment';
const hotel = { bezeichnung: 'Hotel am Markt GmbH', belegdatum: '2026-11-10' };
const ITEMS = [
	{ ...hotel, beleg: 'RE-2026-0050', saldo: 119 },
	{ ...hotel, beleg: 'RE-2026-0051', saldo: 50 },
	{ bezeichnung: 'Café Lindenhof OHG', beleg: 'RE-2026-0052', belegdatum: '2026-11-10', saldo: 119 },
	{ bezeichnung: 'Ohne Nummer e. K.', beleg: '', belegdatum: '2026-11-10', saldo: 33.33 },
];

/** What the e-mail says of a payment. */
async function resultOf(payment: IDataObject, items: IDataObject[] = ITEMS): Promise<string> {
	const paid = { made_on: '2026-11-20', payer: 'Hotel am Markt GmbH', description: '', ...payment };
	const compared = await fieldsOf(EXAMPLE, 'Compare', { json: { payment: paid, items } });
	const { result } = await fieldsOf(EXAMPLE, 'Verdict', {
		json: compared,
		outputs: { Terms: [{ skonto: 2, tage: 14 }] },
	});
	return result as string;
}
const named = (nr: string, payer = 'Hotel am Markt GmbH') => `RE-2026-${nr} vom 10.11.2026, ${payer}`;

describe('a payment', () => {
	it.each([
		['in full', { amount: 119, description: 'RE-2026-0050' }, `Gleicht aus: ${named('0050')}`],
		[
			'of two invoices',
			{ amount: 169, description: 're-2026-0050, RE-2026-0051' },
			`Gleicht aus: ${named('0050')}; ${named('0051')}`,
		],
		[
			'with a cash discount, on its last day',
			{ amount: 116.62, description: 'RE-2026-0050', made_on: '2026-11-24' },
			`Gleicht mit 2 % Skonto aus (2,38 EUR): ${named('0050')}`,
		],
		[
			'with a cash discount, a day late',
			{ amount: 116.62, description: 'RE-2026-0050', made_on: '2026-11-25' },
			`Skonto nach der Frist (bis 24.11.2026), es fehlen 2,38 EUR: ${named('0050')}`,
		],
		['in part', { amount: 100, description: 'RE-2026-0050' }, `Teilzahlung, offen bleiben 19,00 EUR: ${named('0050')}`],
		['of too much', { amount: 1119, description: 'RE-2026-0050' }, `Überzahlung um 1.000,00 EUR: ${named('0050')}`],
		[
			'without a number, by the customer',
			{ amount: 119, payer: 'HOTEL AM MARKT GMBH' },
			`Wohl für (Kunde und Betrag stimmen, die Nummer fehlt): ${named('0050')}`,
		],
		[
			'by somebody else, of the same amount',
			{ amount: 50, payer: 'Kita', description: 'RE-2026-005' },
			`Nicht zugeordnet. Nur der Betrag stimmt überein mit: ${named('0051')}`,
		],
		[
			'of an item without a number',
			{ amount: 33.33, payer: 'Ohne Nummer e.K.' },
			'Wohl für (Kunde und Betrag stimmen, die Nummer fehlt): ohne Nummer vom 10.11.2026, Ohne Nummer e. K.',
		],
		['of an amount that nobody can read', { amount: '12.5O', description: 'RE-2026-0050' }, /^Der Betrag ist nicht lesbar:/],
		['without an amount', { amount: null, description: 'RE-2026-0050' }, /^Der Betrag ist nicht lesbar:/],
		[
			'in another currency',
			{ amount: 119, currency_code: 'USD', description: 'RE-2026-0050' },
			/^Nicht zugeordnet: Die Zahlung ist in USD,/,
		],
		[
			'of anything else',
			{ amount: 1, description: 'Trinkgeld' },
			'Nicht zugeordnet: keine Nummer eines offenen Postens im Verwendungszweck, und kein Posten hat diesen Betrag',
		],
	])('%s', async (_, payment, result) => {
		const said = await resultOf(payment);
		if (typeof result === 'string') expect(said).toBe(result);
		else expect(said).toMatch(result);
	});

	it('is recognized by a customer whose name the bank writes in capital letters', async () => {
		const items = [{ ...ITEMS[0], bezeichnung: 'Bürobedarf Weiß GmbH' }];
		expect(await resultOf({ amount: 119, payer: 'BÜROBEDARF WEISS GMBH' }, items)).toMatch(/^Wohl für /);
	});

	it('that fits two items of one customer is not assigned to either', async () => {
		const twice = [ITEMS[0], { ...ITEMS[0], beleg: 'RE-2026-0060' }];
		expect(await resultOf({ amount: 119 }, twice)).toMatch(/^Nicht zugeordnet\. Nur der Betrag/);
	});

	it('is told when nothing is open at all, and when the bank sends no names', async () => {
		expect(await resultOf({ amount: 119, payer: null, description: null }, [])).toMatch(/^Nicht zugeordnet:/);
		expect(await resultOf({ amount: 119, payer: null }, [{ ...ITEMS[0], bezeichnung: null }])).toMatch(
			/^Nicht zugeordnet\. Nur/,
		);
	});
});

it('the e-mail shows what a payer has written as text, and German amounts', async () => {
	const payment = {
		made_on: '2026-11-20',
		amount: 1234.5,
		payer: '<script>alert(1)</script>',
		description: `</td></table><a href="https://evil.example">"Hier" klicken</a> & 'mehr'${'x'.repeat(10_000)}`,
	};
	const outputs = { Verdict: [{ payment, result: 'Gleicht aus: <b>' }] };
	const { subject, html } = (await fieldsOf(EXAMPLE, 'Message', { outputs })) as Record<string, string>;
	expect(subject).toBe('Zahlungseingang: 1 Zahlung, 1.234,50 EUR');
	expect(html).toContain('<td>20.11.2026</td><td align="right">1.234,50 EUR</td>');
	expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
	expect(html).toContain('&#60;a href=&#34;https://evil.example&#34;&#62;');
	expect(html).not.toMatch(/<(script|a|b)[ >]/);
	expect(html.match(/<\/table>/g)).toHaveLength(1);
	expect(html.length).toBeLessThan(2000);
});

it('the e-mail shows all payments, also those whose amount nobody can read, and of other currencies', async () => {
	const payments = [{ amount: null }, { amount: '12.5O' }, { amount: 7, currency_code: 'USD' }, { amount: 5 }];
	const Verdict = payments.map((payment) => ({ payment: { made_on: '2026-11-20', ...payment }, result: 'x' }));
	const { subject, html } = await fieldsOf(EXAMPLE, 'Message', { outputs: { Verdict } });
	expect(subject).toBe('Zahlungseingang: 4 Zahlungen, 5,00 EUR');
	const amounts = [...(html as string).matchAll(/<td align="right">(.*?)<\/td>/g)].map(([, amount]) => amount);
	expect(amounts).toEqual(['?', '12.5O', '7,00 USD', '5,00 EUR']);
});

it('is compared with as many open items as a large company has: n8n ends an expression after five seconds', async () => {
	const many = Array.from({ length: 10_000 }, (_, i) => ({ ...hotel, beleg: `RE-2025-${10_000 + i}`, saldo: 1 }));
	const payment = { amount: 119, description: 'RE-2026-0050' };
	expect(await resultOf(payment, [...many, ...ITEMS])).toBe(`Gleicht aus: ${named('0050')}`);
}, 5000);
