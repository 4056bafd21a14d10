/** The sentences about a record that was not written, or may have been: what happened, and what to do. */
import { CHECK_FIRST, unsent } from '../../errors';
import type { Failure } from '../../errors';
import { MOST_REMEMBERED } from '../../processedData';
import { both, sentences } from '../../values';
import type { Bilingual } from '../../values';
import { NOT_AGAIN } from '../outcomes';
import { failed } from '../task';

const unknown = (message: Bilingual, description = CHECK_FIRST, more: Partial<Failure> = {}) =>
	failed({ outcome: 'unknown', message, description, ...more });

/** Equal records of a run. */
export const SAME_RECORD = {
	unknown: (remembered?: true) =>
		unknown(
			both(
				'It is the same record as one before, whose outcome is unknown',
				'Es ist derselbe Vorgang wie einer davor, bei dem unklar ist, was daraus wurde',
			),
			sentences(CHECK_FIRST, remembered && NOT_AGAIN),
			{ remembered },
		),
	incomplete: failed({
		outcome: 'incomplete',
		message: both(
			'It is the same record as one before, which is incomplete',
			'Es ist derselbe Vorgang wie einer davor, der unvollständig ist',
		),
		description: both(
			'It was not sent again: complete or correct that one.',
			'Er wurde nicht noch einmal gesendet: Vervollständigen oder berichtigen Sie jenen.',
		),
	}),
};

const SENT_AGAIN = both(
	', but a new run sends it again: keep it out',
	', ein neuer Lauf aber schon: Nehmen Sie es heraus',
);

/** The gateway has the record, and the accounting system behind it has refused it. */
export function rejected(reason: Bilingual, isSentAgain: boolean): Failure {
	const again = isSentAgain ? SENT_AGAIN : both('', '');
	return {
		outcome: 'incomplete',
		message: both(
			`The gateway accepted it, but ${reason.en}`,
			`Das Gateway hat es angenommen, gebucht ist es nicht. ${reason.de}`,
		),
		description: both(
			`Look it up in the accounting system and correct it there: if you sent it again, it would exist twice. A retry sends nothing${again.en}.`,
			`Sehen Sie im Buchhaltungssystem nach und berichtigen Sie es dort: Noch einmal gesendet, wäre es doppelt. Eine Wiederholung sendet nichts${again.de}.`,
		),
	};
}

/** What the node remembers of earlier runs; what is unknown is reported once, so that someone looks the record up. */
export const FROM_MEMORY = {
	open: unknown(
		both(
			'Whether it was carried out is unknown: an earlier run ended before the outcome was known, or another run is sending it now',
			'Es ist unklar, ob es ausgeführt wurde: Ein früherer Lauf endete, bevor das feststand, oder ein anderer sendet es gerade',
		),
		both(
			'Make sure that no other run of this workflow is still active, then look it up in the accounting system. If it is missing, enter it there: from now on, this node treats it as done, unless another run stopped before sending it.',
			'Stellen Sie sicher, dass kein anderer Lauf dieses Workflows aktiv ist, und sehen Sie im Buchhaltungssystem nach. Fehlt es, tragen Sie es dort ein: Von jetzt an gilt es diesem Node als erledigt, außer ein anderer Lauf hielt an, bevor er es gesendet hat.',
		),
		{ remembered: true },
	),
	onOtherDay: unknown(
		both(
			'It may be there already, on the day before or after: an earlier run sent the same of the same moment, when the workflow had another time zone',
			'Es ist vielleicht schon da, einen Tag früher oder später: Ein früherer Lauf hat dasselbe mit demselben Zeitpunkt gesendet, als der Workflow eine andere Zeitzone hatte',
		),
		both(
			'Look it up in the accounting system, and correct its day there. If it is missing, enter it there: from now on, this node treats it as done.',
			'Sehen Sie im Buchhaltungssystem nach und berichtigen Sie dort den Tag. Fehlt es, tragen Sie es dort ein: Von jetzt an gilt es diesem Node als erledigt.',
		),
		{ remembered: true },
	),
	/** Something of it may be there. */
	incomplete: failed({
		outcome: 'incomplete',
		message: both(
			'An earlier run sent it, and it was refused, so it was not sent again',
			'Ein früherer Lauf hat es gesendet, und es wurde abgelehnt; darum wurde es nicht noch einmal gesendet',
		),
		description: both(
			'The gateway may have it, or some of its lines: look it up, and correct or complete it there. To have it booked anew, cancel what is there and change its booking text, or send it alone, with the option turned off by which the node remembers it.',
			'Das Gateway hat es vielleicht oder einen Teil seiner Zeilen: Sehen Sie nach und berichtigen oder vervollständigen Sie es dort. Soll es neu gebucht werden, stornieren Sie, was da ist, und ändern Sie den Buchungstext, oder senden Sie es allein und ohne die Option, mit der sich der Node daran erinnert.',
		),
		remembered: true,
	}),
};

/** No record of a run is sent if the node can't remember all of them, or can't read what it remembers. */
export const NO_MEMORY = {
	full: ({ held, added }: { held: number; added: number }): Failure =>
		unsent(
			both(
				`Nothing was sent, because this node's memory has no room for all that is new (${added}): it holds ${held} of at most ${MOST_REMEMBERED}`,
				`Es wurde nichts gesendet, weil das Gedächtnis dieses Nodes für alles Neue (${added}) keinen Platz hat: ${held} von höchstens ${MOST_REMEMBERED} Plätzen sind belegt. Nehmen Sie für Neues, etwa ein neues Jahr, einen weiteren Node`,
			),
			both(
				'What it remembers is never dropped, so that nothing is booked twice. For what is new, such as a new year, use another node of this kind, and give it nothing that this one has booked; or send fewer items at once.',
				'Was er sich gemerkt hat, vergisst er nie, damit nichts doppelt gebucht wird. Geben Sie dem weiteren Node nichts, was dieser gebucht hat, oder senden Sie weniger Items auf einmal.',
			),
		),
	ofOtherFormat: unsent(
		both(
			'Nothing was sent, because what this node remembers was written by another version of the package',
			'Es wurde nichts gesendet: Was dieser Node sich gemerkt hat, stammt von einer anderen Version des Pakets und ist für diese nicht lesbar. Setzen Sie einen neuen Node an seine Stelle und geben Sie ihm nur, was noch nicht gesendet wurde, oder installieren Sie die frühere Version wieder',
		),
		both(
			'This version can’t tell what was sent before, so it sends nothing rather than everything once more. Put a new node in its place (add one, don’t copy its ID) and give it only what was not sent yet; or install the former version again.',
			'Fügen Sie den neuen Node hinzu; kopieren Sie nicht den alten, denn die Kopie hätte dessen ID.',
		),
	),
	silent: ({ message }: Error): Failure =>
		unsent(
			both(
				`Not sent, because n8n couldn't look up what this node has already sent: ${message}`,
				'n8n konnte nicht nachsehen, was dieser Node schon gesendet hat; darum wurde nichts gesendet',
			),
			both(
				"If the workflow is new, save it. If it is saved, n8n's database has a problem: see n8n's log.",
				`Ist der Workflow neu, speichern Sie ihn. Ist er gespeichert, hat die Datenbank von n8n ein Problem: Sehen Sie in n8ns Protokoll nach („${message}“).`,
			),
		),
};

const CAME_TO: Partial<Record<Failure['outcome'], Bilingual>> = {
	unknown: both(
		'its outcome is unknown since an earlier attempt',
		'Seit einem früheren Versuch ist unklar, was daraus wurde',
	),
	incomplete: both(
		'it is incomplete since an earlier attempt',
		'Seit einem früheren Versuch ist es unvollständig',
	),
};
const WAS_REFUSED = both('an earlier attempt was refused', 'Ein früherer Versuch wurde abgelehnt');

/** What an earlier attempt of the execution has sent, or may have. */
export const EARLIER_ATTEMPT = {
	interrupted: unknown(
		both(
			'The node was interrupted while this request was in flight',
			'Der Node wurde unterbrochen, während diese Anfrage lief',
		),
	),
	stopped: unknown(
		both(
			'n8n was stopped while this execution was writing, or the execution was retried before, or it began with another version of the package',
			'n8n wurde beim Senden angehalten, oder die Ausführung wurde schon einmal wiederholt oder mit einer anderen Version des Pakets begonnen',
		),
		both(
			'The outcome for this item is unknown, so it was not sent again: check the newest retry, if there is one, and look it up. Send what is missing in a new execution.',
			'Was aus diesem Item wurde, ist unklar, darum wurde es nicht noch einmal gesendet: Sehen Sie in der neuesten Wiederholung nach, falls es eine gibt, und ob es da ist. Senden Sie, was fehlt, in einer neuen Ausführung.',
		),
	),
	toolGone: unknown(
		both(
			'An earlier attempt of this execution sent something through a tool that no longer exists: it was renamed or removed',
			'Ein früherer Versuch hat etwas durch ein Werkzeug gesendet, das es nicht mehr gibt',
		),
		both(
			'Its outcome is unknown, so nothing was sent: look it up. Send what is missing in a new execution.',
			'Was daraus wurde, ist unklar, darum wurde nichts gesendet: Sehen Sie nach. Senden Sie, was fehlt, in einer neuen Ausführung.',
		),
	),
	/** What was sent isn't what the node would send now. */
	changed: unknown(
		both(
			'An earlier attempt of this execution sent something for this item, but the item or the node has changed since then',
			'Ein früherer Versuch hat dafür etwas gesendet; seither wurde das Item oder der Node geändert',
		),
		CHECK_FIRST,
		{ sentAs: {} },
	),
	/** What it came to, told by one that sends nothing for it. */
	again({ outcome, message, ...rest }: Failure) {
		const before = CAME_TO[outcome] ?? WAS_REFUSED;
		const told = both(
			`Nothing was sent this time: ${before.en} (${message.en})`,
			`Diesmal wurde nichts gesendet: ${before.de} (${message.de})`,
		);
		return failed({ ...rest, outcome, message: told });
	},
	/** @param there the gateway and connection that the record was sent to */
	elsewhere: (there: string) =>
		unknown(
			both(
				'An earlier attempt of this execution sent this item to another gateway or connection',
				'Ein früherer Versuch hat es an ein anderes Gateway oder eine andere Verbindung gesendet',
			),
			both(
				`It went to ${there}, and a retry never sends to a second destination. If it is missing here, send it in a new execution.`,
				`Es ging an ${there}, und eine Wiederholung sendet nie an ein zweites Ziel. Fehlt es hier, senden Sie es in einer neuen Ausführung.`,
			),
		),
};
