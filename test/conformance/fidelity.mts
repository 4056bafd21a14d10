/**
 * Checks that a request means what the user entered, which no schema can. Written without the nodes' own code and
 * without luxon, so that a shared bug is unlikely.
 */
import { Big } from 'big.js';
import isEqual from 'lodash/isEqual.js';
import escapeRegExp from 'lodash/escapeRegExp.js';
import get from 'lodash/get.js';
import omit from 'lodash/omit.js';

import type { TestFile } from '../../host/harness.mjs';
import type { Luxon } from './domains.mjs';
import { decimalsOf } from './money.mjs';
import type { Action, Field } from './operations.mjs';
import type { Recorded } from './recorder.mjs';

const IS_VM = process.env.N8N_EXPRESSION_ENGINE === 'vm';

/** An item's input: values by field path, `belegzeilen.0.betrag` in lines. */
export type Given = Record<string, unknown>;

export interface Meant {
	given: Given;
	/** How many lines the entry has. */
	lines: number;
	files: Record<string, TestFile>;
	/** The workflow's time zone and name. */
	zone: string;
	workflowName: string;
	/** Which of an item's files an upload sends. */
	part?: number;
}

/** Where a value is in a request: `['query', 'quelle']`. */
type Target = Array<string | number>;

/** Where a request differs from the user's input; nothing if it is right. */
export function differences(action: Action, meant: Meant, request: Recorded): string[] {
	const { given, lines, zone } = meant;
	const body: unknown = request.text === '' ? undefined : JSON.parse(request.text);
	const sent = { path: request.call?.path, query: Object.fromEntries(request.call?.query ?? []), body };
	const fields: Array<[Field, value: unknown, target: Target]> = action.fields.flatMap((field) =>
		field.target ? [[field, valueOf(field, given), targetOf(field, given, body)]] : [],
	);
	for (let line = 0; line < lines; line++) {
		for (const field of action.lineFields) {
			const [place, ...keys] = (field.target as string).split('.');
			fields.push([field, given[`belegzeilen.${line}.${field.path}`], [place, 'belegzeilen', line, ...keys]]);
		}
	}
	const found = fields.flatMap(([field, value, target]) => {
		const arrived: unknown = get(sent, target);
		// Left empty, it is the sum of the lines: see `totals`.
		if (target.join('.') === 'body.betrag' && lines > 0 && isMissing(value)) return [];
		const sign = field.name === 'betrag' ? signOf(action, given) : 1;
		const isAmount = sign === -1 && typeof arrived === 'number' && !Object.is(arrived, -0);
		if (isAsMeant(field, value, isAmount ? 0 - arrived : arrived, meant)) return [];
		return [`${target.join('.')} is ${show(arrived)} for ${show(value)} (${zone})`];
	});
	const extra = leaves(sent).filter((leaf) => !fields.some(([, , target]) => isWithin(leaf, target)));
	return [...found, ...extra.map((leaf) => `${leaf.join('.')} was never given`), ...totals(body)];
}

/** In an entry with lines, the movement determines the sign of the amounts, if given. */
const signOf = ({ lineFields }: Action, { bewegung }: Given): 1 | -1 =>
	lineFields.length > 0 && show(bewegung).replaceAll('"', '').trim().toUpperCase() === 'AUSGABE' ? -1 : 1;

function targetOf({ name, target = '' }: Field, given: Given, body: unknown): Target {
	// The name of the webhook URL's field is an option.
	if (name !== 'url') return target.split('.');
	const { 'options.urlField': urlField } = given;
	if (isLuxon(urlField)) return ['body', Object.keys(body as object)[0]];
	return ['body', isMissing(urlField) ? 'url' : String(urlField as string).trim()];
}

/** The value of a field that also depends on another field. */
function valueOf({ path, name }: Field, given: Given): unknown {
	if (name === 'include_transactions' && given.output === 'transactions') return true;
	if (name === 'api') return isMissing(given.api) ? 'partner' : given.api;
	return given[path];
}

const isWithin = (leaf: Target, target: Target) => target.every((key, i) => String(leaf[i]) === String(key));

function isAsMeant(field: Field, value: unknown, arrived: unknown, meant: Meant): boolean {
	const { name, schema, target = '' } = field;
	// The file's name is checked with the file.
	if (name === 'dateiname') return true;
	if (name === 'quelle' && value === undefined) return arrived === meant.workflowName;
	if (name === 'datei')
		return isFile(
			arrived,
			namesOf(value, meant.files)[meant.part ?? 0],
			meant.files,
			meant.given['additionalFields.dateiname'],
		);
	if (name === 'belegbilder')
		return areFiles(arrived, value, meant.files, meant.given['additionalFields.dateiname']);
	if (schema.type === 'object') return isSameObject(value, arrived);
	if (name === 'belegnummer' && isMissing(value)) return MADE.test(String(arrived));
	// A document without one gets an ID from its content, unless that is turned off.
	if (['id', 'belegId'].includes(name) && isMissing(value) && meant.given['options.idFromContent'] !== false)
		return MADE_ID.test(String(arrived));
	if (isMissing(value)) return arrived === undefined;
	if (schema.type === 'number') {
		if (typeof arrived !== 'number' || Object.is(arrived, -0)) return false;
		return name === 'betrag'
			? isSameAmount(value, arrived, meant.given.waehrung)
			: isSameRate(value, arrived);
	}
	if (schema.type === 'boolean')
		return target.startsWith('query.') ? arrived === String(value as boolean) : arrived === value;
	if (schema.format === 'date-time') return isSameMoment(value, String(arrived), meant.zone);
	if (schema.format === 'date') return arrived === dayOf(value, meant.zone);
	if (name === 'bewegung') return isSameText(String(value).toUpperCase(), arrived);
	return isSameText(value, arrived);
}

/** A number that the node made from the content. */
const MADE = /^[\dA-Z]{6}(?:-[\dA-Z]{6}){4}$/;

/** A UUID that the node made from the content. */
const MADE_ID = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Pasted values are trimmed, so spaces alone count as empty. */
const isMissing = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function isSameText(value: unknown, arrived: unknown): boolean {
	// n8n itself turns luxon values in a collection into text.
	if (isLuxon(value)) return typeof arrived === 'string';
	// A number is accepted as text if none of its digits is lost.
	if (typeof value !== 'string') return Number.isSafeInteger(value) && arrived === String(value);
	// Each of the gateway's texts is one line.
	return arrived === value.trim().replaceAll(/[\t\n\v\f\r\u2028\u2029]+/g, ' ');
}

/** The number in a text, in any notation that the nodes accept. */
function decimalOf(given: string): Big {
	const isNegative = /[-\u2212]/.test(given);
	const text = given.replace(/[-+\u2212]/, '').trim();
	const decimal = text.search(/[.,]\d*$/);
	// The last separator is the decimal one, unless there are several of its kind.
	const isFraction = decimal !== -1 && text.indexOf(text[decimal]) === decimal;
	const [whole, fraction] = isFraction ? [text.slice(0, decimal), text.slice(decimal + 1)] : [text, '0'];
	return new Big(`${whole.replace(/[.,'’\s]/g, '')}.${fraction}`).times(isNegative ? -1 : 1);
}

/** The currency's name in an amount. */
const CURRENCY = /[A-Za-z]{3}|€/;

/** An amount in any notation, with or without its currency. */
export const amountOf = (given: unknown): Big =>
	decimalOf(String((given ?? 0) as number | string).replace(CURRENCY, ''));

/** An amount as written, without its currency, which must be the entry's. */
function isSameAmount(value: unknown, arrived: number, currency: unknown): boolean {
	const decimals = decimalsOf(currency);
	if (decimals !== undefined && decimalOf(String(arrived)).round(decimals).toNumber() !== arrived)
		return false;
	if (typeof value === 'number') {
		const noise = decimals === undefined ? 0 : 1e-5 * 10 ** -decimals;
		return isSameNumber(value, arrived, noise);
	}
	const text = String(value);
	const [name] = CURRENCY.exec(text) ?? [];
	if (name && name.toUpperCase().replace('€', 'EUR') !== currency) return false;
	return amountOf(text).eq(arrived);
}

/** Rates between 0 and 1 may come from a spreadsheet's percent cell, so they must not be sent. */
function isSameRate(value: unknown, arrived: number): boolean {
	if (arrived !== 0 && arrived < 1) return false;
	return typeof value === 'number'
		? isSameNumber(value, arrived)
		: decimalOf(String(value).replace('%', '')).eq(arrived);
}

/** Digits beyond 15 are noise, like the last digit of 0.1 + 0.2, if they are far below the precision that counts. */
function isSameNumber(value: number, arrived: number, noise = 0): boolean {
	return (
		arrived === value ||
		(String(arrived).replace(/e.*|\D/g, '').length <= 13 &&
			Math.abs(arrived - value) <= Math.max(noise, Math.abs(value) * 1e-14))
	);
}

/** Settings with their own field are checked there. */
function isSameObject(value: unknown, arrived: unknown): boolean {
	const sent = omit((arrived ?? {}) as object, 'postal_code', 'phone_number');
	if (isMissing(value)) return isEqual(sent, {});
	if (typeof value === 'string') return isEqual(sent, JSON.parse(value));
	return isEqual(sent, IS_VM ? plain(value) : value);
}

/** The engine `vm` turns any expression's result into plain objects without this member. */
const plain = (value: unknown): unknown =>
	JSON.parse(JSON.stringify(value), (key, member: unknown) => (key === '__proto__' ? undefined : member));

const isLuxon = (value: unknown): value is Luxon =>
	typeof value === 'object' && value !== null && (value as Luxon).luxon !== undefined;

/** The instant of a value that specifies one; undefined for a local time. */
function instantOf(value: unknown): number | undefined {
	if (value instanceof Date) return value.getTime();
	if (isLuxon(value)) return value.luxon;
	const text = String(value).trim();
	const [, date, time, seconds = ':00', fraction = '', sign, hours, minutes] =
		/^([+-]?\d+-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))? ?(?:Z|([+-])(\d\d):?(\d\d))$/i.exec(text) ??
		[];
	if (!date) return undefined;
	const utc = Date.parse(`${date}T${time}${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
	const offset = sign ? (Number(hours) * 60 + Number(minutes)) * 60_000 : 0;
	return sign === '-' ? utc + offset : utc - offset;
}

/** The clock on the wall at an instant: `2026-03-01T10:00:00`. */
function wallClock(instant: number, zone: string): string {
	const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
	const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')!.value;
	const [, sign, hours, minutes, seconds] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
	const offset = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000;
	return new Date(instant + (sign === '-' ? -offset : offset)).toISOString().slice(0, 19);
}

/** A date in ISO 8601, from text that may be in German notation: `1.3.2026` is `2026-03-01`. */
const isoDate = (text: string) =>
	text.replace(/^(\d\d?)\.(\d\d?)\.(\d{4})(?!\d)/, (_, day: string, month: string, year: string) =>
		[year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
	);

/** A local time as text, to the second; noon for a date alone; undefined for a value that specifies an instant. */
function localTime(value: unknown): string | undefined {
	if (typeof value !== 'string' || instantOf(value) !== undefined) return undefined;
	const local = isoDate(value.trim())
		.replace(' ', 'T')
		.replace(/[.,]\d+$/, '');
	return local.length === 10 ? `${local}T12:00:00` : local.length === 16 ? `${local}:00` : local;
}

/** A moment as given, except that midnight means the day, which is sent as noon. */
function isSameMoment(value: unknown, arrived: string, zone: string): boolean {
	const at = Date.parse(arrived);
	const local = wallClock(at, zone);
	// Before zones had whole minutes, their local mean time has no offset in RFC 3339: it arrives in UTC.
	const isWholeMinutes = (Date.parse(`${local}Z`) - Math.floor(at / 1000) * 1000) % 60_000 === 0;
	const clock = isWholeMinutes ? local : new Date(at).toISOString();
	// Who reads only the day must read that of the workflow's zone.
	if (!arrived.startsWith(clock.slice(0, 'YYYY-MM-DDTHH:mm'.length))) return false;
	const instant = instantOf(value);
	if (instant === undefined) {
		return wallClock(at, zone) === localTime(value)?.replace('T00:00:00', 'T12:00:00');
	}
	const [day] = wallClock(instant, zone).split('T');
	const begins = wallClock(instant - 1, zone).split('T')[0] !== day;
	return begins ? wallClock(at, zone) === `${day}T12:00:00` : at === instant;
}

const DAY = 24 * 60 * 60 * 1000;

/** Whether a value is a local time that never existed in the zone: an hour in spring, and a whole day in Samoa. */
export function isSkipped(value: unknown, zone: string): boolean {
	const local = localTime(value);
	const utc = Date.parse(`${local}Z`);
	if (Number.isNaN(utc)) return false;
	return [utc - 2 * DAY, utc + 2 * DAY].every((near) => {
		const offset = Date.parse(`${wallClock(near, zone)}Z`) - near;
		return wallClock(utc - offset, zone) !== local;
	});
}

function dayOf(value: unknown, zone: string): string {
	const instant = instantOf(value);
	return instant === undefined
		? isoDate(String(value as string).trim()).slice(0, 10)
		: wallClock(instant, zone).slice(0, 10);
}

function isFile(arrived: unknown, property: string, files: Meant['files'], chosenName?: unknown): boolean {
	const { content, dateiname } = (arrived ?? {}) as { content?: string; dateiname?: string };
	const { [property]: file } = files;
	const name = isMissing(chosenName) ? file?.fileName : chosenName;
	return content === file?.content.toString('base64') && isSameText(name, dateiname);
}

function areFiles(arrived: unknown, value: unknown, files: Meant['files'], chosenName: unknown): boolean {
	const names = namesOf(value, files);
	// A name is for one file.
	if (!isMissing(chosenName) && names.length !== 1) return false;
	if (names.length === 0) return arrived === undefined;
	const sent = Array.isArray(arrived) ? (arrived as unknown[]) : [];
	return sent.length === names.length && sent.every((file, i) => isFile(file, names[i], files, chosenName));
}

/** The files that a field selects by name and pattern, each once. */
export function namesOf(value: unknown, files: Meant['files']): string[] {
	if (isMissing(value)) return [];
	const listed = (typeof value === 'string' ? value : show(value))
		.split(',')
		.map((name) => name.trim())
		.filter(Boolean);
	const found = listed.flatMap((name) => {
		if (!name.includes('*')) return [name];
		const pattern = new RegExp(`^${name.split('*').map(escapeRegExp).join('.*')}$`, 'isu');
		return Object.entries(files).flatMap(([field, { fileName = '' }]) =>
			pattern.test(field) || (name.includes('.') && pattern.test(fileName)) ? [field] : [],
		);
	});
	return [...new Set(found)];
}

/** Rule 7 of the specification, exactly. */
function totals(body: unknown): string[] {
	const { betrag, belegzeilen } = (body ?? {}) as { betrag: number; belegzeilen?: Array<{ betrag: number }> };
	if (!belegzeilen) return [];
	const sum = belegzeilen.reduce((total, line) => total.plus(line.betrag), new Big(0));
	return sum.eq(betrag) ? [] : [`betrag is ${betrag}, its lines add up to ${sum.toString()}`];
}

/** The paths of everything in a request. */
function leaves(value: unknown, path: Target = []): Target[] {
	if (value === undefined) return [];
	if (typeof value !== 'object' || value === null) return [path];
	return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]));
}

export function show(value: unknown): string {
	if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
	try {
		return value instanceof Date || typeof value !== 'object'
			? String(value as number)
			: JSON.stringify(value);
	} catch {
		return Object.prototype.toString.call(value);
	}
}
