// How each list is shown: its columns, what stands there while it is empty, and the rows of one item.
import { announce, button, cell, element, quiet, text } from './dom.js';

const amount = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 });

function time(iso) {
	const date = new Date(iso);
	const node = element('time', '', date.toLocaleTimeString());
	node.dateTime = iso;
	node.title = date.toLocaleString();
	return cell('time', node);
}

/** A date-time as it was received, in its own zone, without the T and seconds. */
function received(dateTime) {
	const node = quiet(text(dateTime).replace(/^(\S{10})T(\d\d:\d\d)[\d:.]*/, '$1 $2 '));
	node.title = dateTime;
	return node;
}

const money = (value, currency) => `${amount.format(Number(value))} ${text(currency)}`.trim();

function size(bytes) {
	if (bytes < 1024) return `${bytes} B`;
	if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
	return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** A link to a file, with a picture of it if it is one. */
function file({ dateiname, size: bytes }, href) {
	const kind = /\.(\w{1,4})$/.exec(dateiname)?.[1] ?? '';
	const letters = () => {
		const node = element('span', 'kind', kind.toUpperCase() || '?');
		node.ariaHidden = 'true';
		return node;
	};
	let sign = letters();
	if (/^(png|jpe?g|gif|webp)$/i.test(kind)) {
		const picture = element('img');
		picture.src = href;
		picture.alt = '';
		picture.loading = 'lazy';
		picture.onerror = () => picture.replaceWith(letters());
		sign = picture;
	}
	const link = element('a', '', dateiname || '(no name)');
	link.href = href;
	link.target = '_blank';
	return element('span', 'file', sign, element('span', '', link, quiet(size(bytes))));
}

const STATUS = {
	active: 'good',
	settled: 'good',
	failed: 'bad',
	rejected: 'bad',
	cancelled: 'bad',
	expired: 'bad',
};
const words = (status) => text(status).replaceAll('_', ' ');
const status = (value) => cell(`short ${STATUS[value] ?? 'waiting'}`, words(value));

function bookingDetails({ steuersatz = {}, gegenkonto, kostenstelle1, kostenstelle2 }) {
	return [
		steuersatz.prozent !== undefined && `${steuersatz.prozent} %`,
		steuersatz.buSchluessel && `BU ${steuersatz.buSchluessel}`,
		gegenkonto && `account ${gegenkonto}`,
		...[kostenstelle1, kostenstelle2].map((name) => name && `cost centre ${name}`),
	]
		.filter(Boolean)
		.join(' · ');
}

/** A button that moves a payment to a status. */
function moveButton(id, to) {
	const label = `${words(to)}: move payment ${id}`;
	return button(words(to), label, async ({ currentTarget }) => {
		if (currentTarget.ariaDisabled === 'true') return;
		// Not `disabled`, which would take the focus away.
		currentTarget.ariaDisabled = 'true';
		const answer = await fetch(`/sandbox/payments/${encodeURIComponent(id)}/${encodeURIComponent(to)}`, {
			method: 'POST',
		}).catch(() => undefined);
		announce(answer?.ok ? `Payment ${id} is ${words(to)}` : `Payment ${id} could not be moved`);
		currentTarget.ariaDisabled = 'false';
	});
}

/** The details of a request, written when they are opened. */
function requestDetails({ method, path, operationId, faults, error, query, headers, body }) {
	const title = element('summary', '', element('span', 'mono', `${method} ${path}`));
	if (error) title.append(element('div', 'quiet', error));
	if (faults.length) title.append(element('div', 'quiet waiting', `Fault: ${faults.join(', ')}`));
	const node = element('details', '', title);
	node.ontoggle = () => {
		if (!node.open || node.children.length > 1) return;
		const pre = element('pre', 'mono', JSON.stringify({ operationId, query, body, headers }, null, 2));
		// So that it can be scrolled with the keyboard.
		pre.tabIndex = 0;
		pre.ariaLabel = `Details of ${method} ${path}`;
		pre.role = 'region';
		node.append(pre);
	};
	return node;
}

export const LISTS = {
	entries: {
		columns: ['Received', 'Cash book', 'Number', 'Text', 'Receipts', 'Amount'],
		empty: 'No entry has arrived yet.',
		rows: ({ id, receivedAt, fields, belegbilder, bookings }) =>
			bookings.map((booking, index) => [
				index ? cell('') : time(receivedAt),
				index ? cell('') : cell('short', text(fields.kassenname), received(fields.transaktionsdatum)),
				cell('mono short', text(booking.belegNummer ?? booking.belegnummer)),
				cell('', text(booking.belegtext), quiet(bookingDetails(booking))),
				cell(
					'',
					...(index
						? []
						: belegbilder.map((image, i) => file(image, `/sandbox/entries/${id}/belegbilder/${i}`))),
				),
				cell(`number ${booking.betrag < 0 ? 'bad' : 'good'}`, money(booking.betrag, fields.waehrung)),
			]),
	},
	documents: {
		columns: ['Received', 'File', 'Type', 'Note', 'Document'],
		empty: 'No document has arrived yet.',
		rows: (document) => [
			[
				time(document.receivedAt),
				cell('', file(document, `/sandbox/documents/${encodeURIComponent(document.id)}/content`)),
				cell(
					'',
					text(document.fields.belegtyp),
					document.fields.belegdatum ? received(document.fields.belegdatum) : '',
				),
				cell('', text(document.fields.belegnotiz)),
				cell('mono quiet', document.id),
			],
		],
	},
	payments: {
		columns: ['Payment', 'To', 'Status', 'Move to', 'Amount'],
		empty: 'There are no payments.',
		rows: ({ id, api, status: now, payment_attributes: details, transitions }) => [
			[
				cell('', element('div', 'mono', id), quiet(api)),
				cell('', text(details.creditor_name), quiet(details.description)),
				status(now),
				cell('', ...transitions.map((to) => moveButton(id, to))),
				cell('number', money(details.amount, details.currency_code)),
			],
		],
	},
	tickets: {
		columns: ['Ticket', 'Product', 'Customer', 'Status'],
		empty: 'No ticket has been sold yet.',
		rows: (ticket) => [
			[
				cell('mono quiet', text(ticket.id)),
				cell('', text(ticket.product_name ?? ticket.product_id)),
				cell('mono quiet', text(ticket.customer_id)),
				status(ticket.status ?? 'partial'),
			],
		],
	},
	customers: {
		columns: ['Customer', 'Address', 'ID'],
		empty: 'No customer has been created yet.',
		rows: ({ id, name, address_lines: address }) => [
			[
				cell('', text(name)),
				cell(
					'',
					[address?.street, [address?.postal_code, address?.city].filter(Boolean).join(' ')]
						.filter(Boolean)
						.join(', '),
				),
				cell('mono quiet', text(id)),
			],
		],
	},
	requests: {
		columns: ['Time', 'Request', 'Status', 'Credits', 'Duration'],
		empty: 'No request has arrived yet.',
		rows: (request) => [
			[
				time(request.at),
				cell('', requestDetails(request)),
				cell(
					`short ${request.status && request.status < 400 ? 'good' : 'bad'}`,
					text(request.status ?? 'no answer'),
				),
				cell('number', request.credits ? text(request.credits) : ''),
				cell('number', request.durationMs === undefined ? '…' : `${request.durationMs} ms`),
			],
		],
	},
};

/** Columns of figures, which are aligned to the right. */
export const FIGURES = ['Amount', 'Credits', 'Duration'];
