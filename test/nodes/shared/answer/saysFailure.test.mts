import { describe, expect, it } from 'vitest';

import { saysFailure } from '../../../../nodes/shared/answer/saysFailure.js';

describe('saysFailure', () => {
	it.each<[unknown, string]>([
		[{ success: false, message: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ success: false }, 'success: false'],
		[{ success: 'false', belegnummer: 'K-1' }, 'success: false'],
		[{ success: 0, belegnummer: 'K-1' }, 'success: 0'],
		[{ is_success: false }, 'is_success: false'],
		[{ ok: false, error: 'closed' }, 'closed'],
		[{ erfolgreich: false, meldung: 'Nein' }, 'Nein'],
		[{ error: { message: 'Kasse gesperrt', code: 17 } }, 'Kasse gesperrt'],
		[{ error: { code: 17 } }, 'error'],
		[{ fehler: { anzahl: 1, liste: [] } }, 'fehler'],
		[{ error: true }, 'error: true'],
		[{ errors: ['a', { message: 'b' }] }, 'a; b'],
		[{ fehler: 'Kasse gesperrt', id: 'x' }, 'Kasse gesperrt'],
		[{ fehlermeldung: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ errorMessage: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ error_message: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ 'ERROR-TEXT': 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ letzterFehler: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ errorCode: 17 }, 'errorCode: 17'],
		[{ svc: { neuesGuthaben: 7, error: 'Kasse gesperrt' } }, 'Kasse gesperrt'],
		[{ a: { b: { c: { fehlercode: 'E17' } } } }, 'E17'],
		[{ data: { success: false, message: 'Kasse gesperrt' } }, 'Kasse gesperrt'],
		[{ data: { error: 'Konto DE02120300000000202051 gesperrt' } }, 'Konto DE…2051 gesperrt'],
	])('finds the failure in %o', (body, says) => {
		expect(saysFailure(body)).toBe(`says “${says}”`);
		expect(saysFailure(body, { sent: { belegtext: 'x' } })).toBe(`says “${says}”`);
	});

	const NONE: unknown[] = [
		null,
		'OK',
		[],
		{},
		{ success: true, message: 'Gebucht' },
		{ success: null },
		{ error: null, errors: [], fehler: '' },
		{ error: false, errorCode: '000' },
		{ error: ' 0 ', errorMessage: 'null', hasError: 'false' },
		{ error: {} },
		{ error: { code: 0, message: '' } },
		{ fehler: { anzahl: 0, liste: [] }, errors: [null, {}] },
		{ message: 'Gebucht' },
		{ message: 'kein Fehler' },
	];
	it.each(NONE.map((body) => [body]))('finds none in %o', (body) => {
		expect(saysFailure(body)).toBeUndefined();
		expect(saysFailure(body, {})).toBeUndefined();
	});

	it.each<[unknown]>([
		[{ status: 'cancelled', id: 'ticket' }],
		[{ status: 'failed', id: 'payment' }],
		[{ data: { id: 'payment', status: 'failed' } }],
		[{ data: [{ error: 'a row of a list', typ: 'ERROR' }] }],
	])('finds none in %o, which was read', (body) => {
		expect(saysFailure(body)).toBeUndefined();
	});

	it.each<[unknown, string]>([
		[{ status: 'failed', id: 'x' }, 'says “status: failed”'],
		[{ status: 'abgelehnt', id: 'x', meldung: 'Datei beschädigt' }, 'says “Datei beschädigt”'],
		[{ status: 422, id: 'x' }, 'says “status: 422”'],
		[{ status: '500', id: 'x' }, 'says “status: 500”'],
		[{ data: { id: 'x', status: 'rejected' } }, 'says “status: rejected”'],
		[{ data: { belegnummer: 'K-1', status: 'FEHLER' } }, 'says “status: FEHLER”'],
		[{ belegnummer: 'K-1', status: 'NOT_BOOKED' }, 'says “status: NOT_BOOKED”'],
		[{ data: [{ belegnummer: 'K-1', status: 'storniert' }] }, 'says “status: storniert”'],
		[{ belegnummer: 'K-1', status: 'IN_ABLEHNUNG' }, 'says “status: IN_ABLEHNUNG”'],
		[{ belegnummer: 'K-1', acctAntwort: 'Kasse gesperrt' }, 'says “Kasse gesperrt”'],
		[{ belegnummer: 'K-1', zahlwerkAntwort: ['Kasse gesperrt'] }, 'says “Kasse gesperrt”'],
		[{ belegnummer: 'K-1', acctAntwort: [{ status: 'ERFOLGREICH' }] }, 'says “status: ERFOLGREICH”'],
		[{ belegnummer: 'K-1', acctAntwort: 422 }, 'says “acctAntwort: 422”'],
		[{ belegbilder: [{ dateiname: 'a.pdf', fehler: 'zu groß' }] }, 'says “zu groß”'],
		[
			{ id: 'x', meldungen: [{ typ: 'ERROR', nachricht: 'Datei leer' }] },
			'has an error message: “Datei leer”',
		],
	])('finds the failure in %o, which answers a write', (body, says) => {
		expect(saysFailure(body, { sent: { belegbilder: [{ dateiname: 'a.pdf' }] } })).toBe(says);
	});

	it.each<[unknown, unknown?]>([
		[{ status: 200, id: 'x' }],
		[{ status: 'ERFOLGREICH', id: 'x' }],
		[{ status: 'created', data: { id: 'x' } }],
		// Others say what that means: a warning.
		[{ status: 'IN_BEARBEITUNG', id: 'x' }],
		[{ acctAntwort: null }],
		[{ acctAntwort: '' }],
		[{ acctAntwort: [] }],
		// What was sent comes back.
		[{ belegtext: 'Fehler', betrag: 1 }, { belegtext: 'Fehler' }],
		[
			{ data: { tariff_settings: { errorCorrection: 'M', deep: { fehlercode: 7 } } } },
			{ tariff_settings: { errorCorrection: 'M', deep: { fehlercode: 7 } } },
		],
		[{ belegzeilen: [{ fehlerkonto: '1590' }] }, { belegzeilen: [{ fehlerkonto: '1590' }] }],
	])('finds none in %o, which answers a write', (body, sent) => {
		expect(saysFailure(body, { sent })).toBeUndefined();
	});

	it('leaves to an operation what it judges by itself', () => {
		const task = { acctAntwort: { status: 'FEHLER', fehler: 'x', meldungen: [{ typ: 'ERROR' }] } };
		expect(saysFailure({ belegnummer: 'K-1', ...task }, { hasReply: true })).toBeUndefined();
		expect(saysFailure({ id: 'x', status: 'pending activation' }, { hasOwnStatus: true })).toBeUndefined();
		expect(saysFailure({ id: 'x', status: 'failed' }, { hasOwnStatus: true })).toBe('says “status: failed”');
		expect(saysFailure({ status: 'unsold', data: { id: 'x' } }, { hasOwnStatus: true })).toBe(
			'says “status: unsold”',
		);
	});
});
