/**
 * Whether a refusal with status 409 says that the gateway has the record already. "Conflict" has other causes: a period
 * that is locked, a cash book that somebody else is editing. If such an answer were taken for "already exists", the
 * record would be lost silently; so when in doubt, it counts as a refusal, which a person reads.
 */
import { escapeRegExp } from 'lodash';

import { MESSAGE_FIELDS } from './gatewayMessage';

/** What identifies the record that was sent. */
export interface Identity {
	/** Its field, e.g. `belegnummer`. */
	field: string;
	value: string;
}

const words = (list: string) => new Set(list.split(/\s+/));

/** Words that on their own say that the record exists. */
const EXISTS = words(
	'exist exists existed existing existiert existieren existierte existierende existierenden vorhanden vorhandene ' +
		'vorhandenen vorhandener vorliegt',
);
const DUPLICATE = words(
	'duplicate duplicates duplicated dupe dup duplikat duplikate duplikats dublette dubletten doublette doppelt doppelte ' +
		'doppelten doppelter doppeltes doppelbuchung doppelerfassung twice',
);
/** With one of these, a word of `DONE` or `IN_USE` says that the record exists. */
const ALREADY = words('already bereits schon previously');
const DONE = words(
	'there present booked posted recorded stored saved registered uploaded imported transmitted received created submitted ' +
		'delivered processed known filed da gebucht verbucht erfasst angelegt gespeichert registriert hochgeladen importiert ' +
		'übertragen übermittelt empfangen erstellt eingereicht bereitgestellt verarbeitet bekannt eingegangen',
);
const IN_USE = words('use used taken assigned verwendet benutzt genutzt vergeben belegt');
/** With one of these, a word of `DONE` says that it is still going on. */
const GOING_ON = words('being wird werden currently gerade derzeit momentan');
const UNIQUE = words('unique uniqueness eindeutig eindeutigkeit');
/** What is unique; "nicht eindeutig" alone is German for "ambiguous". */
const NUMBERS = words('belegnummer nummer number id belegid guid uuid key schlüssel constraint');

const NEGATIONS = words(
	'not no none nor never neither without cannot missing unknown nicht nichts kein keine keinen keiner keines keinem nie ' +
		'niemals weder ohne fehlt fehlen fehlende unbekannt unbekannte',
);
/** "Duplicates are not allowed" says that there is one. */
const ALLOWED = words('allowed permitted accepted erlaubt zulässig gestattet');

/** Something stands in the way: a lock, a closing, another user. */
const OBSTACLES = words(
	'lock locks locked locking sperre sperren sperrung gesperrt gesperrte gesperrten closed closing closure geschlossen ' +
		'geschlossene abgeschlossen abgeschlossene abgeschlossenen abschluss festgeschrieben festgeschriebene festgeschriebenen ' +
		'festschreibung user users benutzer bearbeiter session sitzung progress busy storniert storno cancelled canceled ' +
		'deleted gelöscht',
);
/** Other reasons to refuse a record; next to one of these, its number only says which record is meant. */
const REASONS = words(
	'invalid ungültig ungültige ungültiger ungültiges rejected refused denied abgelehnt abgewiesen failed failure ' +
		'fehlgeschlagen exceeds exceeded überschritten überschreitet limit expected erwartet required erforderlich must muss ' +
		'müssen wrong falsch falsche falscher falsches timeout outdated veraltet modified changed geändert stale version retry ' +
		'later später insufficient mismatch differs weicht abweichend abweichung period periode zeitraum geschäftsjahr monat ' +
		'month negativ negative kassenbestand saldo gerade derzeit momentan currently being bearbeitet bearbeitung processing ' +
		'zu too',
);

/** What else can be there already: the period of the record, its cash book, or a report about them. */
const OTHERS =
	/(periode|period|zeitraum|zeitraums|monat|monats|month|jahr|jahres|year|quartal|quartals|quarter|meldung|bericht|report|stapel|batch)$/;
const CASH_BOOK = /^(das kassenbuch|die kasse|the cash book) /;
/** Names of the record itself. */
const RECORDS = words(
	'beleg buchung eintrag dokument datei transaktion rechnung entry record document file receipt booking transaction invoice',
);

const ends = (word: string) => /(abschluss|sperre|sperrung|festschreibung)$/.test(word);
const isNegation = (word: string) => NEGATIONS.has(word) || /n['’]t$/.test(word);
const isObstacle = (word: string) => OBSTACLES.has(word) || ends(word);

/** How many texts of a body are read, and how much of each: a message is short, and comes first. */
const MAX_TEXTS = 200;
const MAX_TEXT = 1_000;
const MAX_DEPTH = 8;

/** A text of the body, and the names of the fields that lead to it. */
interface Leaf {
	path: string[];
	text: string;
}

function leavesOf(body: unknown): Leaf[] {
	const leaves: Leaf[] = [];
	const collect = (value: unknown, path: string[]): void => {
		if (leaves.length >= MAX_TEXTS || path.length > MAX_DEPTH) return;
		if (Array.isArray(value)) value.forEach((entry) => collect(entry, path));
		else if (typeof value === 'object' && value !== null)
			Object.entries(value).forEach(([key, member]) => collect(member, [...path, key]));
		// `{"duplicate": true}`
		else if (value === true) leaves.push({ path, text: path.at(-1) ?? '' });
		else if (typeof value === 'string' || typeof value === 'number')
			leaves.push({ path, text: String(value).slice(0, MAX_TEXT) });
	};
	collect(body, []);
	return leaves;
}

/**
 * Fields whose text counts, besides those for messages. Other fields may hold the record itself, whose text may say
 * anything.
 */
const SPEAKING = new Set([
	...MESSAGE_FIELDS,
	...[
		'code',
		'type',
		'reason',
		'grund',
		'errorCode',
		'error_code',
		'errorMessage',
		'error_message',
		'hinweis',
	],
]);
/** Fields that repeat the request, or name it: a number there proves nothing. */
const ECHO = /^(request|anfrage|path|instance|url|trace\w*|status\w*|timestamp|zeitstempel)$/i;
const NUMBER_FIELD = /(nummer|number|nr|id|guid|uuid)$/i;

/** The words of each part of a sentence; `PERIOD_LOCKED` and `alreadyExists` are words, too. */
function clausesOf(text: string): string[][] {
	return text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[.,;:!?()\n–—]|\s(?:because|weil|denn|da|but|aber|sondern|deshalb|daher)\s/u)
		.map((clause) => clause.match(/[\p{L}\p{N}'’]+/gu) ?? []);
}

/** Whether a part of a sentence says that the record exists. */
function claims(clause: string[]): boolean {
	const has = (set: Set<string>) => clause.some((word) => set.has(word));
	if (clause.some(isObstacle)) return false;
	if (has(UNIQUE) && has(NUMBERS)) return true;
	const isDuplicate = has(DUPLICATE);
	const isOfOthers = clause.some((word) => OTHERS.test(word)) || CASH_BOOK.test(clause.join(' '));
	if (isOfOthers && !isDuplicate && !has(RECORDS) && !has(NUMBERS)) return false;
	if (clause.some(isNegation)) return isDuplicate && has(ALLOWED);
	const isDone = has(ALREADY) && (has(IN_USE) || (has(DONE) && !has(GOING_ON)));
	return isDuplicate || isDone || has(EXISTS) || (has(ALREADY) && clause.includes('vor'));
}

/** Shorter numbers would match by chance. */
const MIN_NAMED = 4;
/** A character that a number can contain: `K-1` isn't in `K-17`. */
const PART = '[\\p{L}\\p{N}$%&*+/_-]';

/**
 * Whether the body of a 409 says that the gateway has the record already: in words, or by naming its number or ID without
 * another reason.
 * @param sent what the record is identified by, if anything does
 */
export function saysItExists(body: unknown, sent?: Identity): boolean {
	const leaves = leavesOf(body);
	const value = sent?.value ?? '';
	// UUIDs come back in any case; the case of a number counts.
	const flags = /^[\da-f-]{36}$/i.test(value) ? 'giu' : 'gu';
	const named = value ? new RegExp(`(?<!${PART})${escapeRegExp(value)}(?!${PART})`, flags) : undefined;
	// An `id` may be that of the error.
	const isAboutAnother = ({ path, text }: Leaf) =>
		named &&
		path.at(-1) === sent?.field &&
		sent?.field !== 'id' &&
		/^[^\s\d]*\d\S*$/.test(text) &&
		!text.match(named);
	if (leaves.some(isAboutAnother)) return false;

	const speaks = ({ path }: Leaf) => path.length === 0 || path.some((key) => SPEAKING.has(key));
	const speaking = leaves.some(speaks) ? leaves.filter(speaks) : leaves;
	// The number itself may hold any word.
	const clauses = speaking.flatMap(({ text }) => clausesOf(named ? text.replace(named, ' ') : text));
	if (clauses.some(claims)) return true;

	const isNamed = ({ path, text }: Leaf) => {
		if (!named || path.some((key) => ECHO.test(key))) return false;
		if (value.length >= MIN_NAMED) return text.match(named) !== null;
		return text.trim() === value && NUMBER_FIELD.test(path.at(-1) ?? '');
	};
	const isReason = (word: string) => isNegation(word) || isObstacle(word) || REASONS.has(word);
	return leaves.some(isNamed) && !clauses.flat().some(isReason);
}
