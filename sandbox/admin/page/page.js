// The sandbox's page: reads the control API and follows its changes.
import { button, cell, copyButton, element, row, text, updateRows } from './dom.js';
import { addFaults, showFaults } from './faults.js';
import { number, t, translatePage } from './language.js';
import { FIGURES, LISTS } from './lists.js';
import { addPaymentDialogs } from './payments.js';

/** Maximum number of items shown per list, and of rows until a person asks for all of them. */
const SHOWN = 50;
const ROWS_AT_FIRST = matchMedia('(width < 48rem)').matches ? 4 : 10;

async function read(path) {
	const answer = await fetch(`/sandbox/${path}`);
	return answer.ok ? answer.json() : undefined;
}

/** Adds to each section a count in its heading, a table, and a link to the section. */
function prepare() {
	for (const section of document.querySelectorAll('main > section')) {
		const heading = section.querySelector('h2');
		// The heading gets the focus when the focused element is gone.
		heading.tabIndex = -1;
		const link = element('a', '', heading.textContent);
		heading.append(element('span', 'count'));
		link.href = `#${section.id}`;
		document.getElementById('links').append(element('li', '', link));
	}
	for (const [name, { columns, empty }] of Object.entries(LISTS)) {
		const section = document.getElementById(name);
		const titles = columns.map((column) => {
			const title = element('th', FIGURES.includes(column) ? 'number' : '', t(column));
			title.scope = 'col';
			return title;
		});
		const table = element('table', '', element('thead', '', row(...titles)), element('tbody'));
		table.setAttribute('aria-labelledby', `${name}-title`);
		table.hidden = true;
		const more = button('', undefined, () => {
			section.showsAll = !section.showsAll;
			showList(name, section.items);
		});
		more.className = 'more';
		section.append(table, element('p', 'empty', t(empty)), more);
	}
}

/** The first of these items: as many as make few rows, and at least one. */
function withFewRows(name, items) {
	let count = 0;
	const end = items.findIndex((item) => (count += LISTS[name].rows(item).length) > ROWS_AT_FIRST);
	return end < 0 ? items : items.slice(0, Math.max(end, 1));
}

/** @param {object[]} items newest last */
function showList(name, items) {
	const section = document.getElementById(name);
	section.items = items;
	const newestFirst = [...items].reverse();
	const few = withFewRows(name, newestFirst);
	const more = section.querySelector('.more');
	more.hidden = few.length === items.length;
	more.textContent = section.showsAll ? t('Show fewer') : t('Show all {count}', { count: items.length });
	section.querySelector('.count').textContent =
		items.length < SHOWN ? ` ${items.length}` : ` ${t('latest {count}', { count: SHOWN })}`;
	section.querySelector('table').hidden = items.length === 0;
	section.querySelector('.empty').hidden = items.length > 0;
	updateRows(
		section.querySelector('tbody'),
		section.showsAll ? newestFirst : few,
		({ id, nr }) => id ?? nr,
		(item) => LISTS[name].rows(item).map((cells) => row(...cells)),
	);
}

function showAccounts(accounts) {
	document
		.getElementById('accounts')
		.replaceChildren(
			...accounts.map(({ name, credits }) =>
				element('li', '', `${name} `, element('b', '', t('{credits} credits', { credits: number(credits) }))),
			),
		);
	updateRows(
		document.getElementById('credentials'),
		[
			{ name: t('Base URL'), value: location.origin },
			...accounts.flatMap(({ name, keys }) =>
				keys.map((value) => ({ name: t('API key of {name}', { name }), value })),
			),
		],
		({ name, value }) => `${name} ${value}`,
		({ name, value }) => {
			const code = element('code', 'mono', value);
			return [
				element('div', '', element('dt', 'quiet', name), element('dd', '', code, copyButton(code, name))),
			];
		},
	);
	updateRows(
		document.getElementById('connections'),
		accounts.flatMap(({ name, connections }) =>
			connections.map((connection) => ({ ...connection, account: name })),
		),
		({ id }) => id,
		({ id, name, module, account }) => {
			const code = element('code', 'mono', id);
			return [
				row(
					cell('', name),
					cell('', module),
					cell('', text(account)),
					cell('', code, copyButton(code, t('ID of {name}', { name }))),
				),
			];
		},
	);
}

/** No gateway operation lists bank accounts, so this page shows their IDs. */
function showBankAccounts(bankAccounts, accounts) {
	const nameOf = (id) => accounts.find((account) => account.id === id)?.name ?? id;
	const copied = (value, name) => {
		const code = element('code', 'mono', value);
		return cell('', code, copyButton(code, name));
	};
	updateRows(
		document.getElementById('bank-accounts'),
		bankAccounts,
		({ id }) => id,
		({ id, holder, iban, account, api, connection_id }) => [
			row(
				cell('', holder),
				cell('mono', iban),
				cell('', nameOf(account)),
				cell('', api),
				copied(id, t('ID of bank account {id}', { id })),
				copied(connection_id, t('ID of the connection of {id}', { id })),
			),
		],
	);
}

/** The names of the companies that tickets belong to, by their IDs. */
const companies = new Map();

/** Adds the companies' names to tickets. An account has had its own company from the beginning: no request created it. */
async function nameCompanies(tickets, accounts) {
	for (const { customerId, name } of accounts) companies.set(customerId, name);
	if (tickets.some(({ customer_id: id }) => id && !companies.has(id))) {
		for (const { id, name } of (await read('customers')) ?? []) companies.set(id, name);
	}
	for (const ticket of tickets) ticket.customer = companies.get(ticket.customer_id);
}

/** Whether a refresh is running; `again` says that something has changed since it began. */
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
		const [accounts, bankAccounts, faults, ...lists] = await Promise.all([
			read('accounts'),
			read('bank-accounts'),
			read('faults'),
			...names.map((name) => read(`${name}?limit=${SHOWN}`)),
		]);
		showAccounts(accounts);
		showBankAccounts(bankAccounts ?? [], accounts);
		showFaults(faults ?? []);
		await nameCompanies(lists[names.indexOf('tickets')] ?? [], accounts);
		lists.forEach((items, index) => items && showList(names[index], items));
	} catch {
		// The sandbox isn't reachable. The event source shows that, and refreshes once it is back.
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
		live.textContent = t(on ? 'live' : 'reconnecting …');
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

translatePage();
prepare();
addPaymentDialogs(read);
addFaults();
follow();
