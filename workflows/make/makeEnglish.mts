/**
 * Makes the English templates of `workflows/en/` from the German examples: `npx tsx workflows/make/makeEnglish.mts`. A test
 * keeps them up to date. As n8n's template library wants it, they have notes, but no credentials, IDs or pinned data.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { INode, INodeParameters } from 'n8n-workflow';
import mapValues from 'lodash/mapValues.js';
import omit from 'lodash/omit.js';
import omitBy from 'lodash/omitBy.js';
import sortBy from 'lodash/sortBy.js';
import uniqBy from 'lodash/uniqBy.js';

import type { WorkflowFile } from '../../host/client.mjs';

const WORKFLOWS = fileURLToPath(new URL('..', import.meta.url));

/** The examples, and nodes of each that only try it with files of this repository, or find an office's client. */
export const TEMPLATES: Record<string, string[]> = {
	'trial-balance': [],
	'receipts-email': ['Send the samples', 'Sample files', 'Send them', 'Note 5'],
	'approve-booking': [],
	'incoming-payment': ['Account', 'Client', 'Payments', 'Proved?'],
};

const NEEDS =
	'**Needs** self-hosted n8n with the community package [n8n-nodes-accounting-gateway](https://github.com/accounting-gateway/n8n-nodes-accounting-gateway), and an account of the gateway.';

/** What stands in the German examples, and in English: whole lines of notes, then parts of texts, then names of values. */
const TEXTS: Array<[german: string, english: string]> = [
	// Notes: what several have
	['**Nach dem Import** jedes Credential prüfen: n8n trägt selbst eines ein, auch ein falsches, und zeigt kein rotes Zeichen.', '**After importing it**, check each credential: n8n fills one in by itself, even a wrong one, and shows no red mark.'],
	['### 1 · Was zu ändern ist', '### 1 · Set up'],
	['3. Den *Watchdog* als *Error Workflow* wählen, dann *Publish*.', '3. In the workflow’s settings, choose an *Error Workflow* that tells you when it fails. Then *Publish*.'],
	['### 3 · Die E-Mail', '### 3 · The e-mail'],
	// Trial balance by e-mail
	['Schickt am Monatsersten die Summen- und Saldenliste zum Ende des Vormonats als Excel-Datei, im Januar also noch die des alten Jahres.', '**How it works:** on the first of each month, sends the trial balance at the end of last month as an Excel file; in January, it is that of the old year.'],
	['**Ausprobieren:** den Pfeil neben *Execute workflow* klicken, dann *Start*; die E-Mail liegt im Ordner, den `npm start` nennt.', '**Try it:** click the arrow beside *Execute workflow*, then *Start*.'],
	['1. **Trial balance**: Credential, dann Verbindung (*rewe-read*). **Send it**: Credential für E-Mails.', '1. **Trial balance**: the credential, then the connection (*rewe-read*). **Send it**: the credential for e-mail.'],
	['2. **Settings**: Empfänger, Absender.', '2. **Settings**: recipient, sender.'],
	['### 2 · SuSa, Datei, E-Mail', '### 2 · Trial balance, file, e-mail'],
	['**As Of: End of Last Month** findet Monat und Geschäftsjahr, **German Headings** benennt die Spalten. Soll ist positiv, Haben negativ. Beträge sind Zahlen; in Excel das Format *#.##0,00* wählen.', '**As Of: End of Last Month** finds the month and the fiscal year. Debit is positive, credit negative. Amounts are numbers: choose a format in Excel.'],
	// Receipts from e-mail to documents
	['Jede Rechnung und jedes Foto in einem Postfach wird als Beleg hochgeladen. Was nicht hochgeladen wird, meldet eine E-Mail, ebenso Warnungen und eine E-Rechnung, deren Nummer schon einmal kam.', '**How it works:** uploads each invoice and photo that arrives in a mailbox to the accounting system. An e-mail tells you about what isn’t uploaded, about warnings, and about an e-invoice whose number has come before.'],
	['**Ausprobieren:** diesen Workflow veröffentlichen, dann mit dem Pfeil neben *Execute workflow* **Send the samples** ausführen, so oft Sie wollen: jede Datei in einer eigenen E-Mail.', '**Try it:** publish the workflow, then send an e-mail with a PDF to the mailbox.'],
	['1. Von den drei Triggern ist einer an: **IMAP**. Für **Gmail** oder **Microsoft 365** (Outlook) schalten Sie jenen ein und diesen aus (Rechtsklick: *Activate*, *Deactivate*). [Was sonst zu tauschen ist](https://github.com/accounting-gateway/n8n-nodes-accounting-gateway/blob/main/docs/de/postfach.md)', '1. One of the three triggers is on: **IMAP**. For **Gmail** or **Microsoft 365** (Outlook), turn that one on and this one off (right-click: *Activate*, *Deactivate*). [What else to exchange](https://github.com/accounting-gateway/n8n-nodes-accounting-gateway/blob/main/docs/mail.md)'],
	['2. **Settings**: der Belegtyp, Absender, Empfänger, ein Satz der E-Mail.', '2. **Settings**: the document type, sender, recipient, a sentence of the e-mail.'],
	['3. Credentials: im Trigger das eines Postfachs, in das nur Belege kommen, in **Upload the documents** (dort auch die Verbindung) und **Tell the accountant**.', '3. Credentials: in the trigger that of a mailbox for receipts alone, in **Upload the documents** (there, choose the connection, too) and in **Tell the accountant**.'],
	['### 2 · Ein Item je Datei', '### 2 · One item per file'],
	['PDF, XML, JPG und HEIC, am Namen oder am Typ erkannt. Alles andere wird gemeldet, auch eine E-Mail ohne Beleg mit allen ihren Dateien. Neben einem Beleg gelten Bilder (PNG, GIF) unter 100 kB und digitale Signaturen (S/MIME) als Teil der E-Mail und bleiben weg. Ab der 101. Datei einer E-Mail wird der Rest gemeldet.', 'PDF, XML, JPG and HEIC, recognized by name or type. Everything else is reported, and so is an e-mail without a receipt, with all of its files. Beside a receipt, pictures (PNG, GIF) below 100 kB and digital signatures (S/MIME) count as a part of the e-mail and are left out. From the 101st file of an e-mail on, the rest is reported.'],
	['### 3 · Hochladen und merken', '### 3 · Upload and remember'],
	['**Same invoice?** findet einen anderen Beleg mit Rechnungsaussteller und Nummer dieser E-Rechnung, gleich wie sie geschrieben sind: eine Kopie, ein Versehen oder ein Betrug. *Hochgeladene Belege* liest auch *Missing receipts*.', '**Same invoice?** finds another receipt with the seller and number of this e-invoice, however they are written: a copy, a mistake or a fraud.'],
	['### 4 · Eine E-Mail', '### 4 · One e-mail'],
	['**Worth an e-mail?** hält Schleifen an. Keine E-Mail gibt es über automatische Antworten und unzustellbare E-Mails, über E-Mails mit dem Betreff dieser hier und über solche ohne Datei von Absender oder Empfänger. Belege daraus werden hochgeladen. Der Empfänger darf also das Postfach selbst sein.', '**Worth an e-mail?** stops loops. There is no e-mail about automatic answers and bounces, about e-mails with the subject of this one, and about those without a file from sender or recipient. Receipts in them are uploaded. So the recipient may be the mailbox itself.'],
	['Fällt der Mailserver aus, schlägt die Ausführung fehl: *Retry* sendet die E-Mail und lädt nichts zweimal hoch.', 'If the mail server is down, the execution fails: *Retry* sends the e-mail, and uploads nothing twice.'],
	// Approve before booking
	['Nichts wird gebucht, bevor ein Mensch es gesehen hat: Eine E-Mail zeigt, was gebucht würde, ein Formular mit Kennwort fragt nach der Entscheidung, und erst dann wird gebucht. Die Data Table *Freigaben* hält fest, wer was wann freigegeben hat.', '**How it works:** nothing is booked before a person has seen it. An e-mail shows what would be booked, a form with a password asks for the decision, and only then is it booked. The data table *Approvals* records who approved what, and when.'],
	['**Ausprobieren:** den Pfeil neben *Execute workflow* klicken, dann *Start*, dann den Link in der E-Mail öffnen (im Ordner, den `npm start` nennt). Benutzer und Kennwort nennt `npm start` („Approvals“).', '**Try it:** click the arrow beside *Execute workflow*, then *Start*; open the link in the e-mail.'],
	['1. Verbindungen aus der Liste: in **Look** (duo; **Book** nimmt dieselbe) und **Accounts** (rewe-read).', '1. Choose the connections: in **Look** (duo; **Book** takes the same one) and **Accounts** (rewe-read).'],
	['2. **Settings**: Name und E-Mail-Adresse dessen, der freigibt, Absender.', '2. **Settings**: name and e-mail address of whoever approves, sender.'],
	['3. Credentials in **Look**, **Accounts**, **Book** und beiden E-Mail-Nodes; in **Wait** ein *Basic Auth* mit einem Kennwort, das nur kennt, wer freigibt.', '3. Credentials in **Look**, **Accounts**, **Book** and both e-mail nodes; in **Wait** a *Basic Auth* with a password that only the approver knows.'],
	['Ihre Workflows rufen diesen auf (**When called**), mit den Belegen; **Own files** behält sie, bis entschieden ist.', 'Your workflows call this one (**When called**), with the receipts; **Own files** keeps them until the decision.'],
	['### 2 · Was gebucht würde', '### 2 · What would be booked'],
	['**Look** ist die Buchung mit *Dry Run*: alle Prüfungen, nichts wird gesendet. Ein Fehler beendet den Workflow hier, Warnungen werden gezeigt. **Accounts** schlägt ein Konto vor und sagt, aus wessen Buchungen; gebucht wird es nur, wenn das Formular es sagt. **What is shown** bildet über das Gezeigte eine Prüfsumme.', '**Look** is the booking with *Dry Run*: all checks, nothing is sent. A mistake ends the workflow here, warnings are shown. **Accounts** suggests an account and says whose bookings had it; it is booked only if the form says so. **What is shown** makes a checksum of what is shown.'],
	['### 3 · Die Frage', '### 3 · The question'],
	['**Requests** hat je Nummer im Kassenbuch eine offene Zeile: Ein korrigierter Eintrag mit derselben Nummer ersetzt sie, und über die alte E-Mail lässt er sich nicht mehr freigeben. Macht Ihr Workflow die Nummer aus dem Inhalt, ist ein korrigierter Eintrag ein neuer Antrag: Den alten verwerfen.', '**Requests** has an open row for each number: a corrected entry with the same number replaces it, and the old e-mail can’t approve it any more. If your workflow makes the number from the content, a corrected entry is another request: reject the old one.'],
	['### 4 · Die Entscheidung', '### 4 · The decision'],
	['**Wait** zeigt ein Formular mit Benutzer und Kennwort: Ein Virenscanner, der den Link öffnet, gibt nichts frei. Nach 7 Tagen heißt die Antwort nein. **Decide** entscheidet über die noch offenen Zeilen dieser Anfrage; **As shown** findet dazu die Einträge mit der gezeigten Prüfsumme.', '**Wait** shows a form with user and password: a virus scanner that opens the link approves nothing. After 7 days, the answer is no. **Decide** decides on the rows of this request that are still open; **As shown** finds the entries with the checksum that was shown.'],
	['### 5 · Buchen, was freigegeben ist', '### 5 · Book what is approved'],
	['Tabelle und E-Mail nennen das Ergebnis: *gebucht*, *nicht gebucht* mit dem, was zu tun ist, oder *unklar* (erst im Buchhaltungssystem nachsehen).', 'Table and e-mail say what came of it: *booked*, *not booked* with what to do, or *unclear* (look in the accounting system first).'],
	// Incoming payment: open item
	['Nennt zu jeder Zahlung auf dem Bankkonto eines Mandanten den offenen Posten, den sie ausgleicht, und was daran nicht stimmt. Gebucht wird nichts: Der Eintrag kommt mit dem Kontoauszug.', '**How it works:** says of each payment on the bank account which open item it settles, and what is wrong with it. It books nothing: the entry comes with the bank statement.'],
	['**Ausprobieren:** erst *Clients* ausführen. Dann den Pfeil neben *Execute workflow* klicken, dann *Start* sieht die Umsätze der letzten 14 Tage durch, auch Ihre eigenen Zahlungen; die E-Mail liegt im Ordner, den `npm start` nennt.', '**Try it:** click the arrow beside *Execute workflow*, then *Start*: it goes through the transactions of the last 14 days, also payments of your own.'],
	['1. Credentials in allen Nodes des Gateways und in **Tell the accountant**; in **Client** den Workflow *Client from the table* wählen.', '1. Credentials in all nodes of the gateway and in **Tell the accountant**; in **Find the open item** the connection (*rewe-read*).'],
	['2. Das Bankkonto in **New payment** und **Bank transactions**. Für jedes weitere eine Kopie von **New payment**, mit **Account** verbunden.', '2. The bank account in **New payment** and **Bank transactions**.'],
	['3. **Settings**: Empfänger, Absender, Ihr Skonto (Prozent, Tage).', '3. **Settings**: recipient, sender, your cash discount (percent, days).'],
	['4. Den *Watchdog* als *Error Workflow* wählen, dann *Publish*. Jede Abfrage kann Guthaben kosten: Stündlich genügt meist.', '4. In the workflow’s settings, choose an *Error Workflow*. Then *Publish*. Each poll may cost credits: once an hour is usually enough.'],
	['### 2 · Zu wem gehört sie, und wofür ist sie?', '### 2 · What is it for?'],
	['Sie gehört dem Mandanten, in dessen Zeile der Tabelle *Mandanten* genau dieses Konto steht (`bankkonto`). Keine Zeile, oder zwei: Es wird nichts nachgesehen, und die E-Mail sagt das.\n', ''],
	['Sicher ist nur eine ganze Rechnungsnummer: RE-100 steckt nicht in RE-1007. Mehrere werden addiert. *Vermutlich* heißt: das Ende einer Nummer mit genau dem Betrag, oder der Name mit dem Betrag eines Postens oder aller Posten des Kontos. Der Betrag allein genügt nie. Was nicht geprüft werden konnte, steht in einer eigenen E-Mail.', 'Only a whole invoice number is certain: RE-100 isn’t in RE-1007. Several are added up. *Probably* means: the end of a number with exactly this amount, or the name with the amount of one item or of all items of the account. An amount alone is never enough. What couldn’t be checked comes in an e-mail of its own.'],
	['Eine Zeile je Zahlung. Was andere geschrieben haben, steht in Anführungszeichen.', 'A row for each payment. What others have written is in quotation marks.'],
	// Texts
	['Summen- und Saldenliste {{', 'Trial balance {{'],
	['Anbei die Summen- und Saldenliste zum Ende des Vormonats. Soll ist positiv, Haben negativ. Wo danach noch gebucht wurde, sind Soll und Haben leer; Soll abzüglich Haben steht in „Bewegung“.', 'Attached is the trial balance at the end of last month. Debit is positive, credit negative. Where something was booked later, umsatzSoll and umsatzHaben (debit, credit) are empty; debit less credit is in umsatzSigned.'],
	['Stand der Buchungen:', 'As booked on'],
	['SuSa', 'Trial balance'],
	['Kein Anhang', 'No attachment'],
	['Nichts hochzuladen.', 'Nothing to upload.'],
	['Hochgeladen.', 'Uploaded.'],
	['„{{ $(\'E-mails\').item.json.subject || \'ohne Betreff\' }}“ von {{', '“{{ $(\'E-mails\').item.json.subject || \'no subject\' }}” from {{'],
	['Nicht hochgeladen: Angenommen werden PDF, XML, JPG und HEIC, höchstens 100 Dateien je E-Mail.', 'Not uploaded: accepted are PDF, XML, JPG and HEIC, at most 100 files in an e-mail.'],
	['Belege aus E-Mails: bitte prüfen', 'Receipts from e-mail: please check'],
	['Hochgeladen, aber bitte prüfen: Die Rechnungsnummer kam schon einmal. Bitte Betrag und IBAN vergleichen. Der andere Beleg: „{{ $json.datei.slice(0, 150).replace(/[\\p{C}\\p{Z}]+/gu, \' \') }}“', 'Uploaded, but please check: this invoice number has come before. Compare amount and IBAN. The other receipt: “{{ $json.datei.slice(0, 150).replace(/[\\p{C}\\p{Z}]+/gu, \' \') }}”'],
	['Watchdog: Prüfung des Postfachs', 'Watchdog: mailbox check'],
	['Türdichtung und Leuchtmittel', 'Door seal and light bulbs'],
	['Backtechnik Schreiber e. K.', 'Oven Service Ltd'],
	['\\nVorschlag: Konto ${$json.kontonummer}', '\\nSuggestion: account ${$json.kontonummer}'],
	["'BU-Schlüssel '", "'tax key '"],
	["'ohne BU-Schlüssel'", "'without a tax key'"],
	['Ausgaben: ${$json.ausgabe.length}, zusammen', 'Expenses: ${$json.ausgabe.length}, together'],
	['Einnahmen: ${$json.einnahme.length}, zusammen', 'Income: ${$json.einnahme.length}, together'],
	['Bitte freigeben: {{', 'Please approve: {{'],
	["' Buchungen'", "' entries'"],
	['Es ist noch nichts gebucht.', 'Nothing is booked yet.'],
	['Buchen oder verwerfen', 'Book or reject'],
	['(innerhalb von 7 Tagen)', '(within 7 days)'],
	['Die Anfrage gilt 7 Tage.', 'This request holds for 7 days.'],
	['Freigeben: ', 'Approve: '],
	['Buchen mit vorgeschlagenem Konto', 'Book with the suggested account'],
	["includes('Konto')", "includes('account')"],
	['Danke. Es gilt die erste Antwort; das Ergebnis steht in der E-Mail.', 'Thank you. The first answer counts; the result comes by e-mail.'],
	['OHNE BELEG', 'NO RECEIPT'],
	['/^Belege: 0$/m', '/^receipts: 0$/m'],
	['Antrag von:', 'Requested by:'],
	['nicht genannt', 'not named'],
	['Anna Schmidt', 'Ann Smith'],
	['(mit vorgeschlagenem Konto, wo es eins gab)', '(with the suggested account, where there was one)'],
	['Ergebnis Ihrer Freigabe: {{', 'Result of your approval: {{'],
	["'Bemerkung: '", "'Remark: '"],
	["$json.zeilen[0].split('\\n')[0]", "$json.zeilen[0].split('\\n')[0].replace('Would book ', '')"],
	["$json.satz.split(' · ')[0]", "$json.satz.split(' · ')[0].replace('Would book ', '')"],
	['Der Eintrag wurde inzwischen korrigiert oder entschieden, oder er weicht vom Gezeigten ab. Gibt es eine neuere E-Mail dazu, gilt sie.', 'The entry was corrected or decided meanwhile, or it differs from what was shown. If there is a newer e-mail about it, that one counts.'],
	['nicht geprüft: bitte bei der Bank ansehen.', 'not checked: please look at the bank.'],
	['<th>Zahlung</th><th>Von, Zweck und offener Posten</th>', '<th>Payment</th><th>From, purpose and open item</th>'],
	["{{ $('Client').first().json.mandant ?? 'Ohne Mandanten' }}: Zahlungen und offene Posten: {{", 'Payments and open items: {{'],
	[" ?? $('Client').first().json.problem", ''],
	['buchhaltung@kanzlei-demo.example', 'accounting@your-company.example'],
	['petra@baeckerei-sonnenschein.example', 'approver@your-company.example'],
	['belege@baeckerei-sonnenschein.example', 'n8n@your-company.example'],
	['Petra Sonnenschein', 'Name of the approver'],
	// Names of tables, columns, fields and values
	['Hochgeladene Belege', 'Uploaded receipts'],
	['Freigaben', 'Approvals'],
	['Verwerfen', 'Reject'],
	['Buchen', 'Book'],
	['Entscheidung', 'Decision'],
	['Bemerkung', 'Remark'],
	['nicht gebucht', 'not booked'],
	['gebucht', 'booked'],
	['unklar', 'unclear'],
	['offen', 'open'],
	['freigegeben', 'approved'],
	['verworfen', 'rejected'],
	['abgelaufen', 'expired'],
	['satz', 'entry'],
	['pruefsumme', 'checksum'],
	['anfrage', 'requestId'],
	['angefragtAm', 'requestedAt'],
	['entschiedenVon', 'decidedBy'],
	['antragsteller', 'requester'],
	['entschiedenAm', 'decidedAt'],
	['bemerkung', 'remark'],
	['ergebnis', 'result'],
	['zeilen', 'entries'],
	['ausgabe', 'expense'],
	['einnahme', 'income'],
	['summen', 'totals'],
	// The sentences of this package's nodes, amounts and days
	['.de', '.en'],
	['de-DE', 'en-GB'],
	['dd.MM.yyyy', 'yyyy-MM-dd'],
	['MM.yyyy', 'yyyy-MM'],
];

/** The longer ones first, as they hold shorter ones; of a word, only the whole one. */
const PATTERNS = sortBy(TEXTS, ([german]) => -german.length).map(([german, english]) => {
	const source = german.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const [before, behind] = [/^[\p{L}\p{N}]/u.test(german) ? '(?<![\\p{L}\\p{N}_])' : '', /[\p{L}\p{N}]$/u.test(german) ? '(?![\\p{L}\\p{N}_])' : ''];
	return { german, pattern: new RegExp(`${before}${source}${behind}`, 'gu'), english };
});

/** The German texts that no example has any more. */
export const unused = new Set(TEXTS.map(([german]) => german));

function inEnglish(text: string): string {
	let translated = text;
	for (const { german, pattern, english } of PATTERNS) {
		const next = translated.replace(pattern, () => english);
		if (next !== translated) unused.delete(german);
		translated = next;
	}
	return translated;
}

/** Translates each text of a node's parameters, and the names of their fields, which are columns of tables. */
function translated(value: unknown): unknown {
	if (typeof value === 'string') return inEnglish(value);
	if (Array.isArray(value)) return value.map(translated);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([name, one]) => [inEnglish(name), translated(one)]));
}

/** Values that belong to one account: they are chosen or typed anew. */
function withoutIds(parameters: INodeParameters): INodeParameters {
	const { connectionId } = parameters as { connectionId?: { value?: string } };
	const { options } = parameters as { options?: INodeParameters };
	return {
		...parameters,
		...(connectionId && !connectionId.value?.includes('.params.') && { connectionId: { __rl: true, mode: 'list', value: '' } }),
		...('account_id' in parameters && { account_id: '' }),
		// English readers know the gateway's own names from the package's pages.
		...(options && { options: omit(options, 'germanHeadings') }),
	};
}

const NOTE = 'n8n-nodes-base.stickyNote';
/** n8n's colors of notes: yellow, as its library wants it for what explains the whole, and gray. */
const [YELLOW, GRAY] = [1, 7];
/** Pixels of a line of a note. */
const LINE = 24;

function nodeOf(node: INode, index: number): INode {
	const parameters = withoutIds(translated(node.parameters) as INodeParameters);
	if (node.type === NOTE) {
		const { content, ...size } = parameters;
		const isFirst = index === 0;
		const text = isFirst ? `${content as string}\n${NEEDS}` : content;
		const parametersOf = { content: text, ...size, color: isFirst ? YELLOW : GRAY };
		if (!isFirst) return { ...node, parameters: parametersOf };
		// A line more, which grows upwards: the other notes are below.
		const [x, y] = node.position;
		return {
			...node,
			position: [x, y - LINE],
			parameters: { ...parametersOf, height: Number(size.height) + LINE },
		};
	}
	return { ...omit(node, 'credentials'), parameters } as INode;
}

/** Where a node leads: past those that are left out, of which each leads where its first output does. */
function past(left: string[], connections: WorkflowFile['connections'], targets: Targets): Targets {
	const reached = (targets ?? []).flatMap((target) =>
		left.includes(target.node) ? (past(left, connections, connections[target.node].main[0]) ?? []) : [target],
	);
	return uniqBy(reached, ({ node, index }) => `${node} ${index}`);
}
type Targets = WorkflowFile['connections'][string]['main'][number];

/** The English template of an example. */
export async function englishOf(name: string): Promise<WorkflowFile> {
	const german = JSON.parse(await readFile(join(WORKFLOWS, `${name}.json`), 'utf8')) as WorkflowFile;
	const left = TEMPLATES[name];
	const nodes = german.nodes.filter((node) => !left.includes(node.name)).map(nodeOf);
	return {
		...german,
		nodes,
		connections: mapValues(
			omitBy(german.connections, (_, from) => left.includes(from)) as WorkflowFile['connections'],
			({ main }) => ({ main: main.map((targets) => past(left, german.connections, targets)) }),
		),
		settings: omit(german.settings, 'errorWorkflow'),
		pinData: {},
	};
}

export const fileOf = (name: string): string => join(WORKFLOWS, 'en', `${name}.json`);
export const written = (workflow: WorkflowFile): string => `${JSON.stringify(workflow, null, '\t')}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	await mkdir(join(WORKFLOWS, 'en'), { recursive: true });
	for (const name of Object.keys(TEMPLATES)) await writeFile(fileOf(name), written(await englishOf(name)));
}
