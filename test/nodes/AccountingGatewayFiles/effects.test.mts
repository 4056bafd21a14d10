/**
 * No setting is without effect: each field of each reader, with each of its choices, changes what comes out, or the form hides it and the
 * node refuses it by name.
 */
import mapValues from 'lodash/mapValues.js';
import type { INodeParameters, INodeProperties, NodeParameterValueType } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { AccountingGatewayFiles } from '../../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { runNode } from '../../../host/harness.mjs';
import type { TestFile } from '../../../host/harness.mjs';
import { expressed, isShown, withValue } from '../../conformance/settings.mjs';
import { zipOf } from '../../support/cashExport.mjs';
import { ciiOf } from '../../support/eInvoices.mjs';
import { sheetXml, xlsx } from '../../support/spreadsheets.mjs';
import type { Sheet } from '../../support/spreadsheets.mjs';

type Value = NodeParameterValueType;

const node = new AccountingGatewayFiles();

/** Each column twice: under a heading that the node knows, and under another one. */
const HEADINGS = [
	...[
		'Datum',
		'Text',
		'Betrag',
		'Vorgang',
		'Steuersatz',
		'Konto',
		'Beleg',
		'Bestand',
		'Zahlungsart',
		'Kassenbuch',
	],
	...['Wann', 'Was', 'Wieviel', 'Wohin', 'Satz', 'Wofür', 'Quittung', 'Drin', 'Rein', 'Raus'],
];
const ROWS: Sheet = {
	1: HEADINGS,
	2: [
		...['19.11.2026', 'Blumen', '10,00', 'Einnahme', '19', '8400', 'R-1', '110,00', 'Bar', 'Hauptkasse'],
		...['20.11.', 'Blumen rot', '11,00', 'Ausgabe', '7', '8300', 'Q-1', '112,00', '13,00', '0,00'],
	],
	3: [
		...['19.11.2026', 'Porto', '5,00', 'Ausgabe', '0', '4910', 'R-2', '105,00', 'Karte', 'Hauptkasse'],
		...['20.11.', 'Porto Brief', '6,00', 'Einnahme', '7', '4911', 'Q-2', '113,00', '0,00', '7,00'],
	],
};
const OF_TWO_SHEETS = xlsx(ROWS, {
	more: {
		'xl/workbook.xml':
			'<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Kasse" sheetId="1" r:id="rId1"/><sheet name="Zwei" sheetId="2" r:id="rId9"/></sheets></workbook>',
		'xl/_rels/workbook.xml.rels':
			'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/></Relationships>',
		'xl/worksheets/sheet2.xml': sheetXml({ 1: HEADINGS }),
	},
});

interface Reader {
	files: Record<string, TestFile>;
	/** The choices that other fields may depend on. */
	forms: INodeParameters[];
	/** What must have a value. */
	needed?: (form: INodeParameters) => INodeParameters;
	/** Another value of each field. */
	other: Record<string, Value>;
	/** What a field needs besides, with which both runs are compared. */
	beside?: Record<string, INodeParameters>;
	/** Fields of each row of a list. */
	rows?: Record<string, Value>;
}

/** Of the sentences that a person is told: all readers have it. */
const LANGUAGE = { language: 'de' };
const SIMPLE = [{ simple: true }, { simple: false }];

/** Where a shortage of cash is booked: without a chart, it needs one. */
const SHORT = { vorgang: 'Fehlbetrag', gegenkonto: '2309' };

const READERS: Record<string, Reader> = {
	eInvoice: {
		files: {
			data: { content: Buffer.from(ciiOf({})), fileName: 'r.xml' },
			more: { content: Buffer.from(ciiOf({ type: 381 })), fileName: 'g.xml' },
		},
		forms: SIMPLE,
		other: { datei: 'data', view: true },
	},
	cashRegisterExport: {
		files: {
			data: {
				content: zipOf([
					{
						cases: 'Anfangsbestand 5 100; Umsatz 1 119 Kegelbahn; DifferenzSollIst 5 -0.5',
						payments: 'Bar 218.5',
						cash: 'EUR 218.5',
					},
				]),
				fileName: 'a.zip',
			},
			more: { content: zipOf([{ number: 5 }]), fileName: 'b.zip' },
		},
		forms: ['SKR03', 'SKR04', 'own'].flatMap((kontenrahmen) =>
			SIMPLE.map((one) => ({ ...one, kontenrahmen })),
		),
		other: {
			datei: 'data',
			kontonummernLaenge: 6,
			konten: { konto: [{ vorgang: 'Umsatz', gegenkonto: '8401' }] },
			smallDifference: '1,00',
		},
		needed: () => ({ konten: { konto: [SHORT] } }),
		rows: {
			vorgang: 'Geldtransit',
			name: 'Anderes',
			ustSchluessel: '2',
			prozent: '7',
			gegenkonto: '8402',
			buSchluessel: '3',
			kostenstelle1: '1',
			kostenstelle2: '2',
		},
	},
	cashBookList: {
		files: {
			data: { content: OF_TWO_SHEETS, fileName: 'a.xlsx' },
			more: { content: OF_TWO_SHEETS, fileName: 'b.xlsx' },
		},
		forms: ['balances', 'total'].flatMap((provedBy) => SIMPLE.map((one) => ({ ...one, provedBy }))),
		// n8n shows what depends on an expression, and then wants what is required.
		needed: ({ provedBy }) =>
			provedBy === 'balances'
				? { kassenbestandVorher: '100', listTotal: "={{ '' }}" }
				: { kassenbestandVorher: "={{ '' }}", listTotal: '5' },
		other: {
			datei: 'data',
			kassenbestandVorher: '99',
			kassenbestandNachher: '104',
			listTotal: '6',
			transaktionsdatum: 'Wann',
			belegtext: 'Was',
			betrag: 'Wieviel',
			bewegung: 'Wohin',
			steuersatz: 'Satz',
			gegenkonto: 'Wofür',
			belegNummer: 'Quittung',
			kassenbestand: 'Drin',
			einnahme: 'Rein',
			ausgabe: 'Raus',
			onlyColumn: 'Zahlungsart',
			onlyValue: 'Karte',
			kassenname: 'Nebenkasse',
			sheet: 'Zwei',
			year: '2025',
		},
		beside: {
			year: { additionalFields: { transaktionsdatum: 'Wann' } },
			onlyValue: { additionalFields: { onlyColumn: 'Zahlungsart', onlyValue: 'Bar' } },
		},
	},
};

/** An agent's tool alone has them, see toolOutput.test. */
const OF_TOOLS = ['toolOutput', 'toolFields'];

const fieldsOf = (resource: string) =>
	node.description.properties
		.filter(({ displayOptions: { show } = {} }) => show?.resource?.includes(resource) && show.operation)
		.flatMap((property) =>
			property.type === 'collection'
				? (property.options as INodeProperties[]).map((one) => ({
						path: `${property.name}.${one.name}`,
						property: one,
					}))
				: [{ path: property.name, property }],
		)
		.filter(({ property: { name, type } }) => !OF_TOOLS.includes(name) && type !== 'notice');

async function effect({ files }: Reader, parameters: INodeParameters) {
	const { main, error, hints } = await runNode({ node, parameters, items: [{ files }] });
	const seen = (main[0] ?? []).map(({ json, binary }) => [json, mapValues(binary, 'fileName')]);
	return { seen: JSON.stringify([seen, error?.message, hints]), error: error?.message };
}

it.each(
	Object.entries(READERS).flatMap(([resource, reader]) =>
		reader.forms.map((form) => [resource, form, reader] as const),
	),
)('Of %s with %j, each setting has an effect, or is hidden and refused', async (resource, form, reader) => {
	const chosen = { resource, operation: 'read' };
	const { needed = () => ({}), other, beside = {}, rows = {} } = reader;
	const without: string[] = [];
	for (const { path, property } of fieldsOf(resource)) {
		const { name } = property;
		const base = { ...chosen, ...needed(form), ...expressed(form), ...beside[name] };
		const value =
			name in form
				? expressed({ [name]: flipped(form[name], property) })[name]
				: { ...other, ...LANGUAGE }[name];
		expect(value, `a value of ${path}`).toBeDefined();
		const [{ seen: before }, { seen, error }] = [
			await effect(reader, base),
			await effect(reader, withValue(base, path, value)),
		];
		if (isShown(node, property, { ...chosen, ...form, ...beside[name] })) {
			if (seen === before) without.push(path);
		} else if (!error?.includes(`(${name}) `)) without.push(`${path}, hidden, but not refused: ${error}`);
	}
	for (const [name, value] of Object.entries(rows)) {
		const [before, after] = [{}, { [name]: value }].map((own) => ({
			...chosen,
			...expressed(form),
			konten: { konto: [{ vorgang: 'Umsatz', gegenkonto: '8401', ...own }, SHORT] },
		}));
		if ((await effect(reader, before)).seen === (await effect(reader, after)).seen)
			without.push(`row.${name}`);
	}
	expect(without).toEqual([]);
});

it.each(['gegenkonto', 'belegNummer', 'kassenbestand', 'belegtext', 'bewegung', 'onlyColumn'])(
	'Of a list, a heading of %s that it doesn’t have is named: nothing would be read under it',
	async (name) => {
		const { files } = READERS.cashBookList;
		const parameters = {
			resource: 'cashBookList',
			kassenbestandVorher: '100',
			additionalFields: { [name]: 'Nirgends', ...(name === 'onlyColumn' && { onlyValue: 'Bar' }) },
		};
		const { json } = await runNode({ node, parameters, items: [{ files: { data: files.data } }] });
		expect(json).toMatchObject([{ row: null, problem: { de: 'Die Liste hat keine Spalte „Nirgends“.' } }]);
	},
);

/** Another choice than the form's. */
const flipped = (value: unknown, { options }: INodeProperties): Value =>
	typeof value === 'boolean'
		? !value
		: (options as Array<{ value: string }>).find((one) => one.value !== value && one.value !== '')!.value;
