// The sandbox's page: reads the control API and follows its changes. Texts reach the page as text only.

const SHOWN = 50;
const amount = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 });

/** @param {string} tag @param {string} className @param {...(Node | string)} children */
function element(tag, className, ...children) {
	const node = document.createElement(tag);
	if (className) node.className = className;
	node.append(...children);
	return node;
}

const text = (value) => (value === undefined || value === null ? '' : String(value));
const cell = (className, ...children) => element('td', className, ...children);
const quiet = (value) => element('div', 'quiet', text(value));

function time(iso) {
	const date = new Date(iso);
	const node = element('time', '', date.toLocaleTimeString());
	node.dateTime = iso;
	node.title = date.toLocaleString();
	return cell('time', node);
}

/** A date-time as it was received, without the T and what follows the minutes: the zone counts, so it stays. */
function received(dateTime) {
	const node = quiet(text(dateTime).replace(/^(\S{10})T(\d\d:\d\d)[\d:.]*/, '$1 $2 '));
	node.title = dateTime;
	return node;
}

function money(value, currency) {
	const number = Number(value);
	return cell(`number ${number < 0 ? 'bad' : 'good'}`, `${amount.format(number)} ${text(currency)}`.trim());
}

function size(bytes) {
	if (bytes < 1024) return `${bytes} B`;
	if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
	return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** A link to a file, with a picture of it where it is one. */
function file({ dateiname, size: bytes }, href) {
	const kind = /\.(\w{1,4})$/.exec(dateiname)?.[1] ?? '';
	let sign = element('span', 'kind', kind.toUpperCase() || '?');
	if (/^(png|jpe?g|gif|webp)$/i.test(kind)) {
		const picture = element('img');
		picture.src = href;
		picture.alt = '';
		picture.loading = 'lazy';
		picture.onerror = () => picture.replaceWith(element('span', 'kind', kind.toUpperCase()));
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
const status = (value) => cell(`short ${STATUS[value] ?? 'waiting'}`, text(value).replaceAll('_', ' '));

/** How each list is shown: its columns, what stands there while it is empty, and the rows of one item. */
const LISTS = {
	entries: {
		columns: ['Received', 'Cash book', 'Number', 'Text', 'Receipts', 'Amount'],
		empty: 'No entry has arrived yet.',
		rows: ({ id, receivedAt, fields, belegbilder, bookings }) =>
			bookings.map((booking, index) => [
				index ? cell('') : time(receivedAt),
				index ? cell('') : cell('short', text(fields.kassenname), received(fields.transaktionsdatum)),
				cell('mono short', text(booking.belegNummer ?? booking.belegnummer)),
				cell('', text(booking.belegtext), quiet(details(booking))),
				cell(
					'',
					...(index
						? []
						: belegbilder.map((image, i) => file(image, `/sandbox/entries/${id}/belegbilder/${i}`))),
				),
				money(booking.betrag, fields.waehrung),
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
		columns: ['Payment', 'To', 'Status', 'Move it', 'Amount'],
		empty: 'There are no payments.',
		rows: ({ id, status: now, payment_attributes: details, transitions }) => [
			[
				cell('mono', id),
				cell('', text(details.creditor_name), quiet(details.description)),
				status(now),
				cell('', ...transitions.map((transition) => transitionButton(id, transition))),
				money(details.amount, details.currency_code),
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

function details({ steuersatz = {}, gegenkonto, kostenstelle1, kostenstelle2 }) {
	return [
		steuersatz.prozent !== undefined && `${steuersatz.prozent} %`,
		steuersatz.buSchluessel && `BU ${steuersatz.buSchluessel}`,
		gegenkonto && `account ${gegenkonto}`,
		...[kostenstelle1, kostenstelle2].map((name) => name && `cost centre ${name}`),
	]
		.filter(Boolean)
		.join(' · ');
}

function transitionButton(id, transition) {
	const button = element('button', '', transition.replaceAll('_', ' '));
	button.onclick = async () => {
		button.disabled = true;
		await fetch(`/sandbox/payments/${encodeURIComponent(id)}/${encodeURIComponent(transition)}`, {
			method: 'POST',
		});
		refresh();
	};
	return button;
}

/** The numbers of the requests whose details are open; drawing the list anew keeps them so. */
const open = new Set();

function requestDetails({ nr, method, path, operationId, faults, error, query, headers, body }) {
	const node = element('details');
	const title = element('summary', '', element('span', 'mono', `${method} ${path}`));
	if (error) title.append(element('div', 'quiet', error));
	if (faults.length) title.append(element('div', 'quiet waiting', `Fault: ${faults.join(', ')}`));
	const show = () => {
		if (!node.open) return void open.delete(nr);
		open.add(nr);
		if (node.children.length > 1) return;
		node.append(element('pre', 'mono', JSON.stringify({ operationId, query, body, headers }, null, 2)));
	};
	node.append(title);
	node.ontoggle = show;
	node.open = open.has(nr);
	return node;
}

function draw(name, items) {
	const section = document.getElementById(name);
	section.hidden = false;
	const { columns, empty, rows } = LISTS[name];
	const count = element('span', 'count', items.length < SHOWN ? text(items.length) : `the last ${SHOWN}`);
	section.querySelector('.count')?.remove();
	section.querySelector('h2').append(count);
	const old = section.querySelector('table, .empty');
	let content = element('p', 'empty', empty);
	if (items.length) {
		const titles = columns.map((column) => {
			const title = element('th', /Amount|Credits|Duration/.test(column) ? 'number' : '', column);
			title.scope = 'col';
			return title;
		});
		content = element(
			'table',
			'',
			element('thead', '', element('tr', '', ...titles)),
			element(
				'tbody',
				'',
				...[...items]
					.reverse()
					.flatMap(rows)
					.map((cells) => element('tr', '', ...cells)),
			),
		);
	}
	if (old) old.replaceWith(content);
	else section.append(content);
}

function drawAccounts(accounts) {
	document
		.getElementById('accounts')
		.replaceChildren(
			...accounts.map(({ name, credits }) =>
				element('li', '', `${name} `, element('b', '', new Intl.NumberFormat().format(credits)), ' credits'),
			),
		);
}

async function read(path) {
	const answer = await fetch(`/sandbox/${path}`);
	return answer.ok ? answer.json() : undefined;
}

/** Set while a refresh runs; `again` when something changed meanwhile. */
let running = false;
let again = false;

async function refresh() {
	if (running) {
		again = true;
		return;
	}
	running = true;
	try {
		const names = Object.keys(LISTS);
		const [accounts, ...lists] = await Promise.all([
			read('accounts'),
			...names.map((name) => read(`${name}?limit=${SHOWN}`)),
		]);
		drawAccounts(accounts);
		lists.forEach((items, index) => items && draw(names[index], items));
	} catch {
		// The sandbox is gone; the event source says so and comes back with it.
	} finally {
		running = false;
		if (again) {
			again = false;
			void refresh();
		}
	}
}

function follow() {
	const live = document.getElementById('live');
	const show = (on) => {
		live.classList.toggle('on', on);
		live.textContent = on ? 'live' : 'reconnecting …';
	};
	const events = new EventSource('/sandbox/events');
	events.onopen = () => show(true);
	events.addEventListener('change', () => void refresh());
	events.onerror = () => {
		show(false);
		// Browsers reconnect by themselves, except after an answer that isn't an event stream.
		if (events.readyState === EventSource.CLOSED) setTimeout(follow, 1000);
	};
}

follow();
