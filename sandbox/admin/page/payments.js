// The dialog that creates a payment.
import { announce, element } from './dom.js';
import { money, t } from './language.js';

const dialog = document.getElementById('payment-dialog');
const form = dialog.querySelector('form');
const error = document.getElementById('payment-error');

/** @param {(path: string) => Promise<any>} read reads from the control API */
export function addPaymentDialog(read) {
	document.getElementById('new-payment').onclick = async () => {
		const accounts = (await read('bank-accounts')) ?? [];
		const options = accounts.map(({ id, holder, api }) => {
			const option = element('option', '', `${id} – ${holder} (${api})`);
			option.value = id;
			return option;
		});
		form.elements.bank_account.replaceChildren(...options);
		error.textContent = '';
		form.elements.amount.value ||= money(119);
		dialog.showModal();
	};
	document.getElementById('cancel-payment').onclick = () => dialog.close();
	form.onsubmit = (event) => {
		event.preventDefault();
		void create();
	};
}

async function create() {
	const { bank_account, template_identifier, amount, ...attributes } = Object.fromEntries(new FormData(form));
	// The last sign separates the cents, unless there is none.
	const [, whole, cents = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(amount);
	const payment_attributes = { ...attributes, amount: `${whole.replace(/\D/g, '')}.${cents.padEnd(2, '0')}` };
	const body = JSON.stringify({ bank_account, template_identifier, payment_attributes });
	const answer = await fetch('/sandbox/payments', { method: 'POST', body }).catch(() => undefined);
	const created = await answer?.json();
	if (!answer?.ok) {
		error.textContent = created?.error.message ?? t('The sandbox is not reachable.');
		return;
	}
	dialog.close();
	announce(t('Payment {id} created', { id: created.id }));
}
