// The dialogs that create a payment or an incoming payment.
import { announce, element } from './dom.js';
import { money, t } from './language.js';

/** @param {(path: string) => Promise<any>} read reads from the control API */
export function addPaymentDialogs(read) {
	addDialog('payment', read, ({ bank_account, template_identifier, amount, ...attributes }) => ({
		path: 'payments',
		body: { bank_account, template_identifier, payment_attributes: { ...attributes, amount } },
		done: ({ id }) => t('Payment {id} created', { id }),
	}));
	addDialog('incoming', read, ({ amount, ...transfer }) => ({
		path: 'transactions',
		body: { ...transfer, amount: Number(amount) },
		done: ({ id }) => t('Incoming payment {id} created', { id }),
	}));
}

/**
 * @param {string} name of the dialog and its buttons
 * @param {(fields: Record<string, string>) => { path: string, body: object, done: (created: object) => string }} orderOf turns
 *   the form's fields into a request
 */
function addDialog(name, read, orderOf) {
	const dialog = document.getElementById(`${name}-dialog`);
	const form = dialog.querySelector('form');
	const error = document.getElementById(`${name}-error`);
	document.getElementById(`new-${name}`).onclick = async () => {
		const accounts = (await read('bank-accounts')) ?? [];
		const options = accounts.map(({ id, holder, api }) => {
			const option = element('option', '', `${id} – ${holder} (${api})`);
			option.value = id;
			return option;
		});
		form.elements.bank_account.replaceChildren(...options);
		error.textContent = '';
		form.elements.amount.value ||= money(Number(form.elements.amount.dataset.euros));
		dialog.showModal();
	};
	document.getElementById(`cancel-${name}`).onclick = () => dialog.close();
	form.onsubmit = async (event) => {
		event.preventDefault();
		const { amount, ...fields } = Object.fromEntries(new FormData(form));
		const { path, body, done } = orderOf({ ...fields, amount: plain(amount) });
		const answer = await fetch(`/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) }).catch(
			() => undefined,
		);
		const created = await answer?.json();
		if (!answer?.ok) {
			error.textContent = created?.error.message ?? t('The sandbox is not reachable.');
			return;
		}
		dialog.close();
		announce(done(created));
	};
}

/** A typed amount, with a decimal point before the cents: a last separator before one or two digits is the decimal one. */
function plain(amount) {
	const [, whole, cents = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(amount);
	return `${whole.replace(/\D/g, '')}.${cents.padEnd(2, '0')}`;
}
