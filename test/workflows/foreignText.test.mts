/**
 * What others write (senders of e-mails and transfers, suppliers, customers) in the examples' own expressions. CI runs this
 * on both of n8n's engines for expressions.
 */
import omit from 'lodash/omit.js';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { summaryOfEntry } from '../../nodes/AccountingGatewayDelivery/cashBookEntry/summary.js';
import { presentable } from '../../nodes/shared/errors/presentable.js';
import { readExample, readExamples } from '../../demo/examples.mjs';
import { fieldsOf, parametersOf } from '../support/exampleNode.mjs';
import { IS_THOROUGH } from '../../scripts/base/extent.mjs';
import { processorTime } from '../support/timing.mjs';

it('no example makes a CSV file, in which Excel takes a text that begins with = for a formula', async () => {
	const makers = (await readExamples()).flatMap(({ name, workflow }) =>
		workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.convertToFile').map((node) => ({ name, node })),
	);
	expect(makers.length).toBeGreaterThan(3);
	for (const { name, node } of makers) expect(['xlsx', 'toText'], name).toContain(node.parameters.operation);
});

/** An item that this package's nodes refused: its error quotes others on one line, and briefly. */
const REFUSED = (text: string) => {
	const error = presentable(text.slice(0, 1000));
	return { error, details: { reason: { de: error }, advice: { de: 'Was zu tun ist.' } } };
};
/** No file's name is longer. */
const fileNamed = (text: string) => text.slice(0, 255);
/** The nodes that put it there. */
type PlaceOf = [example: string, node: string, given: (text: string) => Parameters<typeof parametersOf>[2]];
const PLACES: PlaceOf[] = [
	[
		'approve-booking',
		'What is shown',
		(text) => ({
			json: {
				summary: summaryOfEntry({
					belegnummer: '1',
					waehrung: 'EUR',
					bewegung: 'AUSGABE',
					betrag: 1,
					kassenname: text,
					transaktionsdatum: '2026-11-20',
					belegtext: text,
					steuersatz: 7,
					gegenkonto: text,
				}),
				body: { belegnummer: '1', bewegung: 'AUSGABE', betrag: 1 },
				antragsteller: text,
			},
		}),
	],
	['submit-receipt', 'Settings', (text) => ({ json: { satz: 'Ausgabe', antragsteller: text, hinweise: '' } })],
	...['Line', 'Result'].map((node): PlaceOf => [
		'list-to-cash-book',
		node,
		(text) => ({
			json: { ...REFUSED(text), outcome: 'invalid' },
			// The node that reads the list puts it on one line, and cuts it.
			outputs: { 'Read the list': [{ row: 2, summary: { de: presentable(text.slice(0, 100)) } }] },
			from: 'Read the list',
		}),
	]),
	[
		'list-to-cash-book',
		'Shown',
		// The node that reads the list puts its names on one line, and cuts them.
		(text) => {
			const said = { de: presentable(text.slice(0, 1000)) };
			return {
				json: { grund: '' },
				outputs: { 'Read the list': [{ summary: said, problem: said, warnings: [said] }], List: [{ Liste: { filename: text }, 'Mandant und Kassenbuch': text }], Client: [{ kasse: text, problem: '' }] },
				from: 'Read the list',
			};
		},
	],
	['chase-form', 'Not taken', (text) => ({ json: REFUSED(text), outputs: { Form: [{}] } })],
	['chase-missing', 'Line', (text) => ({ json: { amount: -1, made_on: '2026-11-20', payee: text, description: text, hint: text } })],
	[
		'chase-missing',
		'One paragraph each',
		// The nodes before cut it, and put it on one line.
		(text) => ({ json: { payment: '1,00 EUR', about: presentable(text.slice(0, 600)), empfaenger: text.slice(0, 100) }, outputs: { 'When called': [{}] } }),
	],
	['incoming-payment', 'Row', (text) => ({ json: { finding: { de: `20.11.2026, 1,00 EUR, „${presentable(text.slice(0, 150))}“. Nichts.` } } })],
	[
		'receipts-folder',
		'Reason',
		(text) => ({ json: { grund: 'Warum.' }, outputs: { 'Read the receipts': [{ fileName: fileNamed(text) }] }, from: 'Read the receipts' }),
	],
	[
		'e-invoices-rewe',
		'Reason',
		(text) => ({ json: { grund: 'Warum.' }, outputs: { 'Read the files': [{ fileName: fileNamed(text) }] }, from: 'Read the files' }),
	],
	[
		'receipts-email',
		'Reason',
		(text) => ({
			json: { ...REFUSED(text), dateiname: fileNamed(text) },
			outputs: { 'E-mails': [{ subject: 'Rechnung', sender: 'Rita' }] },
			from: 'E-mails',
		}),
	],
	[
		'receipts-email-clients',
		'Reason',
		(text) => ({
			json: { ...REFUSED(text), dateiname: fileNamed(text) },
			outputs: { 'With the client': [{ subject: 'Rechnung', sender: 'Rita', written: [text.replace(/\s/g, '')] }] },
			from: 'With the client',
		}),
	],
	['receipts-email-clients', 'E-mail', (text) => ({ json: { subject: text, from: { text } } })],
	['receipts-email', 'E-mail', (text) => ({ json: { subject: text, from: { text } } })],
	['receipts-email', 'E-mail', (text) => ({ json: { subject: text, from: { emailAddress: { name: text, address: text } } } })],
];

describe('what others write, in an e-mail or on a page', () => {
	/** They show what a node of PLACES or of this package has made, the samples, the office's own data, or numbers and days. */
	const OTHERS = [
		...['Ask', 'Tell'].flatMap((node) => [`approve-booking, ${node}`, `submit-receipt, ${node}`]),
		'submit-receipt, Page',
		'chase-missing, Tell',
		'chase-missing, Tell the office',
		'chase-form, No client',
		// What was typed is only looked at, or kept by the node before.
		'chase-form, Incomplete',
		'chase-form, Noted',
		'cash-register-export, Send for review',
		...['Say what it costs', 'Not begun', 'Send the month'].map((node) => `close-month, ${node}`),
		'clients, Tell the office',
		'receipts-email-clients, Ask the office',
		...['e-invoices-rewe', 'receipts-email', 'receipts-folder'].map((example) => `${example}, Tell the accountant`),
		'employee-tickets, Send the result',
		'incoming-payment, Tell the accountant',
		...['Check', 'Nothing booked', 'Page', 'Send the reason', 'Send the rows'].map((node) => `list-to-cash-book, ${node}`),
		'payment-reminders, Tell the office',
		...['Ask for approval', 'Send the reminder'].map((node) => `payment-reminders-client, ${node}`),
		...['payments, Tell the accountant', 'photo-proposal, Tell', 'prove-chain, Raise the alarm'],
		'prove-chain, Send the seal',
		'receipt-form, Page',
		'receipts-email, Send them',
		'trial-balance, Send it',
		'verfahrensdokumentation, Send it',
		'watchdog, Canary',
		'watchdog, Tell the admin',
	];
	const FORGED = 'a\r\n\nGebucht.\u2028\u0085\v\u202E<b>x</b>“ von: ';

	/** What is read: without the addresses of links, and without what isn't shown. */
	async function readAs([example, node, given]: (typeof PLACES)[number], text: string): Promise<string[]> {
		const { assignments, ...parameters } = (await parametersOf(example, node, given(text))) as IDataObject;
		const fields = assignments ? Object.values(omit(await fieldsOf(example, node, given(text)), 'key')) : Object.values(parameters);
		return fields.filter((one) => typeof one === 'string').map((one) => one.replace(/href="[^"]*"/g, ''));
	}

	it('is covered by these tests in each e-mail and page that repeats it', async () => {
		const found = (await readExamples()).flatMap(({ name: example, workflow }) =>
			workflow.nodes
				.filter(({ type }) => ['n8n-nodes-base.emailSend', 'n8n-nodes-base.form'].includes(type))
				.filter(({ parameters }) => / \$(json|input|\()/.test(JSON.stringify(parameters)))
				.map(({ name }) => `${example}, ${name}`),
		);
		const covered = [...PLACES.map(([example, node]) => `${example}, ${node}`), ...OTHERS];
		expect(found.filter((one) => !covered.includes(one))).toEqual([]);
	});

	it.each(PLACES)('%s, %s: stays on its line, short, without control characters or HTML', async (...place) => {
		const [expected, shown] = await Promise.all(
			['a', FORGED + 'y'.repeat(1_000_000)].map(async (text) => await readAs(place, text)),
		);
		for (const [i, text] of shown.entries()) {
			expect(text.split('\n').length).toBe(expected[i].split('\n').length);
			expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
			expect(text.length).toBeLessThan(expected[i].length + 4000);
			const { nodes } = (await readExample(place[0])).workflow;
			const isPage = nodes.find(({ name }) => name === place[1])!.type === 'n8n-nodes-base.form';
			if (isPage || text.includes('<td')) expect(text).not.toContain('<b>x');
		}
	});
});

describe('a text that is too long', () => {
	/** In the e-mail example, a node before the upload makes the note. */
	async function noteOf(email: IDataObject) {
		const cleaned = await fieldsOf('receipts-email', 'E-mail', { json: email });
		const given = { outputs: { Settings: [{}] }, json: await fieldsOf('receipts-email', 'Receipt', ofEmail(cleaned)) };
		const { additionalFields } = (await parametersOf('receipts-email', 'Upload the documents', given)) as IDataObject;
		return (additionalFields as IDataObject).belegnotiz;
	}
	const ofEmail = (email: IDataObject) => ({
		json: { kind: 'none' },
		outputs: { 'E-mails': [email] },
		from: 'E-mails',
	});

	it.each([
		[`${'x'.repeat(59)}🧾🧾`, `${'x'.repeat(59)}🧾`],
		[`${'x'.repeat(59)}é🧾`, `${'x'.repeat(59)}é`],
		['Rechnung 4711', 'Rechnung 4711'],
		['Rechnung\r\n\u202E4711\0', 'Rechnung 4711'],
		[undefined, ''],
	])('receipts-email: is one line in the note and cut between characters: the subject %j', async (subject, note) => {
		expect(await noteOf({ subject })).toBe(note);
	});

	/** Each works on the text itself; n8n's own nodes pass it on. */
	const NODES: Array<[example: string, node: string, given: (text: string) => Parameters<typeof parametersOf>[2]]> = [
		[
			'receipts-email',
			'Receipt',
			(text) => ({
				json: { kind: 'invoice', seller: { vatId: text }, sellerName: text, number: text, iban: text },
				outputs: { 'E-mails': [{ subject: '', sender: '' }] },
				from: 'E-mails',
			}),
		],
		['e-invoices-rewe', 'Upload to Rewe', (text) => ({
			json: { sellerName: text, number: text, seller: { vatId: text } },
			outputs: { Settings: [{ vatId: 'DE1' }] },
		})],
		['receipts-folder', 'Upload the documents', (fileName) => ({ json: { fileName, fileExtension: 'pdf' }, outputs: { Settings: [{}] } })],
		['chase-form', 'Row', (text) => ({ json: { 'Betrag (EUR)': text, Rechnungsaussteller: text, Rechnungsnummer: text } })],
		['chase-form', 'Upload', (text) => ({ json: { verkaeufer: text, nummer: text }, outputs: { Settings: [{}], Client: [{}] } })],
		...PLACES,
	];

	// What is shown before an approval was checked by the node before, so that its checksum can cover all of it.
	const UNCHECKED = NODES.filter(([, node]) => node !== 'What is shown');
	// At the square of its length, the shorter one would take minutes, too.
	const LENGTH = IS_THOROUGH ? 20_000_000 : 2_000_000;
	it.each(UNCHECKED)('%s, %s: takes no time for megabytes', async (example, node, given) => {
		await parametersOf(example, node, given('a'));
		const text = ' \n1.'.repeat(LENGTH / 4);
		const took = await processorTime(async () => await parametersOf(example, node, given(text)));
		expect(took).toBeLessThan(3000);
	});

	it('a link that fills in a form again stays short', async () => {
		const json = { Wofür: '🧾'.repeat(1_000_000) };
		const { form } = await fieldsOf('receipt-form', 'Settings', { json, files: {}, outputs: { Form: [json] } });
		expect((form as string).length).toBeLessThan(3000);
	});
});
