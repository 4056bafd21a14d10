import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { saysFailure } from '../../../../nodes/shared/answer/saysFailure.js';

describe('saysFailure', () => {
	it.each<[unknown, string]>([
		[{ success: false, message: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ success: false }, 'success: false'],
		[{ success: 'false', belegnummer: 'K-1' }, 'success: false'],
		[{ ok: false, error: 'closed' }, 'closed'],
		[{ erfolgreich: false, meldung: 'Nein' }, 'Nein'],
		[{ error: { message: 'Kasse gesperrt', code: 17 } }, 'Kasse gesperrt'],
		[{ error: { code: 17 } }, 'error'],
		[{ fehler: { anzahl: 1, liste: [] } }, 'fehler'],
		[{ error: true }, 'error: true'],
		[{ errors: ['a', { message: 'b' }] }, 'a; b'],
		[{ fehler: 'Kasse gesperrt', id: 'x' }, 'Kasse gesperrt'],
		[{ fehlermeldung: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ data: { success: false, message: 'Kasse gesperrt' } }, 'Kasse gesperrt'],
		[{ data: { error: 'Konto DE02120300000000202051 gesperrt' } }, 'Konto DE…2051 gesperrt'],
	])('finds the failure in %o', (body, says) => {
		expect(saysFailure(body)).toBe(`says “${says}”`);
	});

	it.each<[unknown]>([
		[null],
		['OK'],
		[[]],
		[{}],
		[{ success: true, message: 'Gebucht' }],
		[{ error: null, errors: [], fehler: '' }],
		[{ error: false }],
		[{ error: ' 0 ' }],
		[{ error: {} }],
		[{ error: { code: 0, message: '' } }],
		[{ fehler: { anzahl: 0, liste: [] }, errors: [null, {}] }],
		[{ message: 'Gebucht' }],
		[{ status: 'cancelled', id: 'ticket' }],
		[{ status: 'failed', id: 'payment' }],
		[{ data: { id: 'payment', status: 'failed' } }],
		[{ data: { id: 'connection', status: 'error', error_class: 'X', error_message: 'Y' } }],
		[{ data: [{ error: 'a row of a list' }] }],
		[{ belegnummer: 'K-1', acctAntwort: { status: 'FEHLER', meldungen: [{ typ: 'ERROR' }] } }],
	])('finds none in %o', (body) => {
		expect(saysFailure(body)).toBeUndefined();
	});

	it.each<[unknown, string]>([
		[{ status: 'failed', id: 'x' }, 'status: failed'],
		[{ status: 'abgelehnt', id: 'x', meldung: 'Datei beschädigt' }, 'Datei beschädigt'],
		[{ data: { id: 'x', status: 'rejected' } }, 'status: rejected'],
		[{ data: { belegnummer: 'K-1', status: 'FEHLER' } }, 'status: FEHLER'],
	])('finds the failure in %o, if it answers a write', (body, says) => {
		expect(saysFailure(body, true)).toBe(`says “${says}”`);
		expect(saysFailure(body)).toBeUndefined();
	});

	it("finds none in the contract's good answers", () => {
		const contract = parse(readFileSync('api/gateway.openapi.yaml', 'utf8')) as { paths: object };
		const examples: unknown[] = [];
		for (const operations of Object.values(contract.paths)) {
			for (const { responses = {} } of Object.values(operations as Record<string, Operation>)) {
				for (const [status, { content }] of Object.entries(responses)) {
					if (!status.startsWith('2')) continue;
					const { example, examples: named = {} } = content?.['application/json'] ?? {};
					if (example !== undefined) examples.push(example);
					examples.push(...Object.values(named).map(({ value }) => value));
				}
			}
		}
		expect(examples.length).toBeGreaterThan(15);
		for (const example of examples) {
			expect(saysFailure(example)).toBeUndefined();
			expect(saysFailure(example, true)).toBeUndefined();
		}
	});
});

interface Operation {
	responses?: Record<
		string,
		{ content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
	>;
}
