/** The names of columns as a German accountant reads them in a spreadsheet. */
import type { IDataObject } from 'n8n-workflow';

import { newRecord, setField } from '../../values';

/**
 * German headings by field name. A heading must not contain a dot, which n8n would read as a path, and the headings of
 * one row must differ.
 */
const HEADINGS = new Map(
	Object.entries({
		id: 'ID',
		name: 'Name',
		consultant_number: 'Beraternummer',
		client_number: 'Mandantennummer',
		subscription: 'Aktive Dienste',
		environmentId: 'Umgebung',
		startDatum: 'Beginn',
		kontonummer: 'Konto',
		kontobeschriftung: 'Bezeichnung',
		bezeichnung: 'Bezeichnung',
		beschreibung: 'Beschreibung',
		prozentsatz: 'Prozentsatz',
		verwendung: 'Verwendung',
		periode: 'Periode',
		ebWertSigned: 'EB-Wert',
		umsatzSoll: 'Soll',
		umsatzHaben: 'Haben',
		umsatzSigned: 'Bewegung',
		saldoSigned: 'Saldo',
		saldoBefore: 'Saldo vorher',
		movement: 'Bewegung im Monat',
		movementBefore: 'Bewegung vorher',
		change: 'Veränderung',
		finding: 'Feststellung',
		findings: 'Feststellungen',
		text: 'Text',
		beleg: 'Beleg',
		belegdatum: 'Belegdatum',
		saldo: 'Saldo',
		totalSaldo: 'Gesamtsaldo',
		days0To30: '0-30 Tage',
		days31To60: '31-60 Tage',
		days61To90: '61-90 Tage',
		over90Days: 'Über 90 Tage',
		creditNotes: 'Guthaben (Gutschriften, Überzahlungen)',
		isDebitor: 'Debitor',
		stichtag: 'Stichtag',
		posten: 'Posten',
		konten: 'Konten',
		sumDebitoren: 'Summe Debitoren',
		sumKreditoren: 'Summe Kreditoren',
		bookingNumber: 'Buchungsnummer',
		buchungstext: 'Buchungstext',
		umsatz: 'Umsatz',
		waehrung: 'Währung',
		sollHabenKennzeichen: 'Soll/Haben',
		buSchluessel: 'BU-Schlüssel',
		kost1: 'KOST1',
		kost2: 'KOST2',
		buchungszeilen: 'Buchungszeilen',
		nettoFrist: 'Nettofrist',
		skontoFrist1: 'Skontofrist 1',
		skontoSatz1: 'Skontosatz 1',
		skontoFrist2: 'Skontofrist 2',
		skontoSatz2: 'Skontosatz 2',
		faelligkeitsart: 'Fälligkeitsart',
		date: 'Datum',
		sod: 'Anfangssaldo',
		eod: 'Endsaldo',
		cash_in: 'Eingänge',
		cash_out: 'Ausgänge',
		delta: 'Veränderung',
		transactions: 'Umsätze',
		made_on: 'Buchungstag',
		amount: 'Betrag',
		currency_code: 'Währung',
		payee: 'Empfänger',
		svwz: 'Verwendungszweck',
		description: 'Beschreibung',
		payer: 'Auftraggeber',
		duplicated: 'Dublette',
		payment_id: 'Zahlungs-ID',
	}),
);

/** A row under German headings. A field without one keeps its name. */
export function withGermanHeadings(row: IDataObject): IDataObject {
	const german = newRecord();
	for (const name of Object.keys(row)) setField(german, HEADINGS.get(name) ?? name, row[name]);
	return german;
}
