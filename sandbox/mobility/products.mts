/** A ticket product. The contract doesn't list the gateway's products, so these are invented. */
export interface Product {
	id: string;
	name: string;
	ticket_type: 'subscription' | 'month' | 'day';
	price_in_cents: number;
	/** The required setting: object, key, pattern, and a description of the pattern. */
	needs?: { object: 'tariff_settings' | 'identification_medium'; key: string; pattern: RegExp; rule: string };
	/** Whether creating the ticket returns a partial ticket, which must be activated. */
	partial: boolean;
}

const POSTAL_CODE: Product['needs'] = {
	object: 'tariff_settings',
	key: 'postal_code',
	pattern: /^\d{5}$/,
	rule: 'a German postal code of 5 digits',
};
const PHONE_NUMBER: Product['needs'] = {
	object: 'identification_medium',
	key: 'phone_number',
	pattern: /^\+\d{6,15}$/,
	rule: 'a phone number like +491701234567',
};

export const PRODUCTS: readonly Product[] = [
	{
		id: 'deutschlandticket',
		name: 'Deutschland-Ticket',
		ticket_type: 'subscription',
		price_in_cents: 6300,
		needs: POSTAL_CODE,
		partial: false,
	},
	{
		id: 'deutschlandticket-job',
		name: 'Deutschland-Ticket Job',
		ticket_type: 'subscription',
		price_in_cents: 5985,
		needs: POSTAL_CODE,
		partial: true,
	},
	{
		id: 'regio-handyticket',
		name: 'RegioTicket Franken (Handy)',
		ticket_type: 'month',
		price_in_cents: 8940,
		needs: PHONE_NUMBER,
		partial: true,
	},
	{
		id: 'tagesticket-plus',
		name: 'TagesTicket Plus',
		ticket_type: 'day',
		price_in_cents: 1430,
		partial: false,
	},
];
