/**
 * `npm run e-invoices -- <folder> …`: reads all e-invoices below the folders with the published form of the package, and
 * compares each value with a second reader: poppler's `pdfdetach` for the files inside a PDF, XPath in Chromium for
 * the XML. Prints what differs, and how many were read. With `RULES=<clone of ConnectingEurope/eInvoicing-EN16931>`, the official
 * rules are a third judge: prints the errors of arithmetic and tax category that they find and the package doesn't tell, and the other
 * way round. The rules' own tests, many invoices in a file, are read, too.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import mapValues from 'lodash/mapValues.js';
import type { EInvoice } from '../../nodes/AccountingGatewayFiles/eInvoice/invoice.js';
import type { Reading } from '../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { brokenRules, isArithmeticRule, rulesIn } from './eInvoiceRules.mjs';
import { launchBrowser } from '../../host/editor.mjs';
import { buildIfNeeded } from '../build/build.mjs';
import { explainFailures, ROOT, UserError } from '../../tools/processes.mjs';

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
	/** The rules that the package names. */
	told: string[];
	/** The errors that a test is to have; of an invoice, the rules find them. */
	expected?: string[];
}

const toldIn = ({ warnings }: Reading) => rulesIn(warnings.map(({ en }) => en));

/** The invoices in a file with the rules that the package names: the file's own, or those of a set of tests. */
async function toJudge(file: string, reading: Reading): Promise<Judged[]> {
	const xmls = await xmlOf(file);
	if (reading.invoice) return xmls.slice(0, 1).map(({ xml }) => ({ name: file, xml, told: toldIn(reading) }));
	if (!/<testSet/.test(xmls[0]?.xml ?? '')) return [];
	// A test is a part of an invoice, and the error that it is to have.
	const tests = [...xmls[0].xml.matchAll(/<test>[^]*?<\/test>/g)].map(([test], i) => ({
		name: `${file} #${i + 1}`,
		expected: [...test.matchAll(/<error>\s*(?<id>[\w-]+)/g)]
			.map(({ groups }) => groups!.id)
			.filter(isArithmeticRule),
		xml:
			/<(?<root>Invoice|CreditNote|\w+:CrossIndustryInvoice)\s[^>]*xmlns[^]*?<\/\k<root>>/.exec(test)?.[0] ??
			'',
	}));
	return await Promise.all(
		tests
			.filter(({ expected }) => expected.length > 0)
			.map(async (test) => ({ ...test, told: toldIn(await readInvoice(Buffer.from(test.xml), 'x.xml')) })),
	);
}

/** Whether what was told says that a rule is broken: by its own name, or that of one that says the same. */
const isToldBy = (id: string, told: string[]) =>
	told.includes(id) ||
	// The tax on the base of a category with tax; and a category that isn't in a breakdown that is missing.
	(/^BR-(?:S|AF|AG)-09$/.test(id) && told.includes('BR-CO-17')) ||
	(id.endsWith('-01') && told.includes('BR-CO-18'));

/** Prints where the official rules and the package disagree, rule by rule. */
async function compareRules(rules: string, folder: string, judged: Judged[]) {
	const broken = await brokenRules(
		rules,
		judged.map(({ xml, expected }) => (expected ? '' : xml)),
	);
	const count = { invoices: 0, found: 0, both: 0, alone: 0, tests: 0, told: 0 };
	for (const [i, { name, told, expected }] of judged.entries()) {
		const { [i]: ids = expected } = broken;
		if (!ids) continue;
		const say = (text: string) => console.log(`${relative(folder, name) || name}: ${text}`);
		const missed = ids.filter((id) => !isToldBy(id, told));
		if (missed.length > 0) say(`rules: ${missed.join(', ')}; the package doesn't tell`);
		if (expected) {
			// A part of an invoice has other errors, too.
			count.tests += ids.length;
			count.told += ids.length - missed.length;
			continue;
		}
		const alone = told.filter((id) => !ids.includes(id));
		if (alone.length > 0) say(`only the package: ${alone.join(', ')}`);
		count.invoices++;
		count.found += ids.length;
		count.both += ids.length - missed.length;
		count.alone += alone.length;
	}
	console.log(
		`${folder}: errors of arithmetic or tax category: in ${count.invoices} invoices, the rules find ${count.found}, of which the package tells ${count.both}, and ${count.alone} more; of ${count.tests} in the rules' own tests, it tells ${count.told}`,
	);
}

explainFailures();
const folders = process.argv.slice(2);
if (folders.length === 0) throw new UserError('Give folders with e-invoices.');
await buildIfNeeded();
const { readInvoice } = (await import(
	join(ROOT, 'dist/nodes/AccountingGatewayFiles/eInvoice/readInvoice.js')
)) as typeof import('../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js');

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
		if (process.env.RULES) judged.push(...(await toJudge(file, ours)));
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
	if (process.env.RULES) await compareRules(process.env.RULES, folder, judged);
	for (const [kind, { invoices, same, different, alone, missed }] of Object.entries(count)) {
		console.log(
			`${folder}: ${kind}: of ${invoices} e-invoices, ${same} the same as the second reader, ${different} different, ${alone} read only by us, ${missed} only by the second reader`,
		);
	}
}
await browser.close();
