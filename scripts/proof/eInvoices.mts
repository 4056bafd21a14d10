/**
 * `npm run e-invoices -- <folder> …`: reads all e-invoices below the folders with the published form of the package, and
 * compares each value with a second reader: poppler's `pdfdetach` for the files inside a PDF, XPath in Chromium for
 * the XML. Prints what differs, and how many were read. With `RULES=<clone of ConnectingEurope/eInvoicing-EN16931>`, CEN's own tests of
 * its rules judge the package's table of rules, which fails if one differs; and the rules themselves, run by Saxon, judge the
 * e-invoices of the folders.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import mapValues from 'lodash/mapValues.js';
import type { EInvoice } from '../../nodes/AccountingGatewayFiles/eInvoice/invoice.js';
import type { Reading } from '../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { brokenRules, officialTests } from './eInvoiceRules.mjs';
import { launchBrowser } from '../../host/editor.mjs';
import { buildIfNeeded } from '../build/build.mjs';
import { explainFailures, ROOT, UserError } from '../base/processes.mjs';

type Values = Record<string, unknown>;

const CBC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';
const CAC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';

/** The XPath of each value; the first result that isn't empty is used. */
const UBL: Record<string, string> = {
	number: '/*/b:ID',
	typeCode: '/*/b:InvoiceTypeCode | /*/b:CreditNoteTypeCode',
	issueDate: '/*/b:IssueDate',
	dueDate: '/*/b:DueDate | /*/a:PaymentMeans/b:PaymentDueDate',
	currency: '/*/b:DocumentCurrencyCode',
	seller: '/*/a:AccountingSupplierParty/a:Party/a:PartyLegalEntity/b:RegistrationName',
	seller2: '/*/a:AccountingSupplierParty/a:Party/a:PartyName/b:Name',
	buyer: '/*/a:AccountingCustomerParty/a:Party/a:PartyLegalEntity/b:RegistrationName',
	buyer2: '/*/a:AccountingCustomerParty/a:Party/a:PartyName/b:Name',
	gross: '/*/a:LegalMonetaryTotal/b:TaxInclusiveAmount[@currencyID = /*/b:DocumentCurrencyCode]',
	net: '/*/a:LegalMonetaryTotal/b:TaxExclusiveAmount[@currencyID = /*/b:DocumentCurrencyCode]',
	payable: '/*/a:LegalMonetaryTotal/b:PayableAmount[@currencyID = /*/b:DocumentCurrencyCode]',
	prepaid: '/*/a:LegalMonetaryTotal/b:PrepaidAmount[@currencyID = /*/b:DocumentCurrencyCode]',
	tax: '/*/a:TaxTotal/b:TaxAmount[@currencyID = /*/b:DocumentCurrencyCode]',
	iban: '/*/a:PaymentMeans/a:PayeeFinancialAccount/b:ID',
	buyerReference: '/*/b:BuyerReference',
};
const UBL_TAXES = '/*/a:TaxTotal[b:TaxAmount/@currencyID = /*/b:DocumentCurrencyCode]/a:TaxSubtotal';
const UBL_TAX = { rate: 'a:TaxCategory/b:Percent', base: 'b:TaxableAmount', amount: 'b:TaxAmount' };

/** Cross Industry Invoice, by the endings of names that it shares with ZUGFeRD 1. */
const SETTLEMENT =
	"/*/*/*[local-name() = 'ApplicableHeaderTradeSettlement' or local-name() = 'ApplicableSupplyChainTradeSettlement']";
const AGREEMENT =
	"/*/*/*[local-name() = 'ApplicableHeaderTradeAgreement' or local-name() = 'ApplicableSupplyChainTradeAgreement']";
const DOCUMENT = "/*/*[local-name() = 'ExchangedDocument' or local-name() = 'HeaderExchangedDocument']";
const SUMS = `${SETTLEMENT}/*[contains(local-name(), 'MonetarySummation')]`;
const local = (...names: string[]) => names.map((name) => `/*[local-name() = '${name}']`).join('');
const CURRENCY = `${SETTLEMENT}${local('InvoiceCurrencyCode')}`;
const CII: Record<string, string> = {
	number: `${DOCUMENT}${local('ID')}`,
	typeCode: `${DOCUMENT}${local('TypeCode')}`,
	issueDate: `${DOCUMENT}${local('IssueDateTime')}`,
	dueDate: `${SETTLEMENT}${local('SpecifiedTradePaymentTerms')}[not(*[local-name() = 'ApplicableTradePaymentDiscountTerms'])]${local('DueDateDateTime')}`,
	dueDate2: `${SETTLEMENT}${local('SpecifiedTradePaymentTerms', 'DueDateDateTime')}`,
	currency: CURRENCY,
	seller: `${AGREEMENT}${local('SellerTradeParty', 'Name')}`,
	buyer: `${AGREEMENT}${local('BuyerTradeParty', 'Name')}`,
	gross: `${SUMS}${local('GrandTotalAmount')}[not(@currencyID) or @currencyID = ${CURRENCY}]`,
	net: `${SUMS}${local('TaxBasisTotalAmount')}[not(@currencyID) or @currencyID = ${CURRENCY}]`,
	payable: `${SUMS}${local('DuePayableAmount')}`,
	prepaid: `${SUMS}${local('TotalPrepaidAmount')}`,
	tax: `${SUMS}${local('TaxTotalAmount')}[not(@currencyID) or @currencyID = ${CURRENCY}]`,
	iban: `${SETTLEMENT}${local('SpecifiedTradeSettlementPaymentMeans', 'PayeePartyCreditorFinancialAccount', 'IBANID')}`,
	buyerReference: `${AGREEMENT}${local('BuyerReference')}`,
};
const CII_TAXES = `${SETTLEMENT}${local('ApplicableTradeTax')}`;
const CII_TAX = {
	rate: `*[local-name() = 'RateApplicablePercent' or local-name() = 'ApplicablePercent']`,
	base: `*[local-name() = 'BasisAmount']`,
	amount: `*[local-name() = 'CalculatedAmount']`,
};

const NUMBERS = new Set(['gross', 'net', 'payable', 'prepaid', 'tax', 'rate', 'base', 'amount']);

/** Texts, by name. */
type Texts = Record<string, string | null>;

interface Paths {
	values: Record<string, string>;
	taxes: string;
	tax: Record<string, string>;
}

/** In the browser: what the XPaths find in an e-invoice; undefined if it is none. */
function evaluate({ xml, a, b, ubl, cii }: { xml: string; a: string; b: string; ubl: Paths; cii: Paths }) {
	const document = new DOMParser().parseFromString(xml, 'text/xml');
	const { localName, namespaceURI } = document.documentElement;
	const isUbl = /ubl:schema:xsd:(?:Invoice|CreditNote)-2$/.test(namespaceURI ?? '');
	const isCii =
		/^CrossIndustry(?:Invoice|Document)$/.test(localName) && /CrossIndustry/.test(namespaceURI ?? '');
	if (document.querySelector('parsererror') || (!isUbl && !isCii)) return undefined;
	const prefixes: Record<string, string> = { a, b };
	const select = (path: string, node: Node = document) => {
		const ordered = XPathResult.ORDERED_NODE_SNAPSHOT_TYPE;
		const found = document.evaluate(path, node, (prefix) => prefixes[prefix ?? ''] ?? null, ordered);
		return Array.from({ length: found.snapshotLength }, (_, i) => found.snapshotItem(i)!);
	};
	const textsOf = (paths: Record<string, string>, node?: Node): Texts =>
		Object.fromEntries(
			Object.entries(paths).map(([name, path]) => {
				const texts = select(path, node).map(({ textContent }) => textContent?.trim().replace(/\s+/g, ' '));
				return [name, texts.find(Boolean) ?? null];
			}),
		);
	const { values, taxes, tax } = isUbl ? ubl : cii;
	return { values: textsOf(values), taxes: select(taxes).map((node) => textsOf(tax, node)) };
}

/** The values that the second reader finds in XML; undefined if it isn't an e-invoice. */
async function second(xml: string): Promise<Values | undefined> {
	const ubl = { values: UBL, taxes: UBL_TAXES, tax: UBL_TAX };
	const cii = { values: CII, taxes: CII_TAXES, tax: CII_TAX };
	const found = await page.evaluate(evaluate, { xml, a: CAC, b: CBC, ubl, cii });
	if (!found) return undefined;
	const values: Values = {};
	for (const [name, text] of Object.entries(found.values)) {
		const base = name.replace('2', '');
		values[base] ??= text && normalized(base, text);
	}
	values.taxes = found.taxes.map((tax) => mapValues(tax, (text, name) => text && normalized(name, text)));
	return values;
}

function normalized(name: string, text: string): string | number {
	if (NUMBERS.has(name)) return Number(text) + 0;
	if (/[dD]ate/.test(name))
		return text.replace(/^(\d{4})(\d\d)(\d\d)(?:\d{4}|\d{6})?$/, '$1-$2-$3').slice(0, 10);
	return text;
}

/** The same values from our reader. */
const first = (invoice: EInvoice): Values => ({
	number: invoice.number,
	typeCode: invoice.typeCode,
	issueDate: invoice.issueDate,
	dueDate: invoice.dueDate,
	currency: invoice.currency,
	seller: invoice.seller.name,
	buyer: invoice.buyer.name,
	gross: invoice.grossAmount,
	net: invoice.netAmount,
	payable: invoice.payableAmount,
	prepaid: invoice.prepaidAmount,
	tax: invoice.taxAmount,
	iban: invoice.iban,
	buyerReference: invoice.references.buyerReference,
	taxes: invoice.taxes.map(({ rate, base, amount }) => ({ rate, base, amount })),
});

/** The XML in a file, extracted by the second reader: the file itself, or the XML files inside a PDF. */
async function xmlOf(file: string): Promise<Array<{ name: string; xml: string }>> {
	if (!/\.pdf$/i.test(file)) return [{ name: file, xml: decoded(await readFile(file)) }];
	const folder = await mkdtemp(join(tmpdir(), 'attachments-'));
	try {
		await execa('pdfdetach', ['-saveall', '-o', folder, file], { reject: false });
		const names = await readdir(folder);
		return await Promise.all(
			names.map(async (name) => ({ name, xml: decoded(await readFile(join(folder, name))) })),
		);
	} finally {
		await rm(folder, { recursive: true });
	}
}

function decoded(bytes: Buffer): string {
	const label =
		/^<\?xml[^>]*encoding=["']([\w-]+)/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1] ?? 'utf-8';
	const isUtf16 = bytes[0] === 0xff || bytes[0] === 0xfe;
	const own = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : label;
	return new TextDecoder(own.toLowerCase() === 'utf-16' && !isUtf16 ? 'utf-8' : own).decode(bytes).trim();
}

async function filesIn(path: string): Promise<string[]> {
	if (!(await stat(path)).isDirectory()) return [path];
	const entries = await readdir(path, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile() && /\.(?:xml|pdf)$/i.test(entry.name))
		.map(({ parentPath, name }) => join(parentPath, name))
		.sort();
}

interface Judged {
	name: string;
	xml: string;
	/** The rules of the table that the package finds broken. */
	told: string[];
}

/** The rules of the table that an invoice breaks: by the table itself, or by the reader, which finds two totals of the tax (BR-CO-15). */
function toldIn({ invoice, warnings }: Reading): string[] {
	if (!invoice) return [];
	const read = warnings.some(({ en }) => en.includes('in the invoice, the tax is given as'))
		? ['BR-CO-15']
		: [];
	return [...new Set([...judge(TABLE, invoice).flatMap(({ rules = [] }) => rules), ...read])].sort();
}

/** The package takes a date that isn't one for missing. */
const STRICTER = /BR-03\.xml #1$/;

/** CEN's own tests judge the table: each names a rule that its invoice breaks or keeps. */
async function judgeTable(rules: string) {
	const ids = new Set(TABLE.map(({ id }) => id));
	const tested = new Set<string>();
	let [breaks, keeps, wrong] = [0, 0, 0];
	for (const test of await officialTests(rules)) {
		if (STRICTER.test(test.name)) continue;
		const told = new Set(toldIn(await readInvoice(Buffer.from(test.xml), 'x.xml')));
		for (const [named, isBroken] of [
			[test.breaks, true],
			[test.keeps, false],
		] as const)
			for (const id of named.filter((one) => ids.has(one))) {
				tested.add(id);
				if (isBroken) breaks++;
				else keeps++;
				if (told.has(id) === isBroken) continue;
				wrong++;
				console.log(`${test.name}: ${id} is ${isBroken ? 'broken, but not told' : 'kept, but told'}`);
			}
	}
	console.log(
		`CEN's tests: ${breaks} broken and ${keeps} kept rules, of which the package judges ${wrong} otherwise; ${tested.size} of the table's ${ids.size} rules have a test`,
	);
	if (wrong > 0) process.exitCode = 1;
}

/** Prints where CEN's rules and the table disagree about whole invoices; those of an extension have rules of their own. */
async function compareRules(rules: string, folder: string, judged: Judged[]) {
	const ids = new Set(TABLE.map(({ id }) => id));
	const broken = await brokenRules(
		rules,
		judged.map(({ xml }) => (xml.includes('#conformant#') ? '' : xml)),
	);
	const count = { invoices: 0, found: 0, both: 0, alone: 0 };
	for (const [i, { name, told }] of judged.entries()) {
		const found = broken[i]?.filter((id) => ids.has(id));
		if (!found) continue;
		const say = (text: string) => console.log(`${relative(folder, name) || name}: ${text}`);
		const missed = found.filter((id) => !told.includes(id));
		if (missed.length > 0) say(`rules: ${missed.join(', ')}; the package doesn't tell`);
		const alone = told.filter((id) => !found.includes(id));
		if (alone.length > 0) say(`only the package: ${alone.join(', ')}`);
		count.invoices++;
		count.found += found.length;
		count.both += found.length - missed.length;
		count.alone += alone.length;
	}
	console.log(
		`${folder}: in ${count.invoices} invoices, CEN's rules find ${count.found} errors of the table's, of which the package tells ${count.both}, and ${count.alone} more`,
	);
}

explainFailures();
const folders = process.argv.slice(2);
const { RULES: official } = process.env;
if (folders.length === 0 && !official) throw new UserError('Give folders with e-invoices.');
await buildIfNeeded();
const DIST = join(ROOT, 'dist/nodes/AccountingGatewayFiles/eInvoice');
const { readInvoice } = (await import(
	join(DIST, 'readInvoice.js')
)) as typeof import('../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js');
const { RULES } = (await import(
	join(DIST, 'warnings/rules.js')
)) as typeof import('../../nodes/AccountingGatewayFiles/eInvoice/warnings/rules.js');
const { judge } = (await import(
	join(DIST, 'warnings/rule.js')
)) as typeof import('../../nodes/AccountingGatewayFiles/eInvoice/warnings/rule.js');
const TABLE = Object.values(RULES).flat();
if (official) await judgeTable(official);

const browser = await launchBrowser();
const page = await browser.newPage();
// tsx marks each function with its name by this helper.
await page.evaluate('globalThis.__name = (named) => named');
for (const folder of folders) {
	const judged: Judged[] = [];
	const count = {
		XML: { invoices: 0, same: 0, alone: 0, different: 0, missed: 0 },
		PDF: { invoices: 0, same: 0, alone: 0, different: 0, missed: 0 },
	};
	for (const file of await filesIn(folder)) {
		const kind = /\.pdf$/i.test(file) ? 'PDF' : 'XML';
		const say = (text: string) => console.log(`${relative(folder, file) || file}: ${text}`);
		const bytes = await readFile(file);
		if (bytes.length === 0) continue;
		const ours = await readInvoice(bytes, file);
		const theirs: Array<{ name: string; values: Values }> = [];
		for (const { name, xml } of await xmlOf(file)) {
			const values = await second(xml);
			if (values) theirs.push({ name, values });
		}
		if (ours.problem) say(`problem: ${ours.problem.en}`);
		if (process.env.WARNINGS) for (const { en } of ours.warnings) say(`warning: ${en}`);
		if (official && ours.invoice)
			judged.push({ name: file, xml: (await xmlOf(file))[0]?.xml ?? '', told: toldIn(ours) });
		if (!ours.invoice) {
			if (theirs.length === 0) continue;
			count[kind].invoices++;
			count[kind].missed++;
			say(`not read, but the second reader finds an invoice in ${theirs[0].name}`);
			continue;
		}
		count[kind].invoices++;
		const read = first(ours.invoice);
		const [other] = theirs;
		if (!other) {
			say('read, but the second reader finds no invoice');
			count[kind].alone++;
			continue;
		}
		const different = Object.entries(read).filter(
			([name, value]) => JSON.stringify(value) !== JSON.stringify(other.values[name]),
		);
		for (const [name, value] of different)
			say(`${name}: ${JSON.stringify(value)}, second reader: ${JSON.stringify(other.values[name])}`);
		if (different.length > 0) count[kind].different++;
		else count[kind].same++;
	}
	if (official) await compareRules(official, folder, judged);
	for (const [kind, { invoices, same, different, alone, missed }] of Object.entries(count)) {
		console.log(
			`${folder}: ${kind}: of ${invoices} e-invoices, ${same} the same as the second reader, ${different} different, ${alone} read only by us, ${missed} only by the second reader`,
		);
	}
}
await browser.close();
