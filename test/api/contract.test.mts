import set from 'lodash/fp/set.js';
import { describe, expect, it } from 'vitest';

import {
	at,
	contract,
	type Json,
	judge,
	operation,
	operations,
	type Part,
	resolve,
	validator,
} from '../../api/contract.mjs';

/** The endpoint table and the lists it refers to: endpoint, operationId, parameters (`!` = required), body; – for none. */
const ENDPOINTS = `
	POST /v2/acct-duo/kassenbuch-einfach | createCashBookEntry | connectionId! quelle | CashBookEntryRequest
	POST /v2/acct-duo/kassenbuch-advanced | createAdvancedCashBookEntry | connectionId! quelle | AdvancedCashBookEntryRequest
	POST /v2/acct-duo/beleg-bereitstellen | uploadDuoDocument | connectionId! quelle | DuoDocumentRequest
	POST /v2/acct-rewe/beleg-bereitstellen | uploadReweDocument | connectionId! quelle | ReweDocumentRequest
	GET /v2/acct-rewe/steuersaetze | listTaxKeys | connectionId! quelle | –
	GET /v2/acct/companies | listCompanies | connectionId! quelle | –
	GET /v2/acct-rewe-read/geschaeftsjahre | listFiscalYears | connectionId! companyId quelle | –
	GET /v2/acct-rewe-read/geschaeftsjahre/{geschaeftsjahrId} | getFiscalYear | geschaeftsjahrId! connectionId! quelle | –
	GET /v2/acct-rewe-read/buchungsdaten | listJournalBookings | connectionId! geschaeftsjahrStartDatum! companyId quelle | –
	GET /v2/acct-rewe-read/susa | listTrialBalance | connectionId! geschaeftsjahrStartDatum! kontonummer quelle | –
	GET /v2/acct-rewe-read/opos | getOpenItems | connectionId! companyId stichtag filter eb quelle | –
	GET /v2/acct-rewe-read/zahlungsbedingungen | listPaymentTerms | connectionId! geschaeftsjahrStartDatum! quelle | –
	GET /v2/acct-rewe-read/kontenplan | listAccounts | connectionId! geschaeftsjahrStartDatum! quelle | –
	POST /v2/mobility/tickets | createTicket | – | TicketRequest
	POST /v2/mobility/tickets/{id}/activate | activateTicket | id! | TicketActivation
	POST /v2/mobility/customers | createCustomer | – | CustomerRequest
	GET /v2/banking/transactions/{id} | getTransaction | id! account_id! | –
	GET /v2/banking/payments/{id} | getPayment | id! api | –
	GET /v2/banking/balances | listBalances | account_id! from_date to_date include_transactions | –
	GET /v2/banking/connections/{id} | getBankConnection | id! | –
	PUT /v2/banking/webhook-url | setWebhookUrl | – | WebhookUrlRequest
	GET /v2/acct-duo/connections | listDuoConnections | quelle | –
	GET /v2/acct-rewe/connections | listReweConnections | quelle | –
	GET /v2/acct-rewe-read/connections | listReweReadConnections | quelle | –
	GET /v2/acct-duo/kassenbuecher | listCashBooks | connectionId! quelle | –
	GET /v2/acct-duo/belegtypen | listDuoDocumentTypes | connectionId! quelle | –
	GET /v2/acct-rewe/belegtypen | listReweDocumentTypes | connectionId! quelle | –
	GET /v2/mobility/products | listTicketProducts | – | –
`;

const UUID = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
/** All but the webhook, which the gateway sends. */
const offered = operations.filter(({ path }) => path.startsWith('/'));

describe('the operations', () => {
	it('are those of the specification, in its order', () => {
		const found = offered.map(({ method, path, id, parameters, schemas }) => {
			const names = parameters.map(({ name, required }) => (required ? `${name}!` : name)).join(' ');
			const body = schemas.has('body') && componentAt(schemas.get('body')!);
			return [`${method} ${path}`, id, names || '–', body || '–'].join(' | ');
		});
		expect(found).toEqual(
			ENDPOINTS.trim()
				.split('\n')
				.map((line) => line.trim()),
		);
	});

	it('require the API key as x-api-key, except the webhook', () => {
		expect(contract.security).toEqual([{ apiKey: [] }]);
		expect(at('#/components/securitySchemes/apiKey')).toMatchObject({
			type: 'apiKey',
			in: 'header',
			name: 'x-api-key',
		});
		const own = ['paths', 'webhooks'].flatMap((section) =>
			Object.values(contract[section] as Record<string, Record<string, Json>>).flatMap((item) =>
				Object.values(item)
					.filter(({ security }) => security)
					.map(({ operationId, security }) => [operationId, security]),
			),
		);
		expect(own).toEqual([['paymentUpdate', []]]);
	});

	it.each(operations)('$id compiles in strict mode', ({ id, schemas }) => {
		for (const part of ['path', 'query', ...schemas.keys()] as Part[]) validator(id, part);
	});

	it.each(operations)('$id has examples that conform', ({ id, schemas }) => {
		for (const part of schemas.keys()) {
			if (part !== 'body' && part !== '2XX') continue;
			expect(example(id, part), part).toBeDefined();
			expect(validator(id, part)(example(id, part)), part).toEqual([]);
		}
	});
});

/** Objects in a request that the specification doesn't show, so that they are open. */
const OPEN = ['tariff_settings', 'identification_medium'];

// The body of setWebhookUrl is not shown, either.
it.each(
	operations.filter(
		({ id, schemas }) => schemas.has('body') && !['paymentUpdate', 'setWebhookUrl'].includes(id),
	),
)('the request of $id has no other fields, at any depth', ({ id }) => {
	const body = example(id, 'body');
	for (const place of objectsIn(body)) {
		const violations = validator(id, 'body')(set([...place, 'other'], 'x', body));
		const isOpen = place.some((key) => OPEN.includes(key));
		expect(violations).toEqual(isOpen ? [] : [`/${[...place, 'other'].join('/')} is unknown`]);
	}
});

it('the pattern of belegnummer is the specification’s, letter for letter', () => {
	expect(at('#/components/schemas/CashBookEntryRequest/properties/belegnummer').pattern).toBe(
		String.raw`^[a-zA-Z0-9$%&*+\-/]{0,36}$`,
	);
});

describe('the check of whole requests', () => {
	it.each([
		['GET', '/v2/mobility/tickets', undefined, '/ is no operation of the contract: GET /v2/mobility/tickets'],
		['POST', '/paymentUpdate', {}, '/ is no operation of the contract: POST /paymentUpdate'],
		['GET', '/v2/acct-duo/kassenbuecher', undefined, '/connectionId is missing'],
		['GET', '/v2/mobility/products?quelle=API', undefined, '/quelle is unknown'],
		['GET', '/v2/banking/payments/7?api=partner&api=partner', undefined, '/ has a query parameter twice'],
		['GET', '/v2/banking/payments/7?api=psd2', undefined, '/api must be equal to one of the allowed values'],
		['GET', '/v2/banking/payments/7', {}, '/ must have no body'],
		['POST', '/v2/mobility/tickets/7/activate', { coupon_id: 'x' }, '/id must match format "uuid"'],
		['POST', '/v2/mobility/customers', { name: 1 }, '/name must be string'],
		['POST', '/v2/mobility/customers', undefined, '/ must be object'],
		[
			'GET',
			`/v2/acct-duo/kassenbuecher?connectionId=${UUID}&quelle=50%`,
			undefined,
			'/ is not percent-encoded UTF-8',
		],
	])('refuses %s %s', (method, url, body, violation) => {
		expect(judge({ method, url, body })).toEqual([violation]);
	});
});

/** The example of a request (`body`) or of an answer. */
function example(id: string, part: Part): object {
	return at(
		operation(id)
			.schemas.get(part)!
			.replace(/schema$/, 'example'),
	);
}

/** The name of the component schema that stands at a pointer. */
function componentAt(pointer: string): string | undefined {
	return /^#\/components\/schemas\/(\w+)$/.exec(resolve(pointer))?.[1];
}

/** The paths of the objects within a value: itself (an empty path) and those in it. */
function objectsIn(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [];
	const inside = Object.entries(value).flatMap(([key, member]) => objectsIn(member, [...path, key]));
	return Array.isArray(value) ? inside : [path, ...inside];
}
