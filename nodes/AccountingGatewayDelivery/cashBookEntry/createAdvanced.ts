import type { Operation } from '../../shared/operation';
import type { Fields, Item } from '../../shared/item';
import { connectionId, connectionQuery } from '../../shared/locators';
import { sum } from '../../shared/money';
import { additionalFields } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';
import { belegbilder, kassenname, transaktionsdatum, waehrung } from './fields';
import { taskWarning } from './taskResult';

/** Row 2 of the specification's endpoint table. */
export const createAdvanced: Operation = {
	value: 'createAdvanced',
	name: 'Create Advanced',
	action: 'Create cash book entry with several lines',
	description:
		'Write one transaction that is split over several lines, e.g. by tax rate or cost center (Kassenbucheintrag, erweitert)',
	kind: 'write',
	quelle: true,
	fields: [
		connectionId('Duo'),
		kassenname,
		{
			displayName: 'Amount',
			name: 'betrag',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. -119.00 or -119,00',
			hint: 'Income positive, expense negative, like the lines that add up to it',
			description: 'Amount of the whole transaction, equal to the sum of its lines (betrag, Betrag)',
		},
		waehrung,
		transaktionsdatum,
		{
			displayName: 'Lines',
			name: 'belegzeilen',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder: 'Add line',
			default: {},
			required: true,
			description: 'One cash-book entry is created per line (belegzeilen, Belegzeilen)',
			options: [
				{
					displayName: 'Line',
					name: 'belegzeile',
					values: [
						{
							displayName: 'Amount',
							name: 'betrag',
							type: 'string',
							default: '',
							placeholder: 'e.g. -19.00 or -19,00',
							description: 'Amount of the line: positive for income, negative for expense (betrag, Betrag)',
						},
						{
							displayName: 'Booking Text',
							name: 'belegtext',
							type: 'string',
							default: '',
							placeholder: 'e.g. Büromaterial',
							description: 'Text of the booking (belegtext, Buchungstext)',
						},
						{
							displayName: 'Contra Account',
							name: 'gegenkonto',
							type: 'string',
							default: '',
							placeholder: 'e.g. 4930',
							description: 'Ledger account opposite to the cash book (gegenkonto, Gegenkonto)',
						},
						{
							displayName: 'Cost Center 1',
							name: 'kostenstelle1',
							type: 'string',
							default: '',
							placeholder: 'e.g. LADEN',
							description: 'First cost center (kostenstelle1, Kostenstelle)',
						},
						{
							displayName: 'Cost Center 2',
							name: 'kostenstelle2',
							type: 'string',
							default: '',
							placeholder: 'e.g. 200',
							description: 'Second cost center (kostenstelle2, Kostenstelle)',
						},
						{
							displayName: 'Document Number',
							name: 'belegNummer',
							type: 'string',
							default: '',
							placeholder: 'e.g. RE-4711',
							description: 'Number on the receipt (belegNummer, Belegfeld)',
						},
						{
							displayName: 'Tax Key',
							name: 'buSchluessel',
							type: 'string',
							default: '',
							placeholder: 'e.g. 9',
							description: 'Posting key of the tax (buSchluessel, BU-Schlüssel)',
						},
						{
							displayName: 'Tax Rate (%)',
							name: 'prozent',
							type: 'string',
							default: '',
							placeholder: 'e.g. 19',
							description: 'Tax rate in percent (prozent, Steuersatz)',
						},
					],
				},
			],
		},
		additionalFields(belegbilder),
	],
	async request(item) {
		const betrag = item.number('betrag', { required: true });
		const belegzeilen = lines(item).map(line);
		checkSum(item, betrag, belegzeilen);
		return gatewayRequest('POST /v2/acct-duo/kassenbuch-advanced', {
			query: connectionQuery(item),
			body: {
				waehrung: item.currency('waehrung'),
				kassenname: item.text('kassenname', { required: true }),
				betrag,
				transaktionsdatum: item.dateTime('transaktionsdatum'),
				belegzeilen,
				belegbilder: await item.attachments(item.additional, 'belegbilder'),
			},
		});
	},
	warning: taskWarning,
	label: (item) => {
		const numbers = lines(item).flatMap((fields) => fields.text('belegNummer') ?? []);
		const amount = `entry of ${String(item.raw('betrag'))}`;
		return numbers.length > 0 ? `${amount} (belegNummer ${[...new Set(numbers)].join(', ')})` : amount;
	},
};

const lines = (item: Item) => item.groups('belegzeilen', 'belegzeile');

/** Which fields a line must have is "not shown"; without its amount it can't be part of the sum. */
function line(fields: Fields) {
	const prozent = fields.number('prozent', { min: 0, max: 100 });
	const buSchluessel = fields.text('buSchluessel');
	return {
		belegtext: fields.text('belegtext'),
		gegenkonto: fields.text('gegenkonto'),
		belegNummer: fields.text('belegNummer'),
		betrag: fields.number('betrag', { required: true }),
		steuersatz: prozent === undefined && buSchluessel === undefined ? undefined : { prozent, buSchluessel },
		kostenstelle1: fields.text('kostenstelle1'),
		kostenstelle2: fields.text('kostenstelle2'),
	};
}

/** Rule 7 of the specification: the amount is the sum of its lines, exactly. */
function checkSum(item: Item, betrag: number | undefined, belegzeilen: Array<{ betrag?: number }>): void {
	if (belegzeilen.length === 0) {
		const isUnreadable = item.problems.some(({ field }) => field === 'belegzeilen');
		if (!isUnreadable) item.refuse('belegzeilen', '', 'must have at least one line');
		return;
	}
	const amounts = belegzeilen.map((zeile) => zeile.betrag);
	if (betrag === undefined || amounts.includes(undefined)) return;
	const total = sum(amounts as number[]);
	if (total !== betrag) item.refuse('betrag', betrag, `must equal the sum of the lines, which is ${total}`);
}
