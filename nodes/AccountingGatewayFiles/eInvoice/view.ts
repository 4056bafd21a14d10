/**
 * An e-invoice as a page for a person who must approve what its XML says. The page is one file: nothing is loaded from elsewhere,
 * and what the sender has written is text, whatever it looks like. German, with the terms of EN 16931.
 */
import { escape } from 'lodash';

import { dayIn, numberIn } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { isCategory, TAX_CATEGORIES } from './categories';
import type { Allowance, EInvoice, Kind, Line, Party, Period, Tax } from './invoice';
import { INVOICE_LIMITS } from './limits';

const TITLES: Record<Kind, string> = {
	invoice: 'Rechnung',
	creditNote: 'Kaufmännische Gutschrift',
	correction: 'Rechnungskorrektur',
	selfBilled: 'Gutschrift im Sinne des UStG',
	prepayment: 'Anzahlungsrechnung',
	partial: 'Abschlagsrechnung',
	final: 'Schlussrechnung',
	other: 'Rechnung (andere Art)',
};
/** UNTDID 4461. */
const MEANS: Record<string, string> = {
	1: 'nicht festgelegt',
	10: 'bar',
	20: 'Scheck',
	30: 'Überweisung',
	31: 'Überweisung',
	42: 'Zahlung auf Bankkonto',
	48: 'Karte',
	49: 'Lastschrift',
	54: 'Kreditkarte',
	55: 'Debitkarte',
	57: 'Dauerauftrag',
	58: 'SEPA-Überweisung',
	59: 'SEPA-Lastschrift',
	68: 'Online-Zahlung',
	97: 'Verrechnung',
};
/** UN/ECE Recommendation 20 and 21: the units that invoices mostly have; others are shown by their code. */
const UNITS: Record<string, string> = {
	C62: 'Stück',
	H87: 'Stück',
	XPP: 'Stück',
	EA: 'Stück',
	LS: 'pauschal',
	HUR: 'Std.',
	DAY: 'Tage',
	MON: 'Monate',
	ANN: 'Jahre',
	MIN: 'Min.',
	KGM: 'kg',
	GRM: 'g',
	TNE: 't',
	LTR: 'l',
	MTR: 'm',
	MTK: 'm²',
	MTQ: 'm³',
	KMT: 'km',
	KWH: 'kWh',
	XBX: 'Karton',
	XPK: 'Packung',
	SET: 'Satz',
	P1: '%',
	ZZ: '',
};
/** What a line has room for. */
const SHORT_CATEGORIES: Record<string, string> = {
	S: '',
	AE: '§ 13b UStG',
	K: 'innergem. Lieferung',
	IC: 'innergem. Lieferung',
	E: 'steuerfrei',
	G: 'Ausfuhr',
	Z: '',
	O: 'nicht steuerbar',
};
const categoryName = (code: string | null): string =>
	code !== null && isCategory(code) ? TAX_CATEGORIES[code].de : '';
const nameOf = (names: Record<string, string>, code: string | null): string | null =>
	code === null ? null : Object.hasOwn(names, code) ? names[code] : code;

/** Below this width, as on a phone, each row of a table is a block of its own, and each of its cells has its heading beside it. */
const PHONE = '640px';
const STYLE = `@page{size:A4;margin:15mm}*{box-sizing:border-box}body{font:10.5pt/1.4 system-ui,sans-serif;color:#111;background:#fff;max-width:180mm;margin:8mm auto;padding:0 4mm;overflow-wrap:anywhere;-webkit-text-size-adjust:100%}
h1{font-size:17pt;line-height:1.2;margin:0}h2{font-size:11.5pt;margin:6mm 0 1.5mm;border-bottom:1px solid #888}.parties{display:flex;gap:0 8mm}.parties>*{flex:1 1 0;min-width:0}
table{width:100%;border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:1mm 2mm 1mm 0;border-bottom:1px solid #ddd}th:last-child,td:last-child{padding-right:0}tr{break-inside:avoid}thead{display:table-header-group}
.n{text-align:right;overflow-wrap:normal}.n b{white-space:nowrap;font-weight:inherit}.n bdi{overflow-wrap:anywhere}td.id{overflow-wrap:break-word}.id bdi{display:block;max-width:22mm}th{font-weight:600;overflow-wrap:normal}small,.note{color:#444;font-size:9pt}th small,dt small,td small.t{color:#666;font-weight:400}th small{white-space:nowrap}
dl{display:grid;grid-template-columns:66mm minmax(0,1fr);column-gap:3mm;margin:0}.parties dl{grid-template-columns:29mm minmax(0,1fr)}dt,dd{margin:0;padding:.6mm 0}
.total td{border-top:2px solid #111;font-weight:700}.part td:nth-child(2){padding-left:5mm}.told td{color:#555}.check{border:1.5px solid #a60;background:#fff7e8;padding:2mm 4mm;margin:4mm 0}.check ul{margin:1mm 0;padding-left:5mm}.check li{margin:.8mm 0}
@media screen and (max-width:${PHONE}){body{margin:4mm auto;padding:0 16px}.parties{display:block}dl,.parties dl{display:block}dt{color:#444;font-size:9pt;padding:1.2mm 0 0}dd{padding:0}
.rows,.rows tbody,.rows tr,.rows td{display:block}.rows thead{display:none}.rows tr{border-bottom:1px solid #bbb;padding:1.5mm 0}.rows td{border:0;padding:.4mm 0}.rows td:empty{display:none}.rows .n{display:flex;justify-content:space-between;gap:4mm}.rows .n::before{content:attr(data-l);color:#444;text-align:left}.rows .n>span{min-width:0}
.rows .id,.rows .id+td{display:inline}.rows .id{color:#444}.id bdi{display:inline}.part{padding-left:5mm!important}.part td:nth-child(2){padding-left:0}}
@media print{body{margin:0;max-width:none;padding:0}}`;

/** A piece of the page: markup in which everything from outside is escaped. */
class Html {
	constructor(readonly text: string) {}
}
type Part = Html | string | number | null | undefined | Part[];

const markupOf = (part: Part): string => {
	if (part instanceof Html) return part.text;
	if (Array.isArray(part)) return part.map(markupOf).join('');
	// Characters that change the direction of a text are kept within its own element.
	return escape(String(part ?? ''));
};
/** Markup with values, each of which is text, unless it is markup itself. */
const html = (parts: TemplateStringsArray, ...values: Part[]): Html =>
	new Html(parts.reduce((all, part, i) => all + markupOf(values[i - 1]) + part));

const NOTHING = html``;
/** A value with its name and the term of EN 16931; nothing where the invoice has none. */
const row = (name: string, term: string, value: Part): Html =>
	value === null || value === undefined || value === ''
		? NOTHING
		: html`<dt>${name} <small>${term}</small></dt>
				<dd><bdi>${value}</bdi></dd>`;
const list = (rows: Html[]): Html =>
	rows.every(({ text }) => text === '') ? NOTHING : html`<dl>${rows}</dl>`;
const section = (title: string, content: Html): Html =>
	content.text === ''
		? NOTHING
		: html`<h2>${title}</h2>
				${content}`;

const day = (iso: string | null): string | null => iso && dayIn('de', iso);
const period = ({ from, to }: Period): string | null =>
	from || to ? [day(from) ?? '…', day(to) ?? '…'].join(' bis ') : null;
const number = (value: number | null, least = 0): string | null =>
	value === null ? null : numberIn('de', value, least).replace('-', '−');
/** What is deducted, so that a column of amounts adds up. */
const less = (amount: number | null): number | null => (amount === null ? null : 0 - amount);

const party = (
	who: string,
	{ name, street, postalCode, city, country, ...ids }: Party,
	terms: string[],
): Html =>
	html`<div>
		<h2>${who}</h2>
		<bdi>${name ?? 'ohne Namen'}</bdi><br /><bdi>${street}</bdi><br /><bdi
			>${[postalCode, city].filter(Boolean).join(' ')}</bdi
		>
		<bdi>${country}</bdi> ${list([
			row('USt-IdNr.', terms[0], ids.vatId),
			row('Steuernummer', terms[1], ids.taxNumber),
			row('Kennung', terms[2], ids.ids.slice(0, 10).join(', ')),
			row('E-Mail', terms[3], ids.email),
		])}
	</div>`;

/** The rate, and why there is no tax; of a category that says it, in words. */
const taxText = (category: string | null, rate: number | null): Html => {
	const words = nameOf(SHORT_CATEGORIES, category) ?? '';
	return html`${rate === null ? NOTHING : html`<b>${number(rate)} %</b>`}${words === ''
		? NOTHING
		: html` <small><bdi>${words}</bdi></small>`}`;
};

/** A number in a table, which has its heading beside it where there is no room for a row of headings. */
const cell = (heading: string, content: Html): Html =>
	content.text === ''
		? html`<td class="n"></td>`
		: html`<td class="n" data-l="${heading}"><span>${content}</span></td>`;
const amountCell = (heading: string, amount: number | null): Html =>
	cell(heading, amount === null ? NOTHING : html`<b>${number(amount, 2)}</b>`);

const label = ({ isCharge }: Allowance) => (isCharge ? 'Zuschlag' : 'Nachlass');
const effect = ({ isCharge, amount }: Allowance) => (isCharge ? amount : less(amount));

/** What a line of EXTENDED is, if it doesn't count by itself. */
const STATUSES: Record<string, string> = { GROUP: 'Zwischensumme', INFORMATION: 'nur zur Information' };

const note = (text: Part): Html => html`<br /><small>${text}</small>`;

function lineRow(one: Line): Html {
	const status = one.status !== null && Object.hasOwn(STATUSES, one.status) ? STATUSES[one.status] : null;
	const classes = [one.parent === null ? [] : 'part', status === null ? [] : 'told'].flat().join(' ');
	const { quantity, priceQuantity } = one;
	return html`<tr class="${classes}">
		<td class="id"><bdi>${one.id}</bdi></td>
		<td>
			<bdi>${one.name}</bdi>${status === null ? NOTHING : note(status)}${one.description === null
				? NOTHING
				: note(html`<bdi>${one.description}</bdi>`)}${period(one.period) === null
				? NOTHING
				: note(period(one.period))}${one.allowances
				.slice(0, INVOICE_LIMITS.shownLines)
				.map((own) =>
					note(html`${label(own)} ${number(effect(own), 2)}<bdi>${own.reason && ` ${own.reason}`}</bdi>`),
				)}
		</td>
		${cell('Menge', quantity === null ? NOTHING : measure(quantity, one.unit))}${cell(
			'Einzelpreis',
			one.price === null
				? NOTHING
				: html`<b>${number(one.price, 2)}</b>${(priceQuantity ?? 1) === 1
							? NOTHING
							: html` <small>je ${number(priceQuantity)}</small>`}`,
		)}${cell('USt', status === null ? taxText(one.category, one.rate) : NOTHING)}${amountCell(
			'Netto',
			one.netAmount,
		)}
	</tr>`;
}

/** A quantity with its unit; only one that is known is short for certain. */
const measure = (quantity: number, unit: string | null): Html =>
	unit !== null && Object.hasOwn(UNITS, unit)
		? html`<b>${number(quantity)} ${UNITS[unit]}</b>`
		: html`<b>${number(quantity)}</b> <bdi>${unit}</bdi>`;
/** An amount with its currency, of which only a code of ISO 4217 is short for certain. */
const money = (amount: string | null, currency: string | null): Html =>
	/^[A-Z]{3}$/.test(currency ?? '')
		? html`<b>${amount} ${currency}</b>`
		: html`<b>${amount}</b> <bdi>${currency}</bdi>`;

/** An allowance or charge of the invoice as a whole, such as freight: a line without quantity and price. */
const allowanceRow = (one: Allowance): Html =>
	html`<tr>
		<td class="id"></td>
		<td>${label(one)}${one.reason === null ? NOTHING : html`: <bdi>${one.reason}</bdi>`}</td>
		<td class="n"></td>
		<td class="n"></td>
		${cell('USt', taxText(one.category, one.rate))}${amountCell('Netto', effect(one))}
	</tr>`;

const parties = ({ seller, buyer }: EInvoice): Html =>
	html`<div class="parties">
		${party('Verkäufer', seller, ['BT-31', 'BT-32', 'BT-29', 'BT-43'])}${party('Käufer', buyer, [
			'BT-48',
			'',
			'BT-46',
			'BT-58',
		])}
	</div>`;

/** Number, days, and what the invoice refers to. */
const about = ({ references, ...invoice }: EInvoice): Html =>
	section(
		'Rechnung',
		list([
			row('Rechnungsnummer', 'BT-1', invoice.number),
			row('Rechnungsdatum', 'BT-2', day(invoice.issueDate)),
			row('Rechnungsart', 'BT-3', invoice.typeCode && `${TITLES[invoice.kind]} (${invoice.typeCode})`),
			row('Währung', 'BT-5', invoice.currency),
			row('Lieferdatum', 'BT-72', day(invoice.deliveryDate)),
			row('Lieferland', 'BT-80', invoice.deliveryCountry),
			row('Leistungszeitraum', 'BG-14', period(invoice.period)),
			row('USt-IdNr. des Fiskalvertreters', 'BT-63', invoice.taxRepresentativeVatId),
			row('Leitweg-ID, Käuferreferenz', 'BT-10', references.buyerReference),
			row('Bestellung', 'BT-13', references.order),
			row('Vertrag', 'BT-12', references.contract),
			row('Projekt', 'BT-11', references.project),
			row('Vorangegangene Rechnungen', 'BT-25', references.precedingInvoices.slice(0, 50).join(', ')),
			...invoice.notes.slice(0, 50).map((note) => row('Bemerkung', 'BT-22', note)),
		]),
	);

/** The lines, and what is added to or deducted from all of them. */
function lineTable({ lines, lineCount, allowances }: EInvoice): Html {
	const shown = lines.slice(0, INVOICE_LIMITS.shownLines);
	if (shown.length + allowances.length === 0) return NOTHING;
	const more = lineCount - shown.length;
	return html`<h2>Positionen</h2>
		<table class="rows">
			<thead>
				<tr>
					<th>Nr.</th>
					<th>Bezeichnung <small>BT-153</small></th>
					<th class="n">Menge</th>
					<th class="n">Einzelpreis</th>
					<th class="n">USt</th>
					<th class="n">Netto <small>BT-131</small></th>
				</tr>
			</thead>
			<tbody>
				${shown.map(lineRow)}${allowances.slice(0, INVOICE_LIMITS.shownLines).map(allowanceRow)}
			</tbody>
		</table>
		${more > 0 ? html`<p>… und ${number(more)} weitere Positionen.</p>` : NOTHING}`;
}

const taxRow = ({ category, rate, base, amount, exemptionReason }: Tax): Html =>
	html`<tr>
		<td>
			${categoryName(category) ? html`${categoryName(category)} ` : NOTHING}<small class="t"
				><bdi>${category}</bdi></small
			>${exemptionReason === null ? NOTHING : note(html`<bdi>${exemptionReason}</bdi>`)}
		</td>
		${cell('Satz', rate === null ? NOTHING : html`<b>${number(rate)} %</b>`)}${amountCell(
			'Bemessungsgrundlage',
			base,
		)}${amountCell('Steuer', amount)}
	</tr>`;

const taxTable = ({ taxes }: EInvoice): Html =>
	taxes.length === 0
		? NOTHING
		: html`<h2>Umsatzsteuer</h2>
				<table class="rows">
					<thead>
						<tr>
							<th>Kategorie <small>BT-118</small></th>
							<th class="n">Satz</th>
							<th class="n">Bemessungsgrundlage <small>BT-116</small></th>
							<th class="n">Steuer <small>BT-117</small></th>
						</tr>
					</thead>
					<tbody>
						${taxes.slice(0, INVOICE_LIMITS.shownLines).map(taxRow)}
					</tbody>
				</table>`;

function totals({ currency, ...invoice }: EInvoice): Html {
	const total = (name: string, term: string, amount: number | null, given = currency) =>
		amount === null
			? NOTHING
			: html`<tr>
					<td>${name} <small>${term}</small></td>
					<td class="n">${money(number(amount, 2), given)}</td>
				</tr>`;
	const inTaxCurrency = invoice.taxCurrency === currency ? null : invoice.taxAmountInTaxCurrency;
	return html`<h2>Summen</h2>
		<table>
			<tbody>
				${total('Summe der Positionen', 'BT-106', invoice.lineTotal)}
				${total('Nachlässe', 'BT-107', less(invoice.allowanceTotal))}
				${total('Zuschläge', 'BT-108', invoice.chargeTotal)} ${total('Netto', 'BT-109', invoice.netAmount)}
				${total('Umsatzsteuer', 'BT-110', invoice.taxAmount)}
				${total('Umsatzsteuer in Buchungswährung', 'BT-111', inTaxCurrency, invoice.taxCurrency)}
				${total('Brutto', 'BT-112', invoice.grossAmount)}
				${total('Bereits gezahlt', 'BT-113', less(invoice.prepaidAmount))}
				${total('Rundung', 'BT-114', invoice.roundingAmount)}
				${total('Für andere eingezogen', '', invoice.thirdPartyAmount)}
				<tr class="total">
					<td>Zahlbetrag <small>BT-115</small></td>
					<td class="n">${money(number(invoice.payableAmount, 2) ?? 'nicht angegeben', currency)}</td>
				</tr>
			</tbody>
		</table>`;
}

const moneyText = (amount: number | null, currency: string | null): string =>
	amount === null ? '' : `${number(amount, 2)} ${currency ?? ''}`.trimEnd();

/** A discount as a buyer takes it: until a day; where the invoice gives none, within days. */
function discountText(
	{ days, until, percent, amount, base }: EInvoice['cashDiscounts'][number],
	currency: string | null,
) {
	const less = moneyText(amount, currency);
	const within = days === null ? '' : `bis ${number(days)} Tage nach dem Rechnungsdatum`;
	return [
		percent === null ? less : `${number(percent)} %`,
		base === null ? '' : `von ${moneyText(base, currency)}`,
		percent === null || amount === null ? '' : `(${less})`,
		until === null ? within : `bis ${day(until)}`,
	]
		.filter(Boolean)
		.join(' ');
}

/** The days for payment, of instalments with their amounts. */
function dueText({ dueDates, instalments, currency }: EInvoice): string {
	if (instalments.length === 0) return dueDates.slice(0, 20).map(day).join(', ');
	return instalments
		.slice(0, 20)
		.map(({ dueDate, amount }) =>
			[moneyText(amount, currency), dueDate === null ? '' : day(dueDate)].filter(Boolean).join(' am '),
		)
		.filter(Boolean)
		.join('; ');
}

/** How it is paid. Of what the seller collects, his account isn't shown: nobody is to pay to it. */
function payment(invoice: EInvoice): Html {
	const { directDebit } = invoice;
	const discounts = invoice.cashDiscounts.slice(0, 20).map((one) => discountText(one, invoice.currency));
	return section(
		'Zahlung',
		list([
			row('Zahlungsart', 'BT-81', nameOf(MEANS, invoice.paymentMeans)),
			...(directDebit
				? [
						row('Lastschrift', '', 'Der Betrag wird abgebucht: nicht überweisen.'),
						row('Mandatsreferenz', 'BT-89', directDebit.mandate),
						row('Gläubiger-ID', 'BT-90', directDebit.creditorId),
						row('Belastetes Konto', 'BT-91', directDebit.iban),
					]
				: []),
			row('Fällig am', 'BT-9', dueText(invoice)),
			row('Zahlungsempfänger', 'BT-59', invoice.payeeName),
			...(directDebit
				? []
				: [
						row('Kontoinhaber', 'BT-85', invoice.accountName),
						row('IBAN', 'BT-84', invoice.iban),
						row('Weitere IBAN', 'BT-84', invoice.otherIbans.join(', ')),
						row('BIC', 'BT-86', invoice.bic),
					]),
			row('Verwendungszweck', 'BT-83', invoice.references.payment),
			row('Skonto', 'BT-20', discounts.filter(Boolean).join('; ')),
			row('Zahlungsbedingungen', 'BT-20', invoice.paymentTerms),
		]),
	);
}

const attachments = (invoice: EInvoice): Html =>
	section(
		'Anlagen (nicht angezeigt)',
		list(
			invoice.attachments
				.slice(0, 100)
				.map(({ id, fileName, description, url }) =>
					row(
						[id, description].filter(Boolean).join(', ') || 'Anlage',
						'BG-24',
						fileName ?? url ?? 'ohne Datei',
					),
				),
		),
	);

const toCheck = (warnings: readonly Bilingual[]): Html =>
	warnings.length === 0
		? NOTHING
		: html`<div class="check">
				<b>Vor dem Buchen prüfen</b>
				<ul>
					${warnings.map(({ de }) => html`<li><bdi>${de}</bdi></li>`)}
				</ul>
			</div>`;

/** @param warnings what to check before it is booked, as the data of the item has it */
export function viewOf(invoice: EInvoice, warnings: readonly Bilingual[]): string {
	const page = html`<!doctype html>
		<html lang="de">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
				<title>${TITLES[invoice.kind]} ${invoice.number}</title>
				<style>
					${new Html(STYLE)}
				</style>
			</head>
			<body>
				<h1>${TITLES[invoice.kind]} <bdi>${invoice.number}</bdi></h1>
				<p class="note">Ansicht der Daten aus der E-Rechnung. Maßgeblich ist die Datei selbst.</p>
				${toCheck(warnings)} ${parties(invoice)} ${about(invoice)} ${lineTable(invoice)} ${taxTable(invoice)}
				${totals(invoice)} ${payment(invoice)} ${attachments(invoice)}
			</body>
		</html> `;
	return page.text;
}
