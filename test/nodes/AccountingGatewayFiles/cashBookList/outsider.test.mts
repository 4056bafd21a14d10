/** Lists and their right values by somebody who knew what the product promises, and hadn't read the code. */
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { readList } from '../../../support/cashList.mjs';
import type { Listed } from '../../../support/cashList.mjs';

const NOTHING: string[] = [];
/** Before and after, as a person types them. */
const from = (before: number, after?: number): INodeParameters => ({
	kassenbestandVorher: String(before),
	...(after !== undefined && { kassenbestandNachher: String(after) }),
});

it.each<[name: string, given: INodeParameters, list: string, booked: string[]]>([
	[
		'has a carry-over, a transfer that was nothing, and sums, with balances',
		from(500),
		`Datum;Beleg;Text;Einnahme;Ausgabe;USt;Bestand
01.11.2026;;Saldovortrag;;;;500,00
02.11.2026;1;Tageslosung;320,50;;19;820,50
03.11.2026;2;Briefmarken;;16,00;0;804,50
04.11.2026;3;Einzahlung Bank;;600,00;0;204,50
05.11.2026;;Übertrag;;;;204,50
06.11.2026;4;Tageslosung;410,00;;19;614,50
30.11.2026;;Summe;730,50;616,00;;614,50`,
		['+320.5 Tageslosung', '-16 Briefmarken', '-600 Einzahlung Bank', '+410 Tageslosung'],
	],
	[
		'has the newest row first',
		from(100),
		`Datum;Text;Betrag;Steuersatz;Saldo
20.11.2026;Verkauf;50,00;19;130,00
19.11.2026;Porto;-20,00;0;80,00`,
		['+50 Verkauf', '-20 Porto'],
	],
	[
		'has a balance at the end of each day only',
		from(0),
		`Datum;Text;Einnahmen;Ausgaben;MwSt;Kassenbestand
20.11.2026;Verkauf;119,00;;19;
20.11.2026;Papier;;19,00;19;100,00
21.11.2026;Verkauf;50,00;;7;150,00`,
		['+119 Verkauf', '-19 Papier', '+50 Verkauf'],
	],
	[
		'lists the opening balance as an income, without balances',
		from(300, 331),
		`Datum;Text;Einnahme;Ausgabe;Steuersatz
01.11.2026;Anfangsbestand;300,00;;0
02.11.2026;Verkauf;31,00;;19`,
		NOTHING,
	],
	[
		'has a subtotal with a day, without balances',
		from(0, 30),
		`Datum;Text;Einnahme;Ausgabe;Steuersatz
01.11.2026;Verkauf;10,00;;19
02.11.2026;Verkauf;20,00;;19
02.11.2026;Zwischensumme;30,00;;`,
		NOTHING,
	],
	[
		'has card sales that the cash never saw, without balances',
		from(0, 119),
		`Datum;Text;Einnahme;Ausgabe;Steuersatz;Zahlungsart
20.11.2026;Verkauf;119,00;;19;bar
20.11.2026;Verkauf;45,00;;19;EC`,
		NOTHING,
	],
	[
		'has card sales that the cash never saw, with balances',
		from(0),
		`Datum;Text;Einnahme;Ausgabe;Steuersatz;Zahlungsart;Bestand
20.11.2026;Verkauf;119,00;;19;bar;119,00
20.11.2026;Verkauf;45,00;;19;EC;119,00`,
		['+119 Verkauf'],
	],
	[
		'has one mistyped amount among its balances',
		from(200),
		`Datum;Text;Einnahme;Ausgabe;Steuersatz;Bestand
20.11.2026;Putzmittel;;16,44;19;184,56
21.11.2026;Verkauf;100,00;;19;274,56`,
		NOTHING,
	],
	[
		'has the minus behind and in words of a spreadsheet',
		from(0, 59.5),
		`Datum;Text;Betrag;Steuersatz
20.11.2026;Verkauf;"119,00";19
20.11.2026;Papier;"59,50-";19`,
		['+119 Verkauf', '-59.5 Papier'],
	],
	[
		'is a second table under the first one',
		from(0, 10),
		`Datum;Text;Einnahme;Ausgabe;Steuersatz
20.11.2026;Verkauf;10,00;;19

Datum;Konto;Betrag;;
20.11.2026;Bank;500,00;;`,
		NOTHING,
	],
	[
		'would leave the cash below 0 at the end of a day',
		from(10),
		`Datum;Text;Einnahme;Ausgabe;Steuersatz;Bestand
20.11.2026;Papier;;50,00;19;-40,00
21.11.2026;Verkauf;100,00;;19;60,00`,
		NOTHING,
	],
	[
		'counts in thousands with points',
		from(0, 2250.4),
		`Datum;Text;Einnahme;Ausgabe;Steuersatz
20.11.2026;Verkauf;1.250,40;;19
21.11.2026;Verkauf;1.000,00;;19`,
		['+1250.4 Verkauf', '+1000 Verkauf'],
	],
	[
		'was sent a day too early: the counted cash is another',
		from(0, 100),
		`Datum;Text;Einnahme;Ausgabe;Steuersatz
20.11.2026;Verkauf;60,00;;19
21.11.2026;Verkauf;30,00;;19`,
		NOTHING,
	],
])('books what the cash proves of a list that %s', async (_name, given, list, booked) => {
	const { main, error } = await readList(Buffer.from(list), given, 'Kasse.csv');
	expect(error).toBeUndefined();
	const rows = main[0].map(({ json }) => json as Listed);
	const entries = rows
		.filter(({ problem }) => !problem)
		.map(({ bewegung, betrag, belegtext }) => `${bewegung === 'EINNAHME' ? '+' : '-'}${betrag} ${belegtext}`);
	expect(entries.sort()).toEqual([...booked].sort());
	// Nothing is left out without a word.
	if (!booked.length) expect(rows.some(({ problem }) => problem)).toBe(true);
});
