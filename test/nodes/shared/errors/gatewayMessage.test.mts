import { describe, expect, it } from 'vitest';

import { gatewayMessage } from '../../../../nodes/shared/errors/gatewayMessage.js';

describe('gatewayMessage', () => {
	it.each<[unknown, string | undefined]>([
		[{ error: { message: 'Kasse fehlt', field: 'kassenname' } }, 'kassenname: Kasse fehlt'],
		[{ errors: [{ message: 'a' }, 'b'] }, 'a; b'],
		[
			{ type: 'about:blank', title: 'Bad Request', detail: 'Kasse fehlt', status: 400 },
			'Bad Request; Kasse fehlt',
		],
		['<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>', '502 Bad Gateway'],
		[
			'<html><title>Fehler</title><body><h1 class="a">Kasse &quot;Süd&quot;\n fehlt</h1></body>',
			'Fehler: Kasse "Süd" fehlt',
		],
		['<html><body><p>Kasse <b>fehlt</b></p></body></html>', 'Kasse fehlt'],
		[{ errors: { betrag: ['ist zu groß'], kassenname: 'fehlt' } }, 'betrag: ist zu groß; kassenname: fehlt'],
		[{ Message: 'Kasse fehlt', Code: 17 }, 'Kasse fehlt'],
		[' Kasse fehlt\n', 'Kasse fehlt'],
		['Fehler in der <html>-Datei', 'Fehler in der <html>-Datei'],
		['\n <html><title>502</title><body>nginx</body></html>', '502'],
		['<HTML><TITLE>Nein</TITLE><p>nginx</p></HTML>', 'Nein'],
		['<html><title> Fehler </title><h1>\nNein </h1></html>', 'Fehler: Nein'],
		['<html><p>Kasse</p><p>fehlt</p></html>', 'Kasse fehlt'],
		// Pages that were cut off or put together by hand.
		['<html><title>Nein', 'Nein'],
		['<html>Kasse</h1>fehlt</html>', 'Kasse fehlt'],
		['<html></html>', undefined],
		[{}, undefined],
		[null, undefined],
		[{ code: 17 }, undefined],
		[
			{ message: 'Validation failed', errors: [{ field: 'belegnummer', message: 'ist vergeben' }] },
			'Validation failed; belegnummer: ist vergeben',
		],
		[{ message: 'Ungültig', errors: { betrag: ['ist negativ'] } }, 'Ungültig; betrag: ist negativ'],
		[{ error: 'invalid_request', error_description: 'Gesperrt.' }, 'invalid_request; Gesperrt.'],
		[{ error: { message: 'Nein', details: ['Kasse gesperrt'] } }, 'Nein; Kasse gesperrt'],
		[{ text: 'Kasse gesperrt', errorCode: 'KB-17', id: 'a' }, 'KB-17; text: Kasse gesperrt'],
		[{ error: 'Forbidden', path: '/v2' }, 'Forbidden'],
	])('finds it in %o', (body, message) => {
		expect(gatewayMessage(body)).toBe(message);
	});

	it('hides IBANs, even where the text is cut off', () => {
		const many = Array.from({ length: 1000 }, () => 'DE02120300000000202051').join(' ');
		expect(gatewayMessage(many)).toMatch(/^(DE…2051 )+(D|DE|DE…\d{0,4})?$/);
	});

	it('finds it several levels deep', () => {
		let nested: unknown = 'Kasse fehlt';
		for (let depth = 0; depth < 8; depth++) nested = { error: nested };
		expect(gatewayMessage(nested)).toBe('Kasse fehlt');
		expect(gatewayMessage({ error: nested })).toBeUndefined();
	});
});
