import { defineWrite } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';
import { choice } from '../../shared/parameters/choice';
import { additionalFields } from '../../shared/parameters/collection';
import { attachmentsOf } from '../../shared/parameters/file';
import { amount, rate } from '../../shared/parameters/number';
import { text } from '../../shared/parameters/text';
import { verifyEntry } from './answer';
import {
	belegbilder,
	cashBookOf,
	gegenkonto,
	kassenname,
	MOVEMENTS,
	receiptsOf,
	orderingKeyOf,
	summaryOf,
	transaktionsdatum,
	waehrung,
} from './parameters';
import { taskRejection, taskWarning } from './taskResult';

/** `createCashBookEntry` */
export const create = defineWrite({
	value: 'create',
	name: 'Create',
	action: 'Create cash book entry',
	description: 'Write one income or expense to a cash book (Kassenbucheintrag, einfach)',
	endpoint: 'POST /v2/acct-duo/kassenbuch-einfach',
	parameters: {
		connectionId: connectionId('Duo'),
		kassenname,
		bewegung: choice({
			displayName: 'Movement',
			description:
				'Whether money comes in or goes out; the sign of the booking follows from it (bewegung, Bewegung). An expression gives AUSGABE or EINNAHME; Expense, Income and any case are accepted.',
			choices: MOVEMENTS,
			// Neither is the default: an expense must not be booked as income because someone forgot to choose.
			default: '',
			required: true,
		}),
		betrag: amount({
			displayName: 'Amount',
			description:
				'Gross amount without a sign (betrag, Betrag): 12.50, 12,50, 1.234,50 or 12,50 €, with at most the decimals of the currency. 1.234 is refused: it could be thousands or a fraction.',
			placeholder: 'e.g. 12.50 or 12,50',
			currency: 'waehrung',
			min: 0,
			negative: 'is negative: choose Expense (AUSGABE) as the movement, and give the amount without sign',
			required: true,
		}),
		waehrung,
		steuersatz: rate({
			displayName: 'Tax Rate (%)',
			description:
				'Tax rate in percent, 0 for none: 19, 7,0 or 19 % (steuersatz, Steuersatz). 0.19 is refused: it is how percent cells of spreadsheets store 19 %.',
			placeholder: 'e.g. 19',
			required: true,
		}),
		transaktionsdatum,
		belegnummer: text({
			displayName: 'Transaction No. (Belegnummer)',
			description:
				'Unique ID of the transaction (belegnummer, Belegnummer): at most 36 letters, digits and $ % & * + - /',
			placeholder: 'e.g. K-2026-0001',
			pattern: /^[a-zA-Z0-9$%&*+\-/]{1,36}$/,
			characters: /[a-zA-Z0-9$%&*+\-/]/,
			max: 36,
			rule: 'must consist of at most 36 letters (without umlauts), digits and $ % & * + - /',
			required: true,
		}),
		belegtext: text({
			displayName: 'Booking Text',
			description: 'Text of the booking (belegtext, Buchungstext)',
			placeholder: 'e.g. Büromaterial',
			required: true,
		}),
		belegbilder,
		additionalFields: additionalFields({
			gegenkonto,
			belegNummer: text({
				displayName: 'Receipt No. (Belegfeld)',
				description:
					'Number on the receipt (belegNummer, Belegfeld); not to be confused with the transaction no.',
				placeholder: 'e.g. RE-4711',
			}),
		}),
	},
	request: ({ connectionId, additionalFields: additional, ...entry }) => ({
		query: { connectionId },
		body: {
			waehrung: entry.waehrung,
			kassenname: entry.kassenname,
			belegtext: entry.belegtext,
			betrag: entry.betrag,
			transaktionsdatum: entry.transaktionsdatum,
			belegnummer: entry.belegnummer,
			steuersatz: entry.steuersatz,
			bewegung: entry.bewegung,
			gegenkonto: additional.gegenkonto,
			belegNummer: additional.belegNummer,
			belegbilder: attachmentsOf(entry.belegbilder),
		},
	}),
	unique: ({ query, body }) => ({
		field: 'belegnummer',
		value: body.belegnummer,
		within: cashBookOf({ query, body }),
	}),
	orderingKey: orderingKeyOf,
	label: ({ body }) => `belegnummer ${body.belegnummer}`,
	summary: ({ body }) =>
		`Would book ${body.bewegung === 'AUSGABE' ? 'an expense' : 'income'} of ${summaryOf(body)} (belegnummer ${body.belegnummer}): ` +
		`${body.belegtext}, ${body.steuersatz} % tax, ${receiptsOf(body)}`,
	verifyResponse: (answer, { body }) =>
		verifyEntry(answer, {
			...body,
			betrag: body.bewegung === 'AUSGABE' ? 0 - body.betrag : body.betrag,
		}),
	columns: [
		'belegnummer',
		'transaktionsdatum',
		'bewegung',
		'betrag',
		'waehrung',
		'kassenname',
		'belegtext',
		'steuersatz',
	],
	followUp: taskRejection,
	warning: taskWarning,
});
