/**
 * What an accountant or client reads when a write was refused, in the examples' own expressions: what happened and what to do
 * now in German, chosen by the outcome that the error output carries, and the node's own message quoted after it.
 */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { fieldsOf, parametersOf } from '../support/exampleNode.mjs';

const MESSAGE = 'The document storage is full <b>. Try "again"';
const failed = (details: IDataObject): IDataObject => ({ error: MESSAGE, details });

/** The sentence about a refusal, of e-mails. */
const REASONS: Array<[example: string, reason: (details: IDataObject) => Promise<string>]> = [
	['receipts-folder', async (details) => await field('receipts-folder', 'Not uploaded', details)],
	['receipts-email', async (details) => await field('receipts-email', 'Not uploaded', details)],
	['e-invoices-rewe', async (details) => await field('e-invoices-rewe', 'To tell', details)],
	['cash-register-day', async (details) => await field('cash-register-day', 'Refused lines', details)],
	['cash-register-export', async (details) => await field('cash-register-export', 'To tell', details)],
];
async function field(example: string, node: string, details: IDataObject): Promise<string> {
	return (await fieldsOf(example, node, { json: failed(details) })).reason as string;
}

describe.each(REASONS)('the e-mail about a refusal: %s', (_, reason) => {
	it.each([
		['invalid', {}, /^Nicht (hochgeladen|gebucht)/],
		['refused', { httpCode: 422 }, /^Nicht (hochgeladen|gebucht), denn das Gateway oder das Buchhaltungssystem/],
		['refused', { httpCode: 401 }, /Zugang abgelehnt.*n8n betreut/],
		['refused', { httpCode: 403 }, /Zugang abgelehnt.*n8n betreut/],
		['refused', { httpCode: 402 }, /^Nicht .*Guthaben/],
		['notSent', {}, /^(Noch nicht|Nicht) (hochgeladen|gebucht), denn es (konnte|wurde) nichts gesendet/],
	])('%s %j: not done, and why', async (outcome, more, start) => {
		const text = await reason({ outcome, ...more });
		expect(text).toMatch(start);
		expect(text.endsWith(`. Meldung des Nodes: „${MESSAGE}“`), text).toBe(true);
	});

	it.each(['unknown', 'incomplete', 'failed', undefined])('%s: never says that it was not done', async (outcome) => {
		const text = await reason({ outcome, httpCode: 503 });
		expect(text).toMatch(/^Es ist unklar, ob .* ist\./);
		expect(text).not.toMatch(/nicht (hochgeladen|gebucht)/i);
		expect(text).toContain(`Meldung des Nodes: „${MESSAGE}“`);
	});
});

it('cash register day: names the columns that are wrong, as the report calls them', async () => {
	const problems = [
		{ field: 'belegzeilen[1].prozent', value: '0,19', rule: 'is below 1' },
		{ field: 'transaktionsdatum', value: '', rule: 'is empty' },
		{ field: 'another', value: 'x', rule: '' },
	];
	expect(await field('cash-register-day', 'Refused lines', { outcome: 'invalid', problems })).toMatch(
		/^Nicht gebucht\. Bitte prüfen: Steuersatz „0,19“, Zeitpunkt fehlt, another „x“\. Meldung/,
	);
});

it('cash register export: a conflict is told as such', async () => {
	expect(await field('cash-register-export', 'To tell', { outcome: 'refused', httpCode: 409 })).toMatch(
		/^Nicht gebucht, .*Konflikt.*abgeschlossen/,
	);
});

it('e-invoices: what the node remarks about an invoice is quoted', async () => {
	const reasonOf = async (json: IDataObject) => (await fieldsOf('e-invoices-rewe', 'To tell', { json })).reason;
	expect(await reasonOf({ document: 'd', warnings: 'The sum differs.' })).toBe(
		'Hochgeladen, aber bitte vor dem Buchen ansehen. Hinweis des Nodes: „The sum differs.“',
	);
	expect(await reasonOf({ problem: 'The XML is damaged.' })).toMatch(/^Nicht hochgeladen, .*Formular „Beleg an Rewe“.*„The XML is damaged.“$/);
	expect(await reasonOf({})).toBe('Keine E-Rechnung: bitte mit dem Formular „Beleg an Rewe“ hochladen.');
});

it('approval: the approver reads whether something was booked, and the message of the node', async () => {
	const rows = [
		{ belegnummer: 'A', satz: 'a', status: 'gebucht', ergebnis: '' },
		{ belegnummer: 'B', satz: 'b', status: 'nicht gebucht', ergebnis: MESSAGE },
		{ belegnummer: 'C', satz: 'c', status: 'unklar', ergebnis: MESSAGE },
	];
	const outputs = { 'What is shown': rows, Approver: [{ email: 'x' }] };
	const { text } = (await parametersOf('approve-booking', 'Tell', { json: { rows }, outputs })) as { text: string };
	const [booked, refused, unknown] = text.trim().split('\n\n');
	expect(booked).toBe('gebucht: A, a');
	expect(refused).toMatch(/^nicht gebucht: B, b\nEs wurde nichts gebucht\. .*Meldung des Nodes: „/);
	expect(unknown).toMatch(/^unklar: C, c\nEs ist unklar, ob gebucht wurde\. .*Buchhaltungssystem.*Meldung des Nodes: „/);
	expect(text).toContain(`„${MESSAGE}“`);
});

describe.each([
	['e-invoices-rewe', 'Not uploaded'],
	['chase-form', 'Not taken'],
])('the page of a form about a refusal: %s', (example, node) => {
	it.each([
		['invalid', /nichts hochgeladen|nicht angenommen/],
		['refused', /nichts hochgeladen|nicht angenommen/],
		['notSent', /nichts hochgeladen|konnte nicht gesendet werden/],
		['unknown', /^Es ist unklar/],
	])('%s: says so, and shows the message as text', async (outcome, start) => {
		const given = { json: failed({ outcome }), outputs: { Form: [{}] } };
		const { completionMessage } = (await parametersOf(example, node, given)) as { completionMessage: string };
		expect(completionMessage).toMatch(start);
		expect(completionMessage).toContain('Meldung des Nodes: „The document storage is full &#60;b&#62;.');
		expect(completionMessage).not.toMatch(/<b>/);
	});
});
