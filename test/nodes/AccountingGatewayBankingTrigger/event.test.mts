import fc from 'fast-check';
import set from 'lodash/fp/set.js';
import unset from 'lodash/fp/unset.js';
import { describe, expect, it } from 'vitest';

import {
	EXAMPLE_EVENT,
	eventIdentity,
	parseEvent,
	PAYMENT_STATUSES,
	TEMPLATES,
} from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { properties } from '../../../nodes/AccountingGatewayBankingTrigger/parameters.js';
import { validator } from '../../../api/contract.mjs';

const contract = validator('paymentUpdate', 'body');
const accepts = (body: unknown) => 'event' in parseEvent(body);

const text = fc.string({ maxLength: 20 });
/** Whatever the contract allows in an event, and more fields. */
const events = fc.record({
	event: fc.constant('payment_update'),
	data: fc.record({
		payment_id: fc.string({ minLength: 1 }).filter((id) => id !== '.' && id !== '..'),
		status: fc.constantFrom(...PAYMENT_STATUSES),
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

/** What the trigger depends on. */
const NEEDED = ['event', 'data', 'data.payment_id', 'data.status'];
/** The places in an event at which something can be other than the contract has it. */
const PLACES = [
	...NEEDED,
	'data.raw_provider_status',
	'data.template_identifier',
	'data.payment_attributes',
	...Object.keys(EXAMPLE_EVENT.data.payment_attributes).map((name) => `data.payment_attributes.${name}`),
	'data.custom_fields',
	'received_at',
];

describe('A payment event', () => {
	it('conforms to the contract in its example', () => {
		expect(contract(EXAMPLE_EVENT)).toEqual([]);
		expect(parseEvent(EXAMPLE_EVENT)).toEqual({ event: EXAMPLE_EVENT });
	});

	it('is accepted whenever it conforms to the contract', () => {
		fc.assert(
			fc.property(events, (event) => {
				expect(contract(event)).toEqual([]);
				expect(parseEvent(event)).toEqual({ event });
			}),
			{ numRuns: 300 },
		);
	});

	it('is refused for a wrong value only if the trigger depends on it', () => {
		const values = fc.oneof(fc.jsonValue(), fc.constantFrom('', '.', '..'));
		fc.assert(
			fc.property(fc.constantFrom(...PLACES), values, (place, value) => {
				const event = set(place, value, EXAMPLE_EVENT);
				const isNoId = place === 'data.payment_id' && ['', '.', '..'].includes(value as string);
				const isWrong = contract(event).length > 0 || isNoId;
				// Another name makes it another kind of event, and an ID may be a number, as elsewhere.
				const isOther = place === 'event' && typeof value === 'string' && value !== '';
				const isNumber = place === 'data.payment_id' && Number.isSafeInteger(value);
				expect(accepts(event)).toBe(!NEEDED.includes(place) || !isWrong || isOther || isNumber);
			}),
			{ numRuns: 2000 },
		);
	});

	it.each(PLACES)('without %s, or with null, is refused only if the trigger depends on it', (place) => {
		expect(accepts(unset(place, EXAMPLE_EVENT))).toBe(!NEEDED.includes(place));
		expect(accepts(set(place, null, EXAMPLE_EVENT))).toBe(!NEEDED.includes(place));
	});

	it('is refused with a reason that repeats nothing of it except a status', () => {
		const words = /^[a-z_., ]+( an ID)?$/i;
		fc.assert(
			fc.property(fc.constantFrom(...NEEDED), fc.jsonValue(), (place, value) => {
				const parsed = parseEvent(set(place, value, EXAMPLE_EVENT));
				if ('problem' in parsed) expect(parsed.problem).toMatch(words);
			}),
			{ numRuns: 2000 },
		);
	});

	const { data } = EXAMPLE_EVENT;
	const OTHERS = [
		{ ...EXAMPLE_EVENT, data: { ...data, payment_id: 'a' } },
		{ ...EXAMPLE_EVENT, data: { ...data, status: 'failed' as const } },
		{ ...EXAMPLE_EVENT, received_at: '2026-03-02T10:15:01Z' },
		{ ...EXAMPLE_EVENT, data: { ...data, raw_provider_status: null } },
		{ ...EXAMPLE_EVENT, more: 1 },
	];

	it('is identified by its whole body', () => {
		const all = [EXAMPLE_EVENT, ...OTHERS].map((event) => eventIdentity(event));
		expect(new Set(all).size).toBe(6);
		expect(eventIdentity(structuredClone(EXAMPLE_EVENT))).toBe(all[0]);
	});

	it('is identified by payment and status alone once it is verified', () => {
		const identities = [EXAMPLE_EVENT, ...OTHERS].map((event) => eventIdentity(event, event.data));
		expect(new Set(identities.slice(0, 3)).size).toBe(3);
		expect(identities.slice(3)).toEqual(Array(3).fill(identities[0]));
	});
});

describe('The form of the payment trigger', () => {
	it.each([
		['status', PAYMENT_STATUSES],
		['template_identifier', TEMPLATES],
	])('offers every value that can be delivered as %s', (name, values) => {
		const { options } = properties.find((property) => property.name === name)!;
		expect(options!.map((option) => 'value' in option && option.value).sort()).toEqual([...values].sort());
	});
});
