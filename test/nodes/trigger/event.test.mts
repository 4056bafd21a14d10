import fc from 'fast-check';
import set from 'lodash/fp/set.js';
import unset from 'lodash/fp/unset.js';
import { describe, expect, it } from 'vitest';

import {
	EXAMPLE,
	identityOf,
	parseEvent,
	STATUSES,
	TEMPLATES,
} from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { properties } from '../../../nodes/AccountingGatewayBankingTrigger/properties.js';
import { validator } from '../../support/contract.mjs';

const contract = validator('paymentUpdate', 'body');
const accepts = (body: unknown) => 'event' in parseEvent(body);

const text = fc.string({ maxLength: 20 });
/** Whatever the contract allows in an event, and more fields. */
const events = fc.record({
	event: fc.constant('payment_update'),
	data: fc.record({
		payment_id: fc.string({ minLength: 1 }).filter((id) => id !== '.' && id !== '..'),
		status: fc.constantFrom(...STATUSES),
		raw_provider_status: fc.option(text),
		template_identifier: fc.constantFrom(...TEMPLATES),
		payment_attributes: fc.record({
			amount: text,
			debtor_iban: text,
			description: text,
			creditor_iban: text,
			creditor_name: text,
			currency_code: text,
			end_to_end_id: text,
			customer_ip_address: text,
		}),
		custom_fields: fc.dictionary(text, fc.jsonValue()),
		more: fc.jsonValue(),
	}),
	received_at: fc
		.date({ noInvalidDate: true, min: new Date('1970-01-01'), max: new Date('9999-01-01') })
		.map((date) => date.toISOString()),
	more: fc.jsonValue(),
});

/** The places in an event at which something can be wrong. */
const PLACES = [
	'event',
	'data',
	'data.payment_id',
	'data.status',
	'data.raw_provider_status',
	'data.template_identifier',
	'data.payment_attributes',
	...Object.keys(EXAMPLE.data.payment_attributes).map((name) => `data.payment_attributes.${name}`),
	'data.custom_fields',
	'received_at',
];

describe('an event', () => {
	it('conforms to the contract in its example', () => {
		expect(contract(EXAMPLE)).toEqual([]);
		expect(parseEvent(EXAMPLE)).toEqual({ event: EXAMPLE });
	});

	it('is taken whenever it conforms to the contract', () => {
		fc.assert(
			fc.property(events, (event) => {
				expect(contract(event)).toEqual([]);
				expect(parseEvent(event)).toEqual({ event });
			}),
			{ numRuns: 300 },
		);
	});

	it('with a wrong value is refused whenever the contract refuses it', () => {
		fc.assert(
			fc.property(fc.constantFrom(...PLACES), fc.jsonValue(), (place, value) => {
				const event = set(place, value, EXAMPLE);
				// Another name makes it another kind of event.
				const isOther = place === 'event' && typeof value === 'string' && value !== '';
				const isWrong = contract(event).some((violation) => !violation.endsWith(' is missing'));
				if (isWrong && !isOther && value !== null) expect(accepts(event)).toBe(false);
			}),
			{ numRuns: 2000 },
		);
	});

	it.each(PLACES)(
		'without %s, or with null, is refused if the trigger or its filters depend on it',
		(place) => {
			const needed = ['event', 'data', 'received_at', 'data.payment_id', 'data.status'];
			needed.push('data.template_identifier', 'data.payment_attributes');
			expect(accepts(unset(place, EXAMPLE))).toBe(!needed.includes(place));
			expect(accepts(set(place, null, EXAMPLE))).toBe(!needed.includes(place));
		},
	);

	it('is known by payment, status and time, each for itself', () => {
		const { data } = EXAMPLE;
		const identities = [
			EXAMPLE,
			{ ...EXAMPLE, data: { ...data, payment_id: 'a' } },
			{ ...EXAMPLE, data: { ...data, status: 'failed' as const } },
			{ ...EXAMPLE, received_at: '2026-03-02T10:15:01Z' },
		].map(identityOf);
		expect(new Set(identities).size).toBe(4);
		expect(identityOf({ ...EXAMPLE, data: { ...data, raw_provider_status: null } })).toBe(identities[0]);
	});
});

describe('the form', () => {
	it.each([
		['status', STATUSES],
		['template_identifier', TEMPLATES],
	])('offers every value that can be delivered as %s', (name, values) => {
		const { options } = properties.find((property) => property.name === name)!;
		expect(options!.map((option) => 'value' in option && option.value).sort()).toEqual([...values].sort());
	});
});
