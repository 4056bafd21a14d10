// Creates elements and keeps lists of them up to date. Texts are inserted only as text, never as HTML.

import { t } from './language.js';

/** @param {string} tag @param {string} className @param {...(Node | string)} children */
export function element(tag, className, ...children) {
	const node = document.createElement(tag);
	if (className) node.className = className;
	node.append(...children);
	return node;
}

export const text = (value) => (value === undefined || value === null ? '' : String(value));
export const cell = (className, ...children) => element('td', className, ...children);
export const row = (...cells) => element('tr', '', ...cells);
export const quiet = (value) => element('div', 'quiet', text(value));

/** @param {string | undefined} label for screen readers, if the text isn't enough; must begin with it */
export function button(shown, label, onclick) {
	const node = element('button', '', shown);
	node.type = 'button';
	if (label) node.ariaLabel = label;
	node.onclick = onclick;
	return node;
}

/** Announces something to screen readers. */
export function announce(message) {
	document.getElementById('announcement').textContent = message;
}

/** A button that copies a text. If the browser doesn't permit that, it selects the text instead. */
export function copyButton(node, what) {
	return button(t('Copy'), t('Copy {what}', { what }), async ({ currentTarget }) => {
		try {
			await navigator.clipboard.writeText(node.textContent);
		} catch {
			getSelection().selectAllChildren(node);
			return announce(t('The text is selected; copy it with the keyboard.'));
		}
		announce(t('{what} copied', { what }));
		currentTarget.textContent = t('Copied');
		setTimeout(() => (currentTarget.textContent = t('Copy')), 1500);
	});
}

/**
 * Updates a table's body to show a list. Rows of unchanged items stay the same elements, to keep focus, selection and
 * open details. If an item's rows are replaced, the focus moves to the new ones.
 * @param {HTMLElement} body
 * @param {object[]} items in the order in which they are shown
 * @param {(item: object) => unknown} keyOf distinguishes items
 * @param {(item: object) => HTMLElement[]} build makes the rows of an item
 */
export function updateRows(body, items, keyOf, build) {
	const before = (body.rowsByKey ??= new Map());
	const focus = focusIn(body, before);
	const after = new Map();
	for (const item of items) {
		const key = keyOf(item);
		const signature = JSON.stringify(item);
		const known = before.get(key);
		if (known?.signature === signature) {
			after.set(key, known);
			continue;
		}
		const rows = build(item);
		if (known) openAgain(known.rows, rows);
		after.set(key, { signature, rows });
	}
	body.rowsByKey = after;
	const rows = [...after.values()].flatMap(({ rows }) => rows);
	nameCells(body, rows);
	arrange(body, rows);
	if (focus && !body.contains(document.activeElement)) restore(focus, after, body);
}

/** Gives each cell its column's title, which narrow screens show above the cell. */
function nameCells(body, rows) {
	const titles = [...(body.closest('table')?.querySelectorAll('th') ?? [])].map((title) => title.textContent);
	for (const { cells = [] } of rows) {
		[...cells].forEach((one, index) => (one.dataset.title = titles[index] ?? ''));
	}
}

/** Reopens the details in an item's new rows that were open in the old ones. */
function openAgain(oldRows, newRows) {
	const detailsIn = (rows) => rows.flatMap((row) => [...row.querySelectorAll('details')]);
	const fresh = detailsIn(newRows);
	detailsIn(oldRows).forEach(({ open }, index) => {
		if (open && fresh[index]) fresh[index].open = true;
	});
}

/** Makes nodes the children of a parent, without moving those already in place. */
function arrange(parent, nodes) {
	const wanted = new Set(nodes);
	for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
	let next = parent.firstElementChild;
	for (const node of nodes) {
		if (node === next) next = next.nextElementSibling;
		else parent.insertBefore(node, next);
	}
}

const FOCUSABLE = 'a[href], button, summary';
const focusableIn = (rows) => rows.flatMap((row) => [...row.querySelectorAll(FOCUSABLE)]);

/** The item that has the focus: its key, and the position and name of the focused element in its rows. */
function focusIn(body, byKey) {
	const { activeElement } = document;
	if (!body.contains(activeElement)) return undefined;
	for (const [key, { rows }] of byKey) {
		const index = focusableIn(rows).indexOf(activeElement);
		if (index >= 0) return { key, index, name: nameOf(activeElement) };
	}
	return undefined;
}

const nameOf = (node) => node.ariaLabel ?? node.textContent;

/** Focuses the same element in the item's new rows; otherwise the first focusable one there, or the list's heading. */
function restore({ key, index, name }, byKey, body) {
	const candidates = focusableIn(byKey.get(key)?.rows ?? []);
	const same = candidates.find((node) => nameOf(node) === name);
	const next = same ?? (candidates.length ? candidates[Math.min(index, candidates.length - 1)] : undefined);
	(next ?? body.closest('section').querySelector('h2')).focus();
}
