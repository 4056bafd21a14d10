// How each list is shown: its columns, its text when empty, and the rows of one item.
import { announce, button, cell, element, quiet, text } from './dom.js';
import { moment, money, number, received as asReceived, size, t } from './language.js';

function time(iso) {
	const { time: shown, day } = moment(iso);
	const node = element('time', '', shown);
	node.dateTime = iso;
	node.title = iso;
	return cell('time', node, ...(day ? [quiet(day)] : []));
}

/** A date-time as received, in its own time zone. */
function received(dateTime) {
	const node = quiet(asReceived(dateTime));
	node.title = dateTime;
	return node;
}

/** A link to a file, with a preview if it is an image. */
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
	const link = element('a', '', dateiname || t('(no name)'));
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
const words = (status) => t(text(status).replaceAll('_', ' '));
function status(value) {
	const node = cell(`short ${STATUS[value] ?? 'waiting'}`, words(value));
	// The tooltip shows the value as workflows receive it.
	node.title = text(value);
	return node;
}

function bookingDetails({ steuersatz = {}, gegenkonto, kostenstelle1, kostenstelle2 }) {
	return [
		steuersatz.prozent !== undefined && `${number(steuersatz.prozent)} %`,
		steuersatz.buSchluessel && `BU ${steuersatz.buSchluessel}`,
		gegenkonto && t('account {number}', { number: gegenkonto }),
		...[kostenstelle1, kostenstelle2].map((name) => name && t('cost center {name}', { name })),
	]
		.filter(Boolean)
		.join(' · ');
}

/** A button that moves a payment to a status. */
function moveButton(id, to) {
	return button(
		words(to),
		t('{status}: move payment {id}', { status: words(to), id }),
		async ({ currentTarget }) => {
			if (currentTarget.ariaDisabled === 'true') return;
			// The button isn't `disabled`, because a disabled button loses the focus.
			currentTarget.ariaDisabled = 'true';
			const answer = await fetch(`/sandbox/payments/${encodeURIComponent(id)}/${encodeURIComponent(to)}`, {
				method: 'POST',
			}).catch(() => undefined);
			announce(
				answer?.ok
					? t('Payment {id} is {status}', { id, status: words(to) })
					: t('Payment {id} could not be moved', { id }),
			);
			currentTarget.ariaDisabled = 'false';
		},
	);
}

/** A request for a record that is there already: the answer that a second attempt hopes for, and no mistake. */
const isThere = ({ errorCode }) => errorCode === 'DUPLICATE';

/** How a request's status is shown: what is there already is neither a success nor a mistake. */
function kindOf(request) {
	if (isThere(request)) return 'waiting';
	return request.status && request.status < 400 ? 'good' : 'bad';
}

/** What came of a refused request, in the page's language, and the gateway's own words. */
function refusal(request) {
	const what = isThere(request) ? t('Already there: nothing was changed') : t('Refused: nothing was changed');
	const answer = element('div', 'quiet', t('Answer: {answer}', { answer: request.error }));
	return [element('div', 'quiet', what), answer];
}

/** What a fault does, by its kind, and of a broken connection also by its moment. */
const STRUCK = {
	alter: 'changed answer',
	'broken-json': 'Broken JSON',
	cut: 'half an answer',
	drip: 'slow answer',
	drop: 'Connection dropped, nothing booked',
	'drop after-handler': 'Connection dropped after booking',
	hang: 'no answer',
	html: 'web page instead of an answer',
	latency: 'slow answer',
	redirect: 'redirect',
	status: 'error instead of an answer',
};
/** @param {string} fault as the log has it: its kind and its moment */
const struckBy = (fault) => t(STRUCK[fault] ?? STRUCK[fault.split(' ')[0]] ?? fault);

/** The details of a request, rendered when opened. */
function requestDetails(request) {
	const { method, path, operationId, faults, error, query, headers, body } = request;
	const title = element('summary', '', element('span', 'mono', `${method} ${path}`));
	if (error) title.append(...refusal(request));
	if (faults.length)
		title.append(
			element('div', 'quiet waiting', t('Fault: {faults}', { faults: faults.map(struckBy).join(', ') })),
		);
	const node = element('details', '', title);
	node.ontoggle = () => {
		if (!node.open || node.children.length > 1) return;
		const pre = element('pre', 'mono', JSON.stringify({ operationId, query, body, headers }, null, 2));
		// Makes the element scrollable with the keyboard.
		pre.tabIndex = 0;
		pre.ariaLabel = t('Details of {request}', { request: `${method} ${path}` });
		pre.role = 'region';
		node.append(pre);
	};
	return node;
}

const validity = ({ valid_from: from, valid_until: until }) =>
	[from, until]
		.map((day) => day && asReceived(day))
		.filter(Boolean)
		.join(' – ');

/** When a record was sent, and by what: n8n's workflow, which the nodes name. */
const sent = ({ receivedAt, quelle }) => {
	const node = time(receivedAt);
	if (quelle) node.append(quiet(quelle));
	return node;
};

export const LISTS = {
	entries: {
		columns: ['Received', 'Cash book', 'Number', 'Text', 'Receipts', 'Amount'],
		empty: 'No entry has arrived yet.',
		rows: ({ id, receivedAt, quelle, fields, belegbilder, bookings }) =>
			bookings.map((booking, index) => [
				index ? cell('') : sent({ receivedAt, quelle }),
				index ? cell('') : cell('short', text(fields.kassenname), received(fields.transaktionsdatum)),
				cell('mono short', text(booking.belegNummer ?? booking.belegnummer)),
				cell('', text(booking.belegtext), quiet(bookingDetails(booking))),
				cell(
					'',
					...(index
						? []
						: belegbilder.map((image, i) =>
								file(image, `/sandbox/entries/${encodeURIComponent(id)}/belegbilder/${i}`),
							)),
				),
				cell(`number ${booking.betrag < 0 ? 'bad' : 'good'}`, money(booking.betrag, fields.waehrung)),
			]),
	},
	documents: {
		columns: ['Received', 'File', 'Type', 'Note', 'Document'],
		empty: 'No document has arrived yet.',
		rows: (document) => [
			[
				sent(document),
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
				cell(
					'',
					...(transitions.length
						? [element('span', '', ...transitions.map((to) => moveButton(id, to)))]
						: []),
				),
				cell('number', money(details.amount, details.currency_code)),
			],
		],
	},
	transactions: {
		columns: ['Received', 'Bank account', 'Paid by', 'Amount'],
		empty: 'None yet. The transaction trigger finds new ones with its next poll.',
		rows: ({ at, bank_account, partner, text: description, amount }) => [
			[
				time(at),
				cell('mono short', bank_account),
				cell('', text(partner), quiet(description)),
				cell(`number ${amount < 0 ? 'bad' : 'good'}`, money(amount, 'EUR')),
			],
		],
	},
	tickets: {
		columns: ['Company', 'Product', 'Status', 'Ticket'],
		empty: 'No ticket has been sold yet.',
		rows: (ticket) => [
			[
				cell('', text(ticket.customer ?? ticket.customer_id)),
				cell('', text(ticket.product_name ?? ticket.product_id), quiet(validity(ticket))),
				status(ticket.status ?? 'partial'),
				cell('mono quiet', text(ticket.id)),
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
				cell(`short ${kindOf(request)}`, text(request.status ?? t('no answer'))),
				cell('number', request.credits ? number(request.credits) : ''),
				cell('number', request.durationMs === undefined ? '…' : `${number(request.durationMs)} ms`),
			],
		],
	},
};

/** Right-aligned columns of figures. */
export const FIGURES = ['Amount', 'Credits', 'Duration'];
