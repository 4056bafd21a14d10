/** The English templates as wholes: with credentials and connections chosen, each does what the German example does. */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import type { Module } from '../../../sandbox/seed.mjs';
import { connectionOf } from '../../../host/workflows.mjs';
import { useExamples } from '../../support/exampleRun.mjs';

const rig = useExamples();
const connection = (module: Module): IDataObject => ({
	connectionId: { __rl: true, mode: 'list', value: connectionOf(rig.sandbox, module) },
});

it('trial balance: an Excel file with the gateway’s names', async () => {
	const { error, items } = await rig.run('en/trial-balance', { from: 'Start', change: { 'Trial balance': connection('rewe-read') } });
	expect(error).toBeUndefined();
	expect(items('Trial balance')[0]).toHaveProperty('kontonummer');
	expect(rig.emails).toMatchObject([
		{ subject: expect.stringMatching(/^Trial balance \d{4}-\d\d$/) as string, attachments: [{ dateiname: expect.stringMatching(/^Trial balance .*\.xlsx$/) as string }] },
	]);
	expect(rig.emails[0].text).toMatch(/^Attached is the trial balance .*\n\nAs booked on \d{4}-\d\d-\d\d\.\s*$/);
});

it('receipts from e-mail: uploads what is a receipt, tells the rest', async () => {
	const files = { attachment_0: { fileName: 'a.pdf', content: '%PDF-1.4' }, attachment_1: { fileName: 'b.doc', content: 'x' }, attachment_2: { fileName: 'empty.pdf', content: '' } };
	const json = { attributes: { uid: 1 }, subject: 'Invoice', date: '2026-11-20T08:00:00.000Z', from: { text: 'Rita <rita@supplier.example>' } };
	const { error } = await rig.run('en/receipts-email', { from: 'IMAP', items: [{ json, files }], change: { 'Upload the documents': connection('duo') } });
	expect(error).toBeUndefined();
	expect(rig.documents().map(({ dateiname }) => dateiname)).toEqual(['a.pdf']);
	expect(rig.tables.rows('Uploaded receipts')).toHaveLength(1);
	expect(rig.emails).toMatchObject([{ subject: 'Receipts from e-mail: please check' }]);
	expect(rig.emails[0].text).toContain('b.doc\n“Invoice” from Rita <rita@supplier.example>\nNot uploaded: accepted are PDF');
	expect(rig.emails[0].text).toMatch(/empty\.pdf\n.*\nNot sent: .* matches an empty file .*\nCorrect the fields/);
});

it('approve before booking: shows, asks, and books what was approved', async () => {
	const change = { Look: connection('duo'), Accounts: connection('rewe-read') };
	const asked = await rig.run('en/approve-booking', { from: 'Start', change });
	expect(asked.error).toBeUndefined();
	expect(rig.entries()).toEqual([]);
	expect(rig.emails[0]).toMatchObject({ subject: 'Please approve: an expense of 23.50 EUR: “Door seal and light bulbs”' });
	expect(rig.emails[0].text).toMatch(/^Expenses: 1, together 23\.50 EUR\n\nWould book an expense of 23\.50 EUR: “Door seal and light bulbs”/);
	expect(rig.emails[0].text).toContain('\nNo booking has the name of this seller\n');
	const { error } = await rig.answer(asked, { Decision: 'Book', Remark: 'fine' });
	expect(error).toBeUndefined();
	expect(rig.entries()).toMatchObject([{ fields: { betrag: 23.5 } }]);
	expect(rig.tables.rows('Approvals')).toMatchObject([{ status: 'booked', decidedBy: 'Name of the approver', remark: 'fine' }]);
	expect(rig.emails[1].text).toMatch(/^booked: Would book an expense of 23\.50 EUR/);
	const rejected = await rig.run('en/approve-booking', { from: 'Start', change });
	await rig.answer(rejected, { Decision: 'Reject' });
	expect(rig.tables.rows('Approvals').at(-1)).toMatchObject({ status: 'rejected' });
});

it('incoming payment: says which open item each one settles', async () => {
	const change = { 'Bank transactions': { account_id: 'acc-giro' }, 'Find the open item': connection('rewe-read') };
	const pinned = { 'Bank transactions': [{ made_on: '2026-11-20', amount: 12.5, currency_code: 'EUR', payee: 'Rita', description: 'RE-1' }, { made_on: '2026-11-20', amount: '12.5O', currency_code: 'EUR' }] };
	const { error } = await rig.run('en/incoming-payment', { from: 'Start', change, pinned });
	expect(error).toBeUndefined();
	const texts = rig.emails.map(({ text }) => text).join('\n');
	expect(texts).toMatch(/^2026-11-20, 12\.50 EUR, .*No matching open item/m);
	expect(texts).toMatch(/^2026-11-20, 12\.5O EUR, not checked: please look at the bank\.\nNot read: Amount/m);
});
