/**
 * Made the sample receipts of the example workflows, once: `npx tsx workflows/make/makeReceipts.mts`; those of one
 * folder with its name behind it. Needs Debian's packages chromium and fonts-liberation. All companies are invented.
 */
import { fileURLToPath } from 'node:url';
import { Big } from 'big.js';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../host/editor.mjs';

/** Percent. */
type Rate = 0 | 7 | 19;

interface Line {
	text: string;
	/** Gross on a till receipt, net on an invoice. */
	amount: string;
	rate: Rate;
}

interface TillReceipt {
	/** Below `workflows/`. */
	file: string;
	shop: string;
	address: string;
	/** `20.11.2026 09:12` */
	time: string;
	number: string;
	lines: Line[];
	/** Degrees by which the photo is askew. */
	askew: number;
	table: keyof typeof TABLES;
}

interface Invoice {
	file: string;
	sender: string;
	address: string;
	color: string;
	number: string;
	date: string;
	due: string;
	subject: string;
	lines: Line[];
}

const CUSTOMER = ['Bäckerei Sonnenschein GmbH', 'Marktplatz 4', '04177 Leipzig'];

const TABLES = {
	oak: 'repeating-linear-gradient(92deg, #7a5230 0 9px, #6d4727 9px 23px, #845a36 23px 31px, #74492a 31px 52px)',
	steel: 'linear-gradient(115deg, #8c9296, #b4b9bc 40%, #878d91 75%, #a5aaad)',
	slate: 'linear-gradient(160deg, #3b3f45, #2c2f34 60%, #44484e)',
};

const INVOICES: Invoice[] = [
	{
		file: 'receipts-folder/2026-11-16 Rechnung Mühle Korntal 2026-1187.pdf',
		sender: 'Mühle Korntal GmbH',
		address: 'Am Mühlgraben 1 · 04683 Naunhof',
		color: '#8a5a12',
		number: '2026-1187',
		date: '16.11.2026',
		due: '30.11.2026',
		subject: 'Ihre Lieferung vom 13.11.2026',
		lines: [
			{ text: 'Weizenmehl Type 550, 25 kg × 16', amount: '316.80', rate: 7 },
			{ text: 'Roggenmehl Type 1150, 25 kg × 8', amount: '171.20', rate: 7 },
			{ text: 'Dinkelvollkornmehl, 25 kg × 4', amount: '138.00', rate: 7 },
			{ text: 'Anlieferung', amount: '25.00', rate: 19 },
		],
	},
	{
		file: 'receipts-folder/2026-11-17 Rechnung Stadtwerke Lindenau Strom.pdf',
		sender: 'Stadtwerke Lindenau AG',
		address: 'Energiestraße 20 · 04179 Leipzig',
		color: '#00618f',
		number: 'SW 8830 2216 11/26',
		date: '17.11.2026',
		due: '01.12.2026',
		subject: 'Abschlag Strom, Verbrauchsstelle Marktplatz 4 (Backstube)',
		lines: [{ text: 'Abschlag November 2026', amount: '684.00', rate: 19 }],
	},
	{
		file: 'receipts-folder/2026-11-18 Rechnung Kälte Öztürk R-2026-0554.pdf',
		sender: 'Kälte- und Klimatechnik Öztürk',
		address: 'Gewerbering 7 · 04416 Markkleeberg',
		color: '#17694a',
		number: 'R-2026-0554',
		date: '18.11.2026',
		due: '02.12.2026',
		subject: 'Wartung der Kühltheke am 17.11.2026',
		lines: [
			{ text: 'Wartung Kühltheke, 2,5 Std.', amount: '182.50', rate: 19 },
			{ text: 'Kältemittel R290, nachgefüllt', amount: '46.80', rate: 19 },
			{ text: 'Anfahrt', amount: '35.00', rate: 19 },
		],
	},
	{
		file: 'receipts-email/Rechnung 26-4471 Verpackungen Lorenz.pdf',
		sender: 'Verpackungen Lorenz GmbH',
		address: 'Industriestraße 12 · 04435 Schkeuditz',
		color: '#7a2f5c',
		number: '26-4471',
		date: '19.11.2026',
		due: '03.12.2026',
		subject: 'Lieferschein 90312 vom 18.11.2026',
		lines: [
			{ text: 'Brottüten braun, 1.000 St. × 6', amount: '148.20', rate: 19 },
			{ text: 'Tortenkartons 28 cm, 100 St. × 3', amount: '86.40', rate: 19 },
		],
	},
	{
		file: 'receipts-email/Rechnung 26-4472 Verpackungen Lorenz.pdf',
		sender: 'Verpackungen Lorenz GmbH',
		address: 'Industriestraße 12 · 04435 Schkeuditz',
		color: '#7a2f5c',
		number: '26-4472',
		date: '19.11.2026',
		due: '03.12.2026',
		subject: 'Lieferschein 90318 vom 19.11.2026',
		lines: [{ text: 'Kaffeebecher 0,2 l mit Deckel, 500 St. × 4', amount: '112.00', rate: 19 }],
	},
];

const TILL_RECEIPTS: TillReceipt[] = [
	{
		file: 'receipts-email/IMG_2231.jpg',
		shop: 'TAXI LEIPZIG-WEST',
		address: 'Wagen 118, Lützner Str. 9, 04177 Leipzig',
		time: '19.11.2026 21:17',
		number: '118-0932',
		lines: [{ text: 'Fahrt Messe – Marktplatz', amount: '27.40', rate: 7 }],
		askew: 4,
		table: 'slate',
	},
	{
		file: 'receipt-form/IMG_2245.jpg',
		shop: 'BAUMARKT GRÜNAU',
		address: 'Brünner Str. 3, 04209 Leipzig',
		time: '20.11.2026 11:02',
		number: '7731-04-118',
		lines: [
			{ text: 'Türdichtung 6 m', amount: '14.99', rate: 19 },
			{ text: 'Leuchtmittel E27 3 St', amount: '8.51', rate: 19 },
		],
		askew: -4,
		table: 'oak',
	},
	{
		file: 'receipt-form/IMG_2246.jpg',
		shop: 'BAUMARKT GRÜNAU',
		address: 'Kundenbeleg Kartenzahlung: keine, bar bezahlt',
		time: '20.11.2026 11:03',
		number: '7731-04-119',
		lines: [{ text: 'Pfand Leergut zurück', amount: '0.50', rate: 19 }],
		askew: 3,
		table: 'steel',
	},
	{
		file: 'receipts-folder/2026-11-18 Tankbeleg.jpg',
		shop: 'TANKHOF PLAGWITZ',
		address: 'Zschochersche Str. 60, 04229 Leipzig',
		time: '18.11.2026 07:41',
		number: '0040917',
		lines: [{ text: 'Diesel 41,32 l × 1,649', amount: '68.14', rate: 19 }],
		askew: -3,
		table: 'steel',
	},
	{
		file: 'receipts-folder/2026-11-19 Bon Großmarkt Süd.jpg',
		shop: 'GROSSMARKT SÜD',
		address: 'An den Tierkliniken 44, 04103 Leipzig',
		time: '19.11.2026 05:22',
		number: '2211-03-0058',
		lines: [
			{ text: 'Eier Bodenhaltung 180 St', amount: '41.40', rate: 7 },
			{ text: 'Butter 82 % 10 kg', amount: '79.90', rate: 7 },
			{ text: 'Erdbeeren TK 5 kg', amount: '22.95', rate: 7 },
			{ text: 'Backpapier 500 Bl.', amount: '18.49', rate: 19 },
		],
		askew: 4,
		table: 'oak',
	},
	{
		file: 'receipts-folder/2026-11-19 Parkschein.jpg',
		shop: 'PARKHAUS AM DOM',
		address: 'Domplatz 2, 06108 Halle (Saale)',
		time: '19.11.2026 14:55',
		number: 'A-771203',
		lines: [{ text: 'Parken 2 Std. 10 Min.', amount: '4.50', rate: 19 }],
		askew: -6,
		table: 'slate',
	},
];

const euro = (amount: Big) =>
	Number(amount.toFixed(2)).toLocaleString('de-DE', { minimumFractionDigits: 2 });
const sum = (lines: Line[]) => lines.reduce((total, { amount }) => total.plus(amount), new Big(0));
const ratesOf = (lines: Line[]) => ([19, 7, 0] as const).filter((rate) => lines.some((line) => line.rate === rate));
const withRate = (lines: Line[], rate: Rate) => sum(lines.filter((line) => line.rate === rate));

/** A strip of thermal paper as a phone sees it: askew, creased, a little out of focus, on a table. */
function photographed(receipt: TillReceipt): string {
	const { shop, address, time, number, lines, askew, table } = receipt;
	const row = (left: string, right: string) => `<div class="row"><span>${left}</span><span>${right}</span></div>`;
	const taxes = ratesOf(lines).map((rate) => {
		const gross = withRate(lines, rate);
		const net = gross.div(new Big(100).plus(rate)).times(100).round(2);
		return row(`${rate} % netto ${euro(net)}`, `MwSt ${euro(gross.minus(net))}`);
	});
	return `<!doctype html><meta charset="utf-8"><style>
		body { margin: 0; width: 900px; height: 1200px; overflow: hidden; background: ${TABLES[table]}; }
		.scene { position: absolute; inset: 0; display: grid; place-items: center; perspective: 1500px; filter: blur(0.45px); }
		.paper { width: 470px; padding: 46px 40px 60px; color: #2b2b33; background: linear-gradient(100deg, #f4f1e8, #fffdf6 35%, #e9e5da 62%, #f7f4ec);
			font: 21px/1.5 'Liberation Mono', monospace; transform: rotateX(9deg) rotateY(${askew}deg) rotateZ(${askew}deg);
			box-shadow: 14px 22px 40px #000a, 2px 3px 6px #0007;
			clip-path: polygon(0 0.6%, 4% 0, 9% .7%, 15% 0, 22% .6%, 30% 0, 41% .7%, 52% 0, 63% .6%, 74% 0, 86% .7%, 94% 0, 100% .5%, 100% 99.5%, 92% 100%, 81% 99.4%, 70% 100%, 57% 99.5%, 44% 100%, 31% 99.4%, 18% 100%, 8% 99.5%, 0 100%); }
		.crease { position: absolute; left: 0; right: 0; height: 26px; background: linear-gradient(#0000, #0001 45%, #fff8 55%, #0000); }
		h1 { font-size: 27px; text-align: center; margin: 0; } p { text-align: center; margin: 0 0 22px; font-size: 18px; }
		.row { display: flex; justify-content: space-between; gap: 14px; } hr { border: 0; border-top: 2px dashed #4449; margin: 14px 0; }
		.total { font-size: 29px; font-weight: bold; } small { display: block; font-size: 14px; line-height: 1.35; margin-top: 20px; }
		.light { position: absolute; inset: 0; background: radial-gradient(circle at 30% 22%, #fff3, #0000 45%, #0007 100%); }
		.grain { position: absolute; inset: 0; opacity: .16; mix-blend-mode: overlay; }
	</style>
	<div class="scene"><div class="paper">
		<div class="crease" style="top: 31%"></div><div class="crease" style="top: 68%"></div>
		<h1>${shop}</h1><p>${address}</p>
		${row(`Beleg ${number}`, '')}${row(time.split(' ')[0], `${time.split(' ')[1]} Uhr`)}<hr>
		${lines.map(({ text, amount, rate }) => row(text, `${euro(new Big(amount))} ${rate === 19 ? 'A' : rate === 7 ? 'B' : 'C'}`)).join('')}<hr>
		<div class="total">${row('SUMME EUR', euro(sum(lines)))}</div>${row('Bar', euro(sum(lines)))}<hr>
		${taxes.join('')}
		<small>TSE ${number.replace(/\D/g, '').padStart(10, '7')} · Start ${time} · Signatur ${1000 + number.length * 37}<br>Vielen Dank und auf Wiedersehen</small>
	</div></div>
	<div class="light"></div>
	<svg class="grain" width="900" height="1200"><filter id="n"><feTurbulence type="fractalNoise" baseFrequency=".8" numOctaves="2" seed="${number.length}"/></filter><rect width="100%" height="100%" filter="url(#n)"/></svg>`;
}

function printed(invoice: Invoice): string {
	const { sender, address, color, number, date, due, subject, lines } = invoice;
	const taxes = ratesOf(lines).map((rate) => ({ rate, amount: withRate(lines, rate).times(rate).div(100).round(2) }));
	const total = taxes.reduce((gross, { amount }) => gross.plus(amount), sum(lines));
	const row = (left: string, amount: Big, tag = 'td') => `<tr><${tag}>${left}</${tag}><${tag}>${euro(amount)} €</${tag}></tr>`;
	return `<!doctype html><html lang="de"><meta charset="utf-8"><title>Rechnung ${number}</title><style>
		body { font: 11pt/1.45 'Liberation Sans', sans-serif; margin: 0; color: #222; }
		header { border-bottom: 3px solid ${color}; padding-bottom: 8px; margin-bottom: 34px; } header b { font-size: 20pt; color: ${color}; display: block; }
		.to { margin-bottom: 34px; } .meta { float: right; text-align: right; } h1 { font-size: 15pt; margin: 0 0 4px; }
		table { width: 100%; border-collapse: collapse; margin: 22px 0; } td, th { padding: 6px 4px; border-bottom: 1px solid #ccc; text-align: left; } :is(td, th):last-child { text-align: right; }
		footer { margin-top: 50px; font-size: 9pt; color: #555; }
	</style>
	<header><b>${sender}</b>${address}</header>
	<div class="meta">Rechnungsdatum: ${date}<br>Zahlbar bis: ${due}<br>Kundennummer: 10442</div>
	<div class="to">${CUSTOMER.join('<br>')}</div>
	<h1>Rechnung ${number}</h1>${subject}
	<table><tr><th>Leistung</th><th>Netto</th></tr>
		${lines.map(({ text, amount, rate }) => row(`${text} (${rate} % USt.)`, new Big(amount))).join('')}
		${row('Summe netto', sum(lines))}
		${taxes.map(({ rate, amount }) => row(`zzgl. ${rate} % Umsatzsteuer`, amount)).join('')}
		${row('Rechnungsbetrag', total, 'th')}
	</table>
	Bitte überweisen Sie den Betrag ohne Abzug bis zum ${due} unter Angabe der Rechnungsnummer.
	<footer>${sender} · ${address} · IBAN DE02 1203 0000 0000 2020 51 · USt-IdNr. DE999999999</footer></html>`;
}

const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** The picture that a supplier's e-mail program puts below each e-mail. */
const SIGNATURE = `<!doctype html><meta charset="utf-8"><style>
	body { margin: 0; width: 220px; height: 60px; font: bold 18px/60px 'Liberation Sans', sans-serif; color: #7a2f5c; text-align: center; }
</style>Verpackungen Lorenz`;

async function make(page: Page, folder = ''): Promise<void> {
	const wanted = ({ file }: { file: string }) => file.startsWith(folder);
	for (const receipt of TILL_RECEIPTS.filter(wanted)) {
		await page.setContent(photographed(receipt));
		await page.screenshot({ path: pathOf(receipt.file), type: 'jpeg', quality: 72 });
	}
	for (const invoice of INVOICES.filter(wanted)) {
		await page.setContent(printed(invoice));
		const margin = { top: '20mm', bottom: '20mm', left: '22mm', right: '22mm' };
		await page.pdf({ path: pathOf(invoice.file), format: 'A4', margin, printBackground: true });
	}
	const signature = 'receipts-email/image001.png';
	if (!wanted({ file: signature })) return;
	await page.setViewportSize({ width: 220, height: 60 });
	await page.setContent(SIGNATURE);
	await page.screenshot({ path: pathOf(signature) });
}

const browser = await launchBrowser();
try {
	await make(await browser.newPage({ viewport: { width: 900, height: 1200 } }), process.argv[2]);
} finally {
	await browser.close();
}
