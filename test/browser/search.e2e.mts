/** What an accountant types into n8n's panel of all nodes, and the node that has to be among the first there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Editor } from '../../host/editor.mjs';
import { Rig } from '../support/rig.mjs';

/** Words that two nodes are right for may find either one first. */
const FIRST = 2;

const WORDS: Record<string, string[]> = {
	'Accounting Gateway Delivery': [
		'Kassenbuch',
		'Kassenbucheintrag',
		'Kasse',
		'Portokasse',
		'petty cash',
		'Barzahlung',
		'Einnahme',
		'Ausgabe',
		'expense',
		'Beleg',
		'Beleg hochladen',
		'Belege hochladen',
		'hochladen',
		'Rechnung hochladen',
		'upload',
		'Eingangsrechnung',
		'Rechnung',
		'Quittung',
		'receipt',
		'Steuerberater',
		'cash book',
		'Ausgabe buchen',
		'Kassenbuch Eintrag',
		'Barkauf',
		'Bargeld',
		'Belegfoto',
		'Tankbeleg',
		'Bewirtung',
		'Bewirtungsbeleg',
		'Reisekosten',
		'Lieferantenrechnung',
		'Kassensturz',
		'Foto hochladen',
		'PDF hochladen',
	],
	'Accounting Gateway Files': [
		'E-Rechnung',
		'XRechnung',
		'ZUGFeRD',
		'Rechnung lesen',
		'DSFinV-K',
		'Registrierkasse',
		'Kassensystem',
		'Kassenexport',
		'Kassenabschluss',
		'Tagesabschluss',
		'Z-Bon',
		'Factur-X',
		'Kassenbuch',
		'Kassenliste',
	],
	'Accounting Gateway Data': [
		'FIBU',
		'Finanzbuchhaltung',
		'Buchhaltung',
		'Mahnwesen',
		'Mahnung',
		'überfällig',
		'ueberfaellig',
		'OPOS',
		'offene Posten',
		'Debitoren',
		'SuSa',
		'Saldenliste',
		'Summen- und Saldenliste',
		'Summen und Salden',
		'Buchungsjournal',
		'Kontenplan',
		'Mandanten',
		'Mandant',
		'Lieferant',
		'Umsatzsteuer',
		'Steuersatz',
		'Steuerschlüssel',
		'Steuerschluessel',
		'Geschäftsjahr',
		'Geschaeftsjahr',
		'ledger',
		'trial balance',
		'Buchungssatz',
		'Kontenrahmen',
		'offene Rechnungen',
		'Zahlungsabgleich',
		'Zahlung zuordnen',
		'Zahlungsziel',
		'Skonto',
		'Kontenvorschlag',
		'Kontierung',
		'Monatsabschluss',
	],
	'Accounting Gateway Banking': [
		'Bankumsätze',
		'Bankumsaetze',
		'Kontobewegungen',
		'Kontoauszug',
		'Kontostand',
		'Lastschrift',
		'Zahlungsausgang',
		'settled',
		'Überweisung',
		'Ueberweisung',
		'Echtzeitueberweisung',
		'Umsätze',
		'IBAN',
		'SEPA',
	],
	'Accounting Gateway Transaction Trigger': [
		'Zahlungseingang',
		'Geldeingang',
		'Kontoumsatz',
		'Zahlung eingegangen',
		'incoming payment',
	],
	'Accounting Gateway Mobility': [
		'Deutschlandticket',
		'Jobticket',
		'Fahrkarte',
		'ÖPNV',
		'Oepnv',
		'Mobilitaet',
	],
};

let rig: Rig;
let editor: Editor;

beforeAll(async () => {
	rig = await Rig.join();
	editor = await Editor.open(rig.n8nUrl);
	await editor.newWorkflow();
	await editor.searchNodes('');
});

afterAll(async () => {
	await editor?.close();
	await rig?.stop();
});

describe.each(Object.entries(WORDS))('%s in the panel of nodes', (node, words) => {
	it.each(words)('is found by "%s"', async (word) => {
		// n8n shows what the last word found until it has searched for the next one.
		await editor.searchAgain('nothing is called this');
		await expect.poll(() => editor.foundNodes()).toEqual([]);
		await editor.searchAgain(word);
		await expect.poll(async () => (await editor.foundNodes()).slice(0, FIRST)).toContain(node);
	});
});

it('describes the one entry of Banking and its trigger by what both do', async () => {
	await editor.searchAgain('Kontostand');
	await expect.poll(() => editor.foundNodes()).toContain('Accounting Gateway Banking');
	const entry = editor.page
		.getByTestId('item-iterator-item')
		.filter({ hasText: 'Accounting Gateway Banking' });
	expect(await entry.innerText()).toMatch(/Starts the workflow.*balances/);
});
