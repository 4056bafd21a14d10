import type { Operation } from '../../shared/operation';
import { connectionId, connectionQuery } from '../../shared/locators';
import { additionalFields } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';
import { belegbilder, kassenname, transaktionsdatum, waehrung } from './fields';
import { taskWarning } from './taskResult';

const BELEGNUMMER = /^[a-zA-Z0-9$%&*+\-/]{1,36}$/;

/** Row 1 of the specification's endpoint table. */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create cash book entry',
	description: 'Write one income or expense to a cash book (Kassenbucheintrag, einfach)',
	kind: 'write',
	quelle: true,
	fields: [
		connectionId('Duo'),
		kassenname,
		{
			displayName: 'Movement',
			name: 'bewegung',
			type: 'options',
			options: [
				// An expense must not be booked as income for want of a click, so neither is the default.
				{ name: 'Choose…', value: '' },
				{ name: 'Expense (AUSGABE)', value: 'AUSGABE' },
				{ name: 'Income (EINNAHME)', value: 'EINNAHME' },
			],
			default: '',
			required: true,
			description:
				'Whether money comes in or goes out; the sign of the booking follows from it (bewegung, Bewegung)',
		},
		{
			displayName: 'Amount',
			name: 'betrag',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 12.50 or 12,50',
			description: 'Gross amount without sign (betrag, Betrag). Accepts 12.50, 12,50 and 1.234,50.',
		},
		waehrung,
		{
			displayName: 'Tax Rate (%)',
			name: 'steuersatz',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 19',
			description: 'Tax rate in percent; 0 for none (steuersatz, Steuersatz)',
		},
		transaktionsdatum,
		{
			displayName: 'Transaction Number',
			name: 'belegnummer',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. K-2026-0001',
			description:
				'Unique ID of the transaction (belegnummer, Belegnummer): at most 36 letters, digits and $ % & * + - /',
		},
		{
			displayName: 'Booking Text',
			name: 'belegtext',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Büromaterial',
			description: 'Text of the booking (belegtext, Buchungstext)',
		},
		additionalFields(
			{
				displayName: 'Contra Account',
				name: 'gegenkonto',
				type: 'string',
				default: '',
				placeholder: 'e.g. 4930',
				description: 'Ledger account opposite to the cash book (gegenkonto, Gegenkonto)',
			},
			{
				displayName: 'Document Number',
				name: 'belegNummer',
				type: 'string',
				default: '',
				placeholder: 'e.g. RE-4711',
				description:
					'Number on the receipt (belegNummer, Belegfeld); not to be confused with the transaction number',
			},
			belegbilder,
		),
	],
	async request(item) {
		const { additional } = item;
		return gatewayRequest('POST /v2/acct-duo/kassenbuch-einfach', {
			query: connectionQuery(item),
			body: {
				waehrung: item.currency('waehrung'),
				kassenname: item.text('kassenname', { required: true }),
				belegtext: item.text('belegtext', { required: true }),
				betrag: item.number('betrag', { required: true, min: 0 }),
				transaktionsdatum: item.dateTime('transaktionsdatum'),
				belegnummer: item.text('belegnummer', {
					required: true,
					pattern: BELEGNUMMER,
					rule: 'must consist of at most 36 letters (without umlauts), digits and $ % & * + - /',
				}),
				steuersatz: item.number('steuersatz', { required: true, min: 0, max: 100 }),
				bewegung: item.choice('bewegung', ['EINNAHME', 'AUSGABE'], { required: true }),
				gegenkonto: additional.text('gegenkonto'),
				belegNummer: additional.text('belegNummer'),
				belegbilder: await item.attachments(additional, 'belegbilder'),
			},
		});
	},
	unique: (item) => ({
		field: 'belegnummer',
		value: String(item.raw('belegnummer')),
		within: String(item.raw('connectionId')),
	}),
	warning: taskWarning,
	label: (item) => `belegnummer ${String(item.raw('belegnummer'))}`,
};
