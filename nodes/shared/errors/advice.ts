import type { Bilingual } from '../values';
import type { Failure } from './failure';

/** What a person should do about an item: one sentence for each language. */
export type Advice = Bilingual;

interface Row extends Advice {
	outcome: Failure['outcome'] | 'invalid';
	status?: number;
	exists?: true;
	partial?: true;
	kept?: true;
}

/** The first row that fits counts. */
const ADVICE: Row[] = [
	{
		outcome: 'invalid',
		en: 'Correct the fields that the error names, then send it again: nothing was sent.',
		de: 'Berichtigen Sie die genannten Felder und senden Sie es noch einmal: Es wurde nichts gesendet.',
	},
	{
		outcome: 'notSent',
		en: 'Remove the cause, then send it again: nothing was sent.',
		de: 'Beheben Sie die Ursache und senden Sie es noch einmal: Es wurde nichts gesendet.',
	},
	{
		outcome: 'unknown',
		kept: true,
		en: 'Look it up in the accounting system, and add it there by hand if it is missing: the node does not send it again.',
		de: 'Sehen Sie im Buchhaltungssystem nach und tragen Sie es dort von Hand nach, wenn es fehlt: Der Node sendet es nicht noch einmal.',
	},
	{
		outcome: 'unknown',
		en: 'Look it up in the accounting system first (or wherever else it would be), and send it again only if it is missing there.',
		de: 'Sehen Sie zuerst im Buchhaltungssystem nach (oder wo es sonst stünde) und senden Sie es nur dann noch einmal, wenn es fehlt.',
	},
	{
		outcome: 'incomplete',
		en: 'Complete or correct it where it is: it has been created, and would exist twice if it were sent again.',
		de: 'Vervollständigen oder berichtigen Sie es dort, wo es steht: Es ist schon angelegt und wäre doppelt, wenn es noch einmal gesendet würde.',
	},
	{
		outcome: 'refused',
		partial: true,
		en: 'Look in the cash book whether some of its lines are there. If none is, correct what the gateway names and send it again; otherwise, add the missing lines by hand.',
		de: 'Sehen Sie im Kassenbuch nach, ob einzelne Zeilen schon da sind. Ist keine da, berichtigen Sie, was das Gateway nennt, und senden Sie es noch einmal; sonst tragen Sie die fehlenden Zeilen von Hand nach.',
	},
	{
		outcome: 'refused',
		exists: true,
		en: 'If it is the same record, there is nothing to do; a different one needs another number.',
		de: 'Ist es derselbe Vorgang, ist nichts zu tun; ein anderer braucht eine andere Nummer.',
	},
	{
		outcome: 'refused',
		status: 401,
		en: 'Have the API key in the credential checked: it was refused, and nothing was carried out.',
		de: 'Lassen Sie den API-Schlüssel in den Zugangsdaten prüfen: Er wurde abgelehnt, ausgeführt wurde nichts.',
	},
	{
		outcome: 'refused',
		status: 402,
		en: 'Top up the credits, then send it again: nothing was carried out.',
		de: 'Laden Sie das Guthaben auf und senden Sie es noch einmal: Es wurde nichts ausgeführt.',
	},
	{
		outcome: 'refused',
		status: 403,
		en: 'Have the access to this connection, company or service checked: nothing was carried out.',
		de: 'Lassen Sie prüfen, ob der Zugang diese Verbindung, diesen Mandanten und diesen Dienst umfasst: Es wurde nichts ausgeführt.',
	},
	{
		outcome: 'refused',
		status: 429,
		en: 'Wait a moment, then send it again: the gateway received too many requests, and nothing was carried out.',
		de: 'Warten Sie einen Moment und senden Sie es noch einmal: Das Gateway erhielt zu viele Anfragen, ausgeführt wurde nichts.',
	},
	{
		outcome: 'refused',
		en: 'Correct what the gateway names, then send it again: nothing was carried out.',
		de: 'Berichtigen Sie, was das Gateway nennt, und senden Sie es noch einmal: Es wurde nichts ausgeführt.',
	},
	{
		outcome: 'failed',
		en: 'Try again later, and ask the provider of the gateway if it fails again: nothing was changed.',
		de: 'Versuchen Sie es später noch einmal und fragen Sie den Anbieter des Gateways, wenn es wieder misslingt: Es wurde nichts geändert.',
	},
];

/** The advice for an item that wasn't carried out, for a workflow that writes to a person. */
export function adviceFor(what: Pick<Row, 'outcome' | 'status' | 'exists' | 'partial' | 'kept'>): Advice {
	const fits = (row: Row) =>
		row.outcome === what.outcome &&
		(row.status === undefined || row.status === what.status) &&
		(!row.exists || what.exists === true) &&
		(!row.partial || what.partial === true) &&
		(!row.kept || what.kept === true);
	const { en, de } = ADVICE.find(fits) as Row;
	return { en, de };
}
