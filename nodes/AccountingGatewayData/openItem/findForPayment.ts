import { reject, sortBy } from 'lodash';

import { defineRead } from '../../shared/operation';
import {
	additionalFields,
	amount,
	choice,
	connectionId,
	currency,
	date,
	number,
	rate,
	text,
} from '../../shared/parameters';
import { companyId } from '../company/companyId';
import { oncePerAnswer } from '../../shared/answer';
import { explainCompany } from '../exportSubscription';
import { filled } from '../parameters';
import { discountsOfTerm, paymentTerm } from '../paymentTerm/discount';
import { findingOf } from './finding';
import { OpenItems } from './payment';
import { both, centsOf } from '../../shared/values';
import { accountsIn, OPEN_ITEMS, stichtag, strangeAccounts, uncertainSign, withOtherItems } from './report';

/** The open items are in this currency. */
const CURRENCY = 'EUR';

const openItemsIn = oncePerAnswer((answer) => new OpenItems(answer));
const omissionsIn = oncePerAnswer((answer) => {
	const accounts = accountsIn(answer);
	return [strangeAccounts(accounts), withOtherItems(accounts), uncertainSign(accounts)];
});

/** A text field, because in an English browser a number field makes 25 of "2,5". */
const discount = (displayName: string, description: string, initial: string) => {
	const field = rate({ displayName, description, placeholder: 'e.g. 2 or 2,5' });
	return { ...field, property: { ...field.property, default: initial } };
};

const days = (displayName: string, description: string, initial: number) =>
	number({ displayName, description, default: initial, min: 0, max: 366, integer: true });

/** Terms that no gateway tells, as they differ from company to company. */
const options = {
	discount: discount(
		'Cash Discount (%)',
		'Percent that may be deducted from an invoice that is paid early (Skonto)',
		'2',
	),
	discountDays: days(
		'Cash Discount Days',
		'Until how many days after its document date an invoice may be paid with the discount (Skontofrist). A last day on a weekend moves to Monday.',
		14,
	),
	earlyDiscount: discount(
		'Early Cash Discount (%)',
		'A higher percentage for those who pay earlier, e.g. 3 % in 8 days beside 2 % in 14 (Skonto, erste Stufe)',
		'3',
	),
	earlyDiscountDays: days(
		'Early Cash Discount Days',
		'Until how many days after its document date an invoice may be paid with the higher percentage (Skontofrist, erste Stufe)',
		8,
	),
	graceDays: days(
		'Days of Grace',
		'How many days after the last one a payment still counts as in time, e.g. for holidays and the days that a bank takes (Kulanztage)',
		3,
	),
};

/** The options with the days and the percentage of each discount. */
const STAGES = [
	['discountDays', 'discount'],
	['earlyDiscountDays', 'earlyDiscount'],
] as const;

const OWNER = { kontonummer: '10001', bezeichnung: 'Hotel am Markt GmbH' };
/** A record, with its columns in their order. */
const EXAMPLE_FINDING = {
	verdict: 'settlesWithDiscount',
	open: 119,
	difference: -2.38,
	beleg: 'RE-2026-0050',
	...OWNER,
	amount: 116.62,
	day: '2026-11-20',
	discountUntil: '2026-11-24',
	finding: { en: '', de: '' },
	items: [{ ...OWNER, beleg: 'RE-2026-0050', belegdatum: '2026-11-10', saldo: 119 }],
};

/** `getOpenItems`, once for all payments, of which each finds its own. */
export const findForPayment = defineRead({
	value: 'findForPayment',
	name: 'Find for Payment',
	action: 'Find open items for payment',
	description:
		'Say for each payment which open items it settles (Zahlung zuordnen): by whole invoice numbers in its text, or probably by the end of a number or the name, with the amount. Reads the open items once, and books nothing.',
	endpoint: 'GET /v2/acct-rewe-read/opos',
	parameters: {
		connectionId: connectionId('ReweRead'),
		companyId,
		amount: filled(
			amount({
				displayName: 'Amount',
				description: 'The amount of the payment (Betrag)',
				placeholder: 'e.g. 119,00',
				required: true,
				mayBeZero: true,
				currency: 'currency',
			}),
			'$json.amount',
		),
		currency: filled(
			currency({
				displayName: 'Currency',
				description: `The currency of the payment (Währung). A payment in another one than ${CURRENCY} finds nothing.`,
				required: true,
			}),
			`$json.currency_code || '${CURRENCY}'`,
		),
		text: filled(
			text({
				displayName: 'Text',
				description: 'The text of the payment, with the invoice numbers (Verwendungszweck)',
				asWritten: true,
			}),
			"$json.description ?? ''",
		),
		name: filled(
			text({
				displayName: 'Name',
				description: 'Who has paid, or was paid (Auftraggeber, Empfänger)',
				asWritten: true,
			}),
			"($json.amount < 0 ? $json.payee : $json.payer) ?? ''",
		),
		day: filled(
			date({
				displayName: 'Day',
				description:
					'The day of the payment, which decides whether it was in time for the discount (Buchungstag)',
				required: true,
			}),
			'$json.made_on',
		),
		direction: choice({
			displayName: 'Direction',
			description: 'Whether money came in or went out (Zahlungseingang, Zahlungsausgang)',
			choices: [
				{ name: 'By Sign', value: 'bySign', description: 'Incoming above 0, outgoing below 0' },
				{
					name: 'Incoming',
					value: 'incoming',
					description: 'Money came in (Zahlungseingang), whatever the sign',
				},
				{
					name: 'Outgoing',
					value: 'outgoing',
					description: 'Money went out (Zahlungsausgang), whatever the sign',
				},
			],
			required: true,
		}),
		additionalFields: additionalFields({ stichtag, paymentTerm }),
	},
	options,
	check({ companyId, additionalFields = {} }, addIssue, given) {
		const { paymentTerm: term } = additionalFields;
		const say = (field: string, value: unknown, en: string, de: string) =>
			addIssue(field, value, both(en, de));
		if (term !== undefined && companyId !== undefined)
			say(
				'paymentTerm',
				term,
				"has no effect beside Company: the books have payment terms of the connection's default company only. Give the discount in the options",
				'wirkt nicht neben „Company“: Zahlungsbedingungen gibt es nur vom Standardmandanten der Verbindung. Geben Sie das Skonto in den Optionen an',
			);
		for (const [days, percent] of STAGES) {
			if (term !== undefined && given[percent] !== undefined)
				say(
					percent,
					given[percent],
					'has no effect beside Payment Term, which says the discounts: remove one of the two',
					'wirkt nicht neben „Payment Term“, das die Skonti nennt: Entfernen Sie eins von beiden',
				);
			if (given[days] !== undefined && given[percent] === undefined)
				say(
					days,
					given[days],
					'has no effect without its percentage: add that, too, or remove the days',
					'wirkt nicht ohne den Prozentsatz: Geben Sie ihn auch an, oder entfernen Sie die Tage',
				);
		}
		const hasRate = term !== undefined || STAGES.some(([, percent]) => given[percent] !== undefined);
		if (given.graceDays !== undefined && !hasRate)
			say(
				'graceDays',
				given.graceDays,
				'has no effect without a discount: add one, or remove the days',
				'wirkt nicht ohne Skonto: Geben Sie eins an, oder entfernen Sie die Tage',
			);
	},
	async lookUp(ask, { connectionId, day = '', additionalFields: { paymentTerm } }) {
		const isGiven = paymentTerm !== undefined;
		return {
			ratesOfTerm: isGiven ? await discountsOfTerm(ask, { connectionId, paymentTerm, day }) : undefined,
		};
	},
	request: ({ connectionId, companyId, additionalFields: { stichtag } }) => ({
		query: { connectionId, companyId, stichtag },
	}),
	makesOwnRecords: true,
	readFrom: ({ companyId }) => ({ companyId }),
	explain: explainCompany,
	expects: OPEN_ITEMS,
	mustAgree: ({ query: { stichtag } }) => ({ stichtag }),
	omissions: omissionsIn,
	columns: Object.keys(EXAMPLE_FINDING),
	example: EXAMPLE_FINDING,
	records(
		answer,
		{ amount = 0, currency = CURRENCY, text = '', name = '', day = '', direction, ratesOfTerm },
		{ discount, discountDays, earlyDiscount, earlyDiscountDays, graceDays = 0 },
	) {
		const sizes = { bySign: amount, incoming: Math.abs(amount), outgoing: -Math.abs(amount) };
		const cents = currency === CURRENCY ? centsOf(sizes[direction]) : 0;
		const typed = [
			{ percent: earlyDiscount ?? 0, days: earlyDiscountDays },
			{ percent: discount ?? 0, days: discountDays },
		];
		const rates = sortBy(reject(typed, { percent: 0 }), ({ days }) => days ?? Infinity);
		const terms = { rates: ratesOfTerm ?? rates, graceDays };
		const found = openItemsIn(answer).find({ cents, text, name, day }, terms);
		const finding = findingOf(found, { amount, currency, text, name, day });
		return [{ ...found, amount, day, finding }];
	},
});
