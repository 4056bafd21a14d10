/**
 * The table of outcomes: what can become of a record, and the words for it in errors, hints and in the data of an item. A
 * new outcome is a row here; no other file names one to a person.
 */
import { both } from '../values';
import type { Bilingual } from '../values';
import type { Failure } from '../errors';

type Success = 'carriedOut' | 'dryRun';
/** Why a record wasn't carried out; `outcome` in the `details` of its item. */
type NotDone = 'invalid' | Failure['outcome'];
/** What became of a record. */
export type OutcomeName = Success | NotDone;

interface Words {
	/** In front of the items that had the outcome, in the error that ends a run. */
	title: Bilingual;
}

interface WordsOfNotDone extends Words {
	/** Behind the number of such items, in the hint of a run that goes on. */
	counted: Bilingual;
	/** What a person should do about an item, for a workflow that writes to somebody. */
	advice: Bilingual;
	/** The advice where the gateway says that it has the record already. */
	whereItExists?: Bilingual;
	/** The advice where parts of what was refused may have been carried out. */
	wherePartial?: Bilingual;
	/** The advice where the node remembers the record and doesn't send it again in another run either. */
	whereRemembered?: Bilingual;
	/** The advice where the operation only reads. */
	whereRead?: Bilingual;
	/** The advice for a status of the answer. */
	byStatus?: Record<number, Bilingual>;
}

/** In the order in which the error of a run lists them. */
export const OUTCOMES: Record<Success, Words> & Record<NotDone, WordsOfNotDone> = {
	carriedOut: { title: both('Carried out', 'Ausgeführt') },
	dryRun: { title: both('Dry run, nothing sent', 'Probelauf, nichts gesendet') },
	refused: {
		title: both('Refused', 'Abgelehnt'),
		counted: both('refused', 'abgelehnt'),
		advice: {
			en: 'Correct what the gateway names, then send it again: this one was not carried out.',
			de: 'Berichtigen Sie, was das Gateway nennt, und senden Sie es noch einmal: Dieser Vorgang wurde nicht ausgeführt.',
		},
		whereItExists: {
			en: 'If it is the same record, there is nothing to do; a different one needs another number.',
			de: 'Ist es derselbe Vorgang, ist nichts zu tun; ein anderer braucht eine andere Nummer.',
		},
		wherePartial: {
			en: 'Look in the cash book whether a part of it is there: a line, or an entry without its receipt. If none is, correct what the gateway names and send it again; if a part is there, add what is missing by hand.',
			de: 'Sehen Sie im Kassenbuch nach, ob ein Teil davon schon da ist: eine Zeile oder ein Eintrag ohne seinen Beleg. Ist nichts da, berichtigen Sie, was das Gateway nennt, und senden Sie es noch einmal; ist ein Teil da, tragen Sie von Hand nach, was fehlt.',
		},
		whereRead: {
			en: 'Correct what the gateway names, then run it again: nothing was read for this one.',
			de: 'Berichtigen Sie, was das Gateway nennt, und führen Sie es noch einmal aus: Hierzu wurde nichts gelesen.',
		},
		byStatus: {
			401: {
				en: 'Have the API key in the credential checked: it was refused, and this one was not carried out.',
				de: 'Lassen Sie den API-Schlüssel in den Zugangsdaten prüfen: Er wurde abgelehnt, und dieser Vorgang wurde nicht ausgeführt.',
			},
			402: {
				en: 'Top up the credits, then send it again: this one was not carried out.',
				de: 'Laden Sie das Guthaben auf und senden Sie es noch einmal: Dieser Vorgang wurde nicht ausgeführt.',
			},
			403: {
				en: 'Have the access to this connection, company or service checked: this one was not carried out.',
				de: 'Lassen Sie prüfen, ob der Zugang diese Verbindung, diesen Mandanten und diesen Dienst umfasst: Dieser Vorgang wurde nicht ausgeführt.',
			},
			429: {
				en: 'Wait a moment, then send it again: the gateway received too many requests, and this one was not carried out.',
				de: 'Warten Sie einen Moment und senden Sie es noch einmal: Das Gateway erhielt zu viele Anfragen, und dieser Vorgang wurde nicht ausgeführt.',
			},
		},
	},
	incomplete: {
		title: both('Incomplete', 'Unvollständig'),
		counted: both('incomplete', 'unvollständig'),
		advice: {
			en: 'Complete or correct it where it is: it has been created, and would exist twice if it were sent again.',
			de: 'Vervollständigen oder berichtigen Sie es dort, wo es steht: Es ist schon angelegt und wäre doppelt, wenn es noch einmal gesendet würde.',
		},
	},
	unknown: {
		title: both('Unknown', 'Unklar'),
		counted: both('of unknown outcome', 'unklar'),
		advice: {
			en: 'Look first whether it is there already (booked, uploaded or ordered), and send it again only if it is missing.',
			de: 'Sehen Sie zuerst nach, ob es schon da ist (gebucht, hochgeladen oder bestellt), und senden Sie es nur dann noch einmal, wenn es fehlt.',
		},
		whereRemembered: {
			en: 'Look whether it is there already (booked, uploaded or ordered). If it is missing, add it there by hand, or send it alone, with the option turned off by which the node remembers it: with that option, it does not send it again.',
			de: 'Sehen Sie nach, ob es schon da ist (gebucht, hochgeladen oder bestellt). Fehlt es, tragen Sie es dort von Hand nach, oder senden Sie es allein und ohne die Option, mit der sich der Node daran erinnert: Der Node sendet es nicht noch einmal, solange sie an ist.',
		},
	},
	failed: {
		title: both('Failed', 'Misslungen'),
		counted: both('failed', 'misslungen'),
		advice: {
			en: 'Try again later, and ask the provider of the gateway if it fails again: nothing was changed.',
			de: 'Versuchen Sie es später noch einmal und fragen Sie den Anbieter des Gateways, wenn es wieder misslingt: Es wurde nichts geändert.',
		},
	},
	invalid: {
		title: both('Not sent', 'Nicht gesendet'),
		counted: both('not sent', 'nicht gesendet'),
		advice: {
			en: 'Correct the fields that the error names, then send it again: this one was not sent.',
			de: 'Berichtigen Sie die genannten Felder und senden Sie es noch einmal: Dieser Vorgang wurde nicht gesendet.',
		},
		whereRead: {
			en: 'Correct the fields that the error names, then run it again: nothing was read for this one.',
			de: 'Berichtigen Sie die genannten Felder und führen Sie es noch einmal aus: Hierzu wurde nichts gelesen.',
		},
	},
	notSent: {
		title: both('Not sent', 'Nicht gesendet'),
		counted: both('not sent', 'nicht gesendet'),
		advice: {
			en: 'Remove the cause, then send it again: this one was not sent.',
			de: 'Beheben Sie die Ursache und senden Sie es noch einmal: Dieser Vorgang wurde nicht gesendet.',
		},
		whereRead: {
			en: 'Remove the cause, then run it again: nothing was read for this one.',
			de: 'Beheben Sie die Ursache und führen Sie es noch einmal aus: Hierzu wurde nichts gelesen.',
		},
	},
};

export type OperationKind = 'read' | 'write' | 'local';

/** What was done with items, where the operation only reads. */
const READ = { title: both('Read', 'Gelesen') };
const NOT_READ = { title: both('Not read', 'Nicht gelesen'), counted: both('not read', 'nicht gelesen') };

export function wordsOf(
	name: OutcomeName,
	kind: OperationKind,
): Words & Partial<Pick<WordsOfNotDone, 'counted'>> {
	if (kind === 'write') return OUTCOMES[name];
	if (name === 'carriedOut') return READ;
	return kind === 'local' || name === 'invalid' || name === 'notSent' ? NOT_READ : OUTCOMES[name];
}

/** Behind that, where the node remembers the record. */
export const NOT_AGAIN = both(
	"If it is missing, add it there by hand, or send it alone, with the option turned off by which the node remembers it: with that option, this node won't send it again.",
	'Fehlt es, tragen Sie es dort von Hand nach, oder senden Sie es allein und ohne die Option, mit der sich der Node daran erinnert: Mit ihr sendet er es nicht noch einmal.',
);

type KnownOutcome = { outcome: NotDone; kind?: OperationKind } & Pick<
	Failure,
	'status' | 'exists' | 'partial' | 'remembered'
>;

/** The advice for an item that wasn't carried out; the more specific one counts. */
export function adviceFor({ outcome, status = 0, ...known }: KnownOutcome): Bilingual {
	const { exists, partial, remembered, kind = 'write' } = known;
	const { advice, whereItExists, wherePartial, whereRemembered, whereRead, byStatus } = OUTCOMES[outcome];
	return (
		(exists && whereItExists) ||
		(partial && wherePartial) ||
		(remembered && whereRemembered) ||
		byStatus?.[status] ||
		(kind !== 'write' && whereRead) ||
		advice
	);
}

/** Whether a request was certainly not carried out, so that it may be sent again. */
export const isCertainlyNotDone = ({ outcome, partial }: Pick<Failure, 'outcome' | 'partial'>): boolean =>
	(outcome === 'refused' && !partial) || outcome === 'notSent';
