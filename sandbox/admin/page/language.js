// The page's language: German or English, as chosen, or as the browser prefers. English texts are the keys of german.js.
import { GERMAN } from './german.js';

const KEY = 'language';

/** The chosen language, if the browser stores it. */
function chosen() {
	try {
		return localStorage.getItem(KEY);
	} catch {
		return null;
	}
}

const ofBrowser = navigator.languages.find((tag) => /^(de|en)\b/i.test(tag)) ?? 'en';

export const language = chosen() ?? ofBrowser.slice(0, 2).toLowerCase();

/** The format of numbers and dates: the browser's region, if it has this language. */
const locale = ofBrowser.toLowerCase().startsWith(language) ? ofBrowser : language;

/**
 * A text in the page's language.
 * @param {string} english with placeholders: `Copy {what}`
 * @param {Record<string, unknown>} values
 */
export function t(english, values = {}) {
	const shown = language === 'de' && Object.hasOwn(GERMAN, english) ? GERMAN[english] : english;
	return shown.replace(/\{(\w+)\}/g, (place, name) => (Object.hasOwn(values, name) ? values[name] : place));
}

/** Translates the HTML's texts, and sets up the choice of language. */
export function translatePage() {
	document.documentElement.lang = language;
	const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const { data } = texts.currentNode;
		const english = data.trim().replace(/\s+/g, ' ');
		if (Object.hasOwn(GERMAN, english)) texts.currentNode.data = data.replace(data.trim(), () => t(english));
	}
	for (const name of ['aria-label', 'title']) {
		for (const node of document.querySelectorAll(`[${name}]`)) {
			node.setAttribute(name, t(node.getAttribute(name)));
		}
	}
	const choice = document.getElementById('language');
	choice.value = language;
	choice.onchange = () => {
		try {
			localStorage.setItem(KEY, choice.value);
		} finally {
			location.reload();
		}
	};
}

const amounts = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
const sizes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** `1.234,50 EUR`. Non-numbers stay unchanged. */
export function money(value, currency = '') {
	const isNumber = value !== null && value !== '' && Number.isFinite(Number(value));
	return `${isNumber ? amounts.format(Number(value)) : String(value ?? '')} ${currency ?? ''}`.trim();
}

export const number = (value) => numbers.format(value);

export function size(bytes) {
	if (bytes < 1024) return `${bytes} B`;
	if (bytes < 1024 ** 2) return `${sizes.format(bytes / 1024)} KB`;
	return `${sizes.format(bytes / 1024 ** 2)} MB`;
}

const day = { year: 'numeric', month: '2-digit', day: '2-digit' };
const days = new Intl.DateTimeFormat(locale, { ...day, timeZone: 'UTC' });
const times = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const ownDays = new Intl.DateTimeFormat(locale, day);
const ownTimes = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

/** When something happened, in the browser's zone: the time, and the day unless it is today. */
export function moment(iso) {
	const date = new Date(iso);
	const shown = ownDays.format(date);
	return { time: ownTimes.format(date), day: shown === ownDays.format(new Date()) ? '' : shown };
}

/** A date as received, unconverted, with its time and zone if it has them. */
export function received(given) {
	const [, date, time, zone = ''] =
		/^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)[\d:.]*(Z|[+-][\d:]+)?)?$/i.exec(given ?? '') ?? [];
	const asUtc = new Date(`${date}T${time ?? '00:00'}Z`);
	if (date === undefined || Number.isNaN(asUtc.getTime())) return String(given ?? '');
	return time ? `${days.format(asUtc)}, ${times.format(asUtc)} ${zone}`.trim() : days.format(asUtc);
}
