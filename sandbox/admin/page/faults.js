// Faults that can be switched on, and the reset.
import { announce, cell, element, row, updateRows } from './dom.js';
import { t } from './language.js';

/** The form's choices, each with the fault that is sent to the control API. */
const FAULTS = {
	'The answer takes 5 seconds': { kind: 'latency', ms: 5000 },
	'Too many requests (429)': { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
	'Server error (500)': { kind: 'status', status: 500 },
	'Server overloaded (503)': { kind: 'status', status: 503 },
	'Connection dropped, nothing booked': { kind: 'drop' },
	'Connection dropped after booking': { kind: 'drop', point: 'after-handler' },
	'Broken JSON': { kind: 'broken-json' },
};

const CALLS = { all: 'all calls', reads: 'reads', writes: 'writes' };

const section = document.getElementById('faults');
const form = section.querySelector('form');
const error = document.getElementById('fault-error');
const dialog = document.getElementById('reset-dialog');

/** Sends a request to the control API, and reports the result. */
async function order(method, path, done, body) {
	const answer = await fetch(`/sandbox/${path}`, { method, body: body && JSON.stringify(body) }).catch(
		() => undefined,
	);
	const { error: refused } = (await answer?.json().catch(() => undefined)) ?? {};
	error.textContent = answer?.ok ? '' : (refused?.message ?? t('The sandbox is not reachable.'));
	if (answer?.ok) announce(done);
}

export function addFaults() {
	form.elements.fault.replaceChildren(
		...Object.keys(FAULTS).map((name) => {
			const option = element('option', '', t(name));
			option.value = name;
			return option;
		}),
	);
	form.onsubmit = (event) => {
		event.preventDefault();
		const times = form.elements.times.value;
		const fault = {
			...FAULTS[form.elements.fault.value],
			calls: form.elements.calls.value,
			times: times === '' ? null : Number(times),
		};
		void order('POST', 'faults', t('Fault switched on'), fault);
	};
	document.getElementById('faults-off').onclick = () =>
		void order('DELETE', 'faults', t('All faults are off'));
	document.getElementById('reset').onclick = () => dialog.showModal();
	dialog.onclose = () => {
		if (dialog.returnValue !== 'reset') return;
		dialog.returnValue = '';
		void order('POST', 'reset', t('The sandbox has been reset'));
	};
}

/** @param {object[]} active as the control API lists them */
export function showFaults(active) {
	const pending = active.filter(({ fault, struck }) => fault.times === null || struck < fault.times);
	section.querySelector('.count').textContent = pending.length > 0 ? ` ${pending.length}` : '';
	section.querySelector('table').hidden = active.length === 0;
	section.querySelector('.empty').hidden = active.length > 0;
	document.getElementById('faults-off').hidden = active.length === 0;
	updateRows(
		section.querySelector('tbody'),
		[...active].reverse(),
		({ id }) => id,
		({ fault, struck }) => [
			row(
				cell('', nameOf(fault)),
				cell('', fault.operationId ?? t(CALLS[fault.calls])),
				cell('number', occurrences(fault, struck)),
			),
		],
	);
}

/** How often a fault has happened, and whether it still can. */
function occurrences({ times }, struck) {
	if (times === null) return t('{struck}, until switched off', { struck });
	return t(struck < times ? '{struck} of {times}' : '{struck} of {times}, used up', { struck, times });
}

/** The name of a fault from this page's list; others are named by their kind. */
function nameOf({ kind, status, ms, point }) {
	const known = Object.entries(FAULTS).find(
		([, one]) =>
			one.kind === kind &&
			one.status === status &&
			one.ms === ms &&
			(kind !== 'drop' || (one.point ?? 'before-handler') === point),
	);
	return known ? t(known[0]) : [kind, status ?? ms, point].filter((part) => part !== undefined).join(' ');
}
