import { describe, expect, it } from 'vitest';

import { Turn } from '../../../../nodes/shared/turn.js';
import { parseXml as parse, type XmlElement } from '../../../../nodes/shared/eInvoice/xml.js';

/** In pieces. */
const parseXml = async (xml: string) => await parse(xml.match(/[^]{1,60000}/g) ?? [], new Turn());
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
const CEFACT = 'urn:un:unece:uncefact:data:standard:';
const ubl = (content: string, name = 'Invoice') =>
	`<${name} xmlns="${UBL}${name}-2" xmlns:cbc="${UBL}CommonBasicComponents-2" xmlns:cac="${UBL}CommonAggregateComponents-2" xmlns:x="urn:x">${content}</${name}>`;
const rootOf = async (xml: string) => ((await parseXml(xml)) as { root?: XmlElement }).root;
/** The names of a tree. */
const tree = (element?: XmlElement): unknown =>
	element && (element.children.length > 0 ? { [element.name]: element.children.map(tree) } : element.name);

describe('The root of an e-invoice', () => {
	const cii = (version: string) =>
		`<a:CrossIndustryInvoice xmlns:a="${CEFACT}CrossIndustryInvoice:${version}" xmlns:b="${CEFACT}ReusableAggregateBusinessInformationEntity:${version}" xmlns:c="${CEFACT}UnqualifiedDataType:${version}" xmlns:d="${CEFACT}QualifiedDataType:${version}"><b:A/><c:B/><d:C/></a:CrossIndustryInvoice>`;
	const FIRST = 'urn:ferd:CrossIndustryDocument:invoice:1p0';
	const CII_TREE = { 'rsm:CrossIndustryInvoice': ['ram:A', 'udt:B', 'qdt:C'] };

	it.each<[string, string, unknown]>([
		['UBL', ubl('<cbc:ID/>'), { 'ubl:Invoice': ['cbc:ID'] }],
		['UBL', ubl('<cac:Party/>', 'CreditNote'), { 'ubl:CreditNote': ['cac:Party'] }],
		['CII', cii('100'), CII_TREE],
		['CII of another version', cii('13'), CII_TREE],
		['ZUGFeRD 1', `<CrossIndustryDocument xmlns="${FIRST}"/>`, 'rsm:CrossIndustryDocument'],
		['UBL behind comments', `<!-- a -- b --><?pi x?>${ubl('')}<!-- c -->`, 'ubl:Invoice'],
	])('is found in %s', async (_what, xml, expected) => {
		expect(tree(await rootOf(xml))).toEqual(expected);
	});

	it.each([
		`<Order xmlns="${UBL}Order-2"/>`,
		`<Invoice xmlns="urn:x"/>`,
		`<Invoice/>`,
		`<a:CrossIndustryInvoice xmlns:a="${CEFACT}CrossIndustryInvoice:x"/>`,
		`<order>${ubl('')}</order>`,
		'<order><broken></order>',
	])('is not there in %s', async (xml) => {
		expect(await parseXml(xml)).toEqual({ root: undefined });
	});
});

describe('What is kept of an e-invoice’s XML', () => {
	it('is what has a name in the standard, with its attributes', async () => {
		const root = await rootOf(
			ubl('<x:A><cbc:B/></x:A><cbc:C currencyID="EUR" x:y="z">1</cbc:C><cac:D><cbc:E/></cac:D>'),
		);
		expect(tree(root)).toEqual({ 'ubl:Invoice': ['cbc:C', { 'cac:D': ['cbc:E'] }] });
		expect(root?.first('cbc:C')?.attributes.get('currencyID')).toBe('EUR');
	});

	it.each(['cac:InvoiceLine', 'cac:CreditNoteLine', 'cbc:EmbeddedDocumentBinaryObject'])(
		'leaves out the element %s with all that is in it',
		async (name) => {
			const root = await rootOf(ubl(`<${name}>x<cbc:A>y</cbc:A></${name}><cbc:B>z</cbc:B>`));
			expect(tree(root)).toEqual({ 'ubl:Invoice': ['cbc:B'] });
			expect([root?.text, root?.value('cbc:B')]).toEqual(['', 'z']);
		},
	);

	it('ends with the invoice, in an envelope', async () => {
		const sbd = 'http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader';
		const xml = (content: string) =>
			`<StandardBusinessDocument xmlns="${sbd}"><Header>1</Header>${content}</StandardBusinessDocument>`;
		const second = ubl('<cbc:Second/>');
		expect(tree(await rootOf(xml(ubl('<cbc:ID/>') + second)))).toEqual({ 'ubl:Invoice': ['cbc:ID'] });
		expect(await parseXml(xml('<order/>'))).toEqual({ root: undefined });
	});

	it('is the same however long it is, in parts', async () => {
		const text = 'ä🧾'.repeat(300_000);
		expect((await rootOf(ubl(`<cbc:ID>${text}</cbc:ID>`)))?.value('cbc:ID')).toBe(text);
	});
});

it('An element of an e-invoice is found by the names that lead to it, and has its text in one line', async () => {
	const root = await rootOf(
		ubl(
			'<cbc:A> \n</cbc:A><cbc:A> a\n\t b<![CDATA[ <c> ]]><!-- d --></cbc:A><cac:P><cbc:A>1</cbc:A></cac:P><cac:P><cbc:A>2</cbc:A></cac:P>',
		),
	);
	expect([root?.value('cbc:A'), root?.value('cbc:B'), root?.value('cac:P/cbc:A')]).toEqual([
		'a b <c>',
		null,
		'1',
	]);
	expect(root?.all('cac:P/cbc:A').map(({ text }) => text)).toEqual(['1', '2']);
	expect(root?.first('cac:P/cbc:B')).toBeUndefined();
});
