/** E-invoices to read, with a test's modifications. */

/** Replaces parts of a text; each must be there. */
function replaced(text: string, replacements: Record<string, string>): string {
	return Object.entries(replacements).reduce((result, [from, to]) => {
		if (!result.includes(from)) throw new Error(`${from} is not in the sample`);
		return result.replaceAll(from, to);
	}, text);
}

/** An XRechnung in UBL: 100.00 with 19 %, 50.00 with 7 %. */
export const ublInvoice = (replacements: Record<string, string> = {}) =>
	replaced(
		`<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
	xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
	xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
	<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0</cbc:CustomizationID>
	<cbc:ID>RE-4711</cbc:ID>
	<cbc:IssueDate>2026-11-03</cbc:IssueDate>
	<cbc:DueDate>2026-12-03</cbc:DueDate>
	<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
	<cbc:Note>Vielen Dank</cbc:Note>
	<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
	<cbc:BuyerReference>04011000-12345-03</cbc:BuyerReference>
	<cac:OrderReference><cbc:ID>B-99</cbc:ID></cac:OrderReference>
	<cac:BillingReference>
		<cac:InvoiceDocumentReference><cbc:ID>RE-4700</cbc:ID></cac:InvoiceDocumentReference>
	</cac:BillingReference>
	<cac:ContractDocumentReference><cbc:ID>V-7</cbc:ID></cac:ContractDocumentReference>
	<cac:AdditionalDocumentReference>
		<cbc:ID>Stundenzettel</cbc:ID>
		<cac:Attachment>
			<cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="a.pdf">JVBERi0=</cbc:EmbeddedDocumentBinaryObject>
		</cac:Attachment>
	</cac:AdditionalDocumentReference>
	<cac:ProjectReference><cbc:ID>P-1</cbc:ID></cac:ProjectReference>
	<cac:AccountingSupplierParty>
		<cac:Party>
			<cac:PartyName><cbc:Name>Papier</cbc:Name></cac:PartyName>
			<cac:PostalAddress>
				<cbc:StreetName>Hauptstr. 1</cbc:StreetName>
				<cbc:CityName>Bremen</cbc:CityName>
				<cbc:PostalZone>28195</cbc:PostalZone>
				<cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country>
			</cac:PostalAddress>
			<cac:PartyTaxScheme>
				<cbc:CompanyID>60/123/45678</cbc:CompanyID>
				<cac:TaxScheme><cbc:ID>FC</cbc:ID></cac:TaxScheme>
			</cac:PartyTaxScheme>
			<cac:PartyTaxScheme>
				<cbc:CompanyID>DE123456789</cbc:CompanyID>
				<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
			</cac:PartyTaxScheme>
			<cac:PartyLegalEntity><cbc:RegistrationName>Papier Schmidt GmbH &amp; Co. KG</cbc:RegistrationName></cac:PartyLegalEntity>
			<cac:Contact><cbc:ElectronicMail>post@papier.example</cbc:ElectronicMail></cac:Contact>
		</cac:Party>
	</cac:AccountingSupplierParty>
	<cac:AccountingCustomerParty>
		<cac:Party>
			<cac:PostalAddress>
				<cbc:StreetName>Markt 2</cbc:StreetName>
				<cbc:CityName>Berlin</cbc:CityName>
				<cbc:PostalZone>10115</cbc:PostalZone>
				<cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country>
			</cac:PostalAddress>
			<cac:PartyLegalEntity><cbc:RegistrationName>Käufer AG</cbc:RegistrationName></cac:PartyLegalEntity>
		</cac:Party>
	</cac:AccountingCustomerParty>
	<cac:Delivery><cbc:ActualDeliveryDate>2026-11-01</cbc:ActualDeliveryDate></cac:Delivery>
	<cac:PaymentMeans>
		<cbc:PaymentMeansCode>58</cbc:PaymentMeansCode>
		<cbc:PaymentID>RE-4711 / K-5</cbc:PaymentID>
		<cac:PayeeFinancialAccount>
			<cbc:ID>DE02120300000000202051</cbc:ID>
			<cbc:Name>Papier Schmidt</cbc:Name>
			<cac:FinancialInstitutionBranch><cbc:ID>BYLADEM1001</cbc:ID></cac:FinancialInstitutionBranch>
		</cac:PayeeFinancialAccount>
	</cac:PaymentMeans>
	<cac:TaxTotal>
		<cbc:TaxAmount currencyID="EUR">22.50</cbc:TaxAmount>
		<cac:TaxSubtotal>
			<cbc:TaxableAmount currencyID="EUR">100.00</cbc:TaxableAmount>
			<cbc:TaxAmount currencyID="EUR">19.00</cbc:TaxAmount>
			<cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent></cac:TaxCategory>
		</cac:TaxSubtotal>
		<cac:TaxSubtotal>
			<cbc:TaxableAmount currencyID="EUR">50.00</cbc:TaxableAmount>
			<cbc:TaxAmount currencyID="EUR">3.50</cbc:TaxAmount>
			<cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>7.00</cbc:Percent></cac:TaxCategory>
		</cac:TaxSubtotal>
	</cac:TaxTotal>
	<cac:LegalMonetaryTotal>
		<cbc:LineExtensionAmount currencyID="EUR">150.00</cbc:LineExtensionAmount>
		<cbc:TaxExclusiveAmount currencyID="EUR">150.00</cbc:TaxExclusiveAmount>
		<cbc:TaxInclusiveAmount currencyID="EUR">172.50</cbc:TaxInclusiveAmount>
		<cbc:PayableAmount currencyID="EUR">172.50</cbc:PayableAmount>
	</cac:LegalMonetaryTotal>
	<cac:InvoiceLine>
		<cbc:ID>1</cbc:ID>
		<cbc:InvoicedQuantity unitCode="XBX">10</cbc:InvoicedQuantity>
		<cbc:LineExtensionAmount currencyID="EUR">100.00</cbc:LineExtensionAmount>
		<cac:Item>
			<cbc:Name>Papier A4</cbc:Name>
			<cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent></cac:ClassifiedTaxCategory>
		</cac:Item>
		<cac:Price><cbc:PriceAmount currencyID="EUR">10.00</cbc:PriceAmount></cac:Price>
	</cac:InvoiceLine>
	<cac:InvoiceLine>
		<cbc:ID>2</cbc:ID>
		<cbc:InvoicedQuantity unitCode="H87">2</cbc:InvoicedQuantity>
		<cbc:LineExtensionAmount currencyID="EUR">50.00</cbc:LineExtensionAmount>
		<cac:Item>
			<cbc:Name>Fachbuch</cbc:Name>
			<cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>7.00</cbc:Percent></cac:ClassifiedTaxCategory>
		</cac:Item>
		<cac:Price><cbc:PriceAmount currencyID="EUR">25.00</cbc:PriceAmount></cac:Price>
	</cac:InvoiceLine>
</Invoice>
`,
		replacements,
	);

/** Factur-X (ZUGFeRD 2) in CII: 100.00 with 19 %. */
export const ciiInvoice = (replacements: Record<string, string> = {}) =>
	replaced(
		`<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
	xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
	xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
	<rsm:ExchangedDocumentContext>
		<ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter>
	</rsm:ExchangedDocumentContext>
	<rsm:ExchangedDocument>
		<ram:ID>FX-1</ram:ID>
		<ram:TypeCode>380</ram:TypeCode>
		<ram:IssueDateTime><udt:DateTimeString format="102">20261103</udt:DateTimeString></ram:IssueDateTime>
	</rsm:ExchangedDocument>
	<rsm:SupplyChainTradeTransaction>
		<ram:IncludedSupplyChainTradeLineItem>
			<ram:AssociatedDocumentLineDocument><ram:LineID>1</ram:LineID></ram:AssociatedDocumentLineDocument>
			<ram:SpecifiedTradeProduct><ram:Name>Papier A4</ram:Name></ram:SpecifiedTradeProduct>
			<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>10.00</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
			<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="XBX">10</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
			<ram:SpecifiedLineTradeSettlement><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>100.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
		</ram:IncludedSupplyChainTradeLineItem>
		<ram:ApplicableHeaderTradeAgreement>
			<ram:BuyerReference>L-1</ram:BuyerReference>
			<ram:SellerTradeParty>
				<ram:Name>Papier Schmidt GmbH</ram:Name>
				<ram:DefinedTradeContact><ram:EmailURIUniversalCommunication><ram:URIID>post@papier.example</ram:URIID></ram:EmailURIUniversalCommunication></ram:DefinedTradeContact>
				<ram:PostalTradeAddress>
					<ram:PostcodeCode>28195</ram:PostcodeCode><ram:LineOne>Hauptstr. 1</ram:LineOne><ram:CityName>Bremen</ram:CityName><ram:CountryID>DE</ram:CountryID>
				</ram:PostalTradeAddress>
				<ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">60/123/45678</ram:ID></ram:SpecifiedTaxRegistration>
				<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789</ram:ID></ram:SpecifiedTaxRegistration>
			</ram:SellerTradeParty>
			<ram:BuyerTradeParty><ram:Name>Käufer AG</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>10115</ram:PostcodeCode><ram:CityName>Berlin</ram:CityName></ram:PostalTradeAddress></ram:BuyerTradeParty>
			<ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>B-99</ram:IssuerAssignedID></ram:BuyerOrderReferencedDocument>
			<ram:ContractReferencedDocument><ram:IssuerAssignedID>V-7</ram:IssuerAssignedID></ram:ContractReferencedDocument>
			<ram:SpecifiedProcuringProject><ram:ID>P-1</ram:ID></ram:SpecifiedProcuringProject>
		</ram:ApplicableHeaderTradeAgreement>
		<ram:ApplicableHeaderTradeDelivery>
			<ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime><udt:DateTimeString format="102">20261101</udt:DateTimeString></ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent>
		</ram:ApplicableHeaderTradeDelivery>
		<ram:ApplicableHeaderTradeSettlement>
			<ram:PaymentReference>FX-1 / K-5</ram:PaymentReference>
			<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
			<ram:SpecifiedTradeSettlementPaymentMeans>
				<ram:TypeCode>58</ram:TypeCode>
				<ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02120300000000202051</ram:IBANID><ram:AccountName>Papier Schmidt</ram:AccountName></ram:PayeePartyCreditorFinancialAccount>
				<ram:PayeeSpecifiedCreditorFinancialInstitution><ram:BICID>BYLADEM1001</ram:BICID></ram:PayeeSpecifiedCreditorFinancialInstitution>
			</ram:SpecifiedTradeSettlementPaymentMeans>
			<ram:ApplicableTradeTax>
				<ram:CalculatedAmount>19.00</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode>
				<ram:BasisAmount>100.00</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>19.00</ram:RateApplicablePercent>
			</ram:ApplicableTradeTax>
			<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20261203</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
			<ram:SpecifiedTradeSettlementHeaderMonetarySummation>
				<ram:LineTotalAmount>100.00</ram:LineTotalAmount>
				<ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount>
				<ram:TaxTotalAmount currencyID="EUR">19.00</ram:TaxTotalAmount>
				<ram:GrandTotalAmount>119.00</ram:GrandTotalAmount>
				<ram:DuePayableAmount>119.00</ram:DuePayableAmount>
			</ram:SpecifiedTradeSettlementHeaderMonetarySummation>
			<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>FX-0</ram:IssuerAssignedID></ram:InvoiceReferencedDocument>
		</ram:ApplicableHeaderTradeSettlement>
	</rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`,
		replacements,
	);

/** The same in ZUGFeRD 1, with its own names. */
export const zugferd1Invoice = () =>
	ciiInvoice({
		'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100':
			'urn:ferd:CrossIndustryDocument:invoice:1p0',
		'InformationEntity:100': 'InformationEntity:12',
		'DataType:100': 'DataType:15',
		'rsm:CrossIndustryInvoice': 'rsm:CrossIndustryDocument',
		'urn:cen.eu:en16931:2017': 'urn:ferd:CrossIndustryDocument:invoice:1p0:comfort',
		'rsm:ExchangedDocumentContext': 'rsm:SpecifiedExchangedDocumentContext',
		'rsm:ExchangedDocument>': 'rsm:HeaderExchangedDocument>',
		'rsm:SupplyChainTradeTransaction': 'rsm:SpecifiedSupplyChainTradeTransaction',
		ApplicableHeaderTrade: 'ApplicableSupplyChainTrade',
		SettlementHeaderMonetarySummation: 'SettlementMonetarySummation',
		SettlementLineMonetarySummation: 'SettlementMonetarySummation',
		SpecifiedLineTrade: 'SpecifiedSupplyChainTrade',
		RateApplicablePercent: 'ApplicablePercent',
		'ram:IssuerAssignedID': 'ram:ID',
	});

/** Bytes as text, as ReportLab stores them in a PDF. */
export function ascii85(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += 4) {
		const group = Buffer.alloc(4);
		group.set(bytes.subarray(at, at + 4));
		const count = Math.min(4, bytes.length - at);
		let value = group.readUInt32BE();
		const characters = Array.from({ length: 5 }, () => {
			const digit = value % 85;
			value = Math.floor(value / 85);
			return String.fromCharCode(0x21 + digit);
		}).reverse();
		const isZero = count === 4 && group.every((byte) => byte === 0);
		text += isZero ? 'z' : characters.slice(0, count + 1).join('');
	}
	return `${text.replace(/.{76}/g, '$&\n')}~>`;
}

/** An object of a PDF: its text, or a stream with its dictionary. */
export type PdfObject = string | { dict: string; data: Uint8Array | string };

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** A PDF of these objects; the first is number 1, the catalog. */
export function pdf(objects: PdfObject[]): Buffer {
	const parts = [latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')];
	const offsets: number[] = [];
	const length = () => parts.reduce((sum, part) => sum + part.length, 0);
	objects.forEach((object, index) => {
		offsets.push(length());
		parts.push(latin1(`${index + 1} 0 obj\n`));
		if (typeof object === 'string') parts.push(latin1(object));
		else {
			const data = Buffer.from(object.data);
			parts.push(
				latin1(`<< /Length ${data.length} ${object.dict} >>\nstream\n`),
				data,
				latin1('\nendstream'),
			);
		}
		parts.push(latin1('\nendobj\n'));
	});
	const start = length();
	const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
	parts.push(
		latin1(
			`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
		),
	);
	return Buffer.concat(parts);
}

const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>';

/** A PDF of one page with files in it. */
export const pdfWith = (files: Array<{ name: string; data: Uint8Array | string; dict?: string }>): Buffer => {
	const names = files.map(({ name }, index) => `(${name}) ${4 + 2 * index} 0 R`).join(' ');
	return pdf([
		`<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [${names}] >> >> >>`,
		PAGES,
		PAGE,
		...files.flatMap(({ name, data, dict = '' }, index): PdfObject[] => [
			`<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F ${5 + 2 * index} 0 R >> >>`,
			{ dict: `/Type /EmbeddedFile ${dict}`, data },
		]),
	]);
};

/** What an e-invoice says, where it isn't what most say: 100.00 EUR with 19 %, from one German company to another. */
interface Said {
	profile: 'en16931' | 'extended' | 'minimum';
	type: number;
	issued: string;
	delivered: string | null;
	seller: { vatId: string | null; country: string; taxNumber?: string };
	buyerAddress: boolean;
	payee: string | null;
	/** The delivery period of each line. */
	linePeriod: readonly [from: string, to: string] | null;
	/** Net amount, category, rate, and status in EXTENDED. */
	lines: Array<readonly [net: string, category: string, rate: string, status?: string]>;
	charges: Array<readonly [net: string, category: string, rate: string]>;
	freight: readonly [net: string, category: string, rate: string] | null;
	taxes: Array<readonly [base: string, category: string, rate: string, amount: string, reason?: string]>;
	/** Lines, charges, net, tax, gross, paid already, to be paid. */
	totals: readonly [string, string, string, string, string, string, string];
	means: string;
	terms: string;
}

const compactDay = (day: string) => day.replaceAll('-', '');
const dateOf = (day: string) => `<udt:DateTimeString format="102">${compactDay(day)}</udt:DateTimeString>`;

/** Terms of payment of EXTENDED. */
export const paymentTerms = (due: string | null, discount = '') =>
	`<ram:SpecifiedTradePaymentTerms>${due ? `<ram:DueDateDateTime>${dateOf(due)}</ram:DueDateDateTime>` : ''}${
		discount &&
		`<ram:ApplicableTradePaymentDiscountTerms>${discount}</ram:ApplicableTradePaymentDiscountTerms>`
	}</ram:SpecifiedTradePaymentTerms>`;

/** A Cross Industry Invoice that says what is given, true or not. */
export function ciiOf(said: Partial<Said>): string {
	const {
		profile = 'en16931',
		type = 380,
		issued = '2026-11-20',
		delivered = '2026-11-19',
		seller = { vatId: 'DE123456789', country: 'DE' },
		buyerAddress = true,
		payee = null,
		linePeriod = null,
		lines = [['100.00', 'S', '19']],
		charges = [],
		freight = null,
		taxes = [['100.00', 'S', '19', '19.00']],
		totals = ['100.00', '0.00', '100.00', '19.00', '119.00', '0.00', '119.00'],
		means = '<ram:TypeCode>58</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02120300000000202051</ram:IBANID></ram:PayeePartyCreditorFinancialAccount>',
		terms = paymentTerms('2026-12-20'),
	} = said;
	const rated = (category: string, rate: string) =>
		`<ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>${category}</ram:CategoryCode><ram:RateApplicablePercent>${rate}</ram:RateApplicablePercent>`;
	const [lineTotal, chargeTotal, net, tax, gross, prepaid, payable] = totals;
	const address = (postcode: string, street: string, city: string, country: string) =>
		`<ram:PostalTradeAddress><ram:PostcodeCode>${postcode}</ram:PostcodeCode><ram:LineOne>${street}</ram:LineOne><ram:CityName>${city}</ram:CityName><ram:CountryID>${country}</ram:CountryID></ram:PostalTradeAddress>`;
	const registration = (scheme: string, id?: string | null) =>
		id
			? `<ram:SpecifiedTaxRegistration><ram:ID schemeID="${scheme}">${id}</ram:ID></ram:SpecifiedTaxRegistration>`
			: '';
	const guideline = {
		en16931: 'urn:cen.eu:en16931:2017',
		extended: 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
		minimum: 'urn:factur-x.eu:1p0:minimum',
	}[profile];
	return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>${guideline}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>R-1</ram:ID><ram:TypeCode>${type}</ram:TypeCode><ram:IssueDateTime>${dateOf(issued)}</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
${lines
	.map(
		([amount, category, rate, status], i) =>
			`<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>${i + 1}</ram:LineID>${status ? `<ram:LineStatusReasonCode>${status}</ram:LineStatusReasonCode>` : ''}</ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:Name>Ware ${i + 1}</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="H87">1</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax>${rated(category, rate)}</ram:ApplicableTradeTax>${linePeriod ? `<ram:BillingSpecifiedPeriod><ram:StartDateTime>${dateOf(linePeriod[0])}</ram:StartDateTime><ram:EndDateTime>${dateOf(linePeriod[1])}</ram:EndDateTime></ram:BillingSpecifiedPeriod>` : ''}<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${amount}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>`,
	)
	.join('\n')}
<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Muster GmbH</ram:Name>${address('10115', 'Weg 1', 'Berlin', seller.country)}${registration('VA', seller.vatId)}${registration('FC', seller.taxNumber)}</ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Kunde AG</ram:Name>${buyerAddress ? address('20095', 'Platz 2', 'Hamburg', 'DE') : ''}<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE987654321</ram:ID></ram:SpecifiedTaxRegistration></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery><ram:ShipToTradeParty>${address('20095', 'Platz 2', 'Hamburg', 'DE')}</ram:ShipToTradeParty>${delivered ? `<ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>${dateOf(delivered)}</ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent>` : ''}</ram:ApplicableHeaderTradeDelivery>
<ram:ApplicableHeaderTradeSettlement><ram:CreditorReferenceID>DE98ZZZ09999999999</ram:CreditorReferenceID><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>${payee ? `<ram:PayeeTradeParty><ram:Name>${payee}</ram:Name></ram:PayeeTradeParty>` : ''}
<ram:SpecifiedTradeSettlementPaymentMeans>${means}</ram:SpecifiedTradeSettlementPaymentMeans>
${taxes
	.map(
		([base, category, rate, amount, reason]) =>
			`<ram:ApplicableTradeTax><ram:CalculatedAmount>${amount}</ram:CalculatedAmount>${reason ? `<ram:ExemptionReason>${reason}</ram:ExemptionReason>` : ''}<ram:BasisAmount>${base}</ram:BasisAmount>${rated(category, rate)}</ram:ApplicableTradeTax>`,
	)
	.join('\n')}
${charges.map(([amount, category, rate]) => `<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>true</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>${amount}</ram:ActualAmount><ram:Reason>Verpackung</ram:Reason><ram:CategoryTradeTax>${rated(category, rate)}</ram:CategoryTradeTax></ram:SpecifiedTradeAllowanceCharge>`).join('\n')}
${freight ? `<ram:SpecifiedLogisticsServiceCharge><ram:Description>Fracht</ram:Description><ram:AppliedAmount>${freight[0]}</ram:AppliedAmount><ram:AppliedTradeTax>${rated(freight[1], freight[2])}</ram:AppliedTradeTax></ram:SpecifiedLogisticsServiceCharge>` : ''}
${terms}
<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>${lineTotal}</ram:LineTotalAmount>${Number(chargeTotal) ? `<ram:ChargeTotalAmount>${chargeTotal}</ram:ChargeTotalAmount>` : ''}<ram:TaxBasisTotalAmount>${net}</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">${tax}</ram:TaxTotalAmount><ram:GrandTotalAmount>${gross}</ram:GrandTotalAmount><ram:TotalPrepaidAmount>${prepaid}</ram:TotalPrepaidAmount><ram:DuePayableAmount>${payable}</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
</ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;
}
