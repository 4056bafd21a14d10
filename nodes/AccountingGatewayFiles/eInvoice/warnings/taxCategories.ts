/** What the tax categories of EN 16931-1 ask for and forbid, as the rules BR-S-01 to BR-O-14 have it. */
import { compact, filter, groupBy, map } from 'lodash';

import { sum } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import type { EInvoice, Line, Tax } from '../invoice';
import { shortened } from '../values';
import {
	categoriesOf,
	codeWithName,
	hasNoTax,
	isCategory,
	isTaxed,
	OWED_BY_BUYER,
	ruleOf,
	TAX_CATEGORIES,
} from '../categories';
import { isGerman } from './law';
import { moneyIn, rateText, RULE } from './wording';

/** These need a reason in words or a code (BR-AE-10, BR-E-10, …), and what of the law asks for it, too. */
const EXEMPTION: Bilingual = { en: ', § 14 (4) no. 8 UStG', de: ', § 14 Abs. 4 Nr. 8 UStG' };
const WITH_REASON: Record<string, Bilingual> = {
	AE: { en: ', § 14a (5) UStG', de: ', § 14a Abs. 5 UStG' },
	K: EXEMPTION,
	IC: EXEMPTION,
	E: EXEMPTION,
	G: EXEMPTION,
	O: { en: '', de: '' },
};

/** A line, allowance or charge; each has a rule of its own. */
type Part = Pick<Line, 'category' | 'rate'> & { place: 0 | 1 | 2 };

const partsOf = ({ lines, allowances }: EInvoice): Part[] => [
	...lines.map((one) => ({ ...one, place: 0 as const })),
	...allowances.map((one) => ({ ...one, place: one.isCharge ? (2 as const) : (1 as const) })),
];

/** What the tax categories of EN 16931 forbid. */
export function taxProblems(invoice: EInvoice): Bilingual[] {
	const { taxes } = invoice;
	const parts = partsOf(invoice);
	return [
		...(taxes.length === 0 ? [NO_BREAKDOWN] : []),
		...taxWhereNoneMayBe(invoice, parts),
		...taxedAtZero(taxes, parts),
		...unlisted(taxes, parts),
		...unknown(taxes, parts),
		...aboutReasons(taxes),
		...outsideBesideOthers(taxes, parts),
		...aboutIds(invoice, parts),
		...owedByBuyer(taxes),
	];
}

const broken = (en: string, de: string): Bilingual => ({ en: `${RULE.en}: ${en}`, de: `${RULE.de}: ${de}` });

const NO_BREAKDOWN = broken(
	'it has no breakdown of the tax by rate (BR-CO-18). Ask for a corrected invoice.',
	'Die Aufschlüsselung der Steuer nach Sätzen fehlt (BR-CO-18). Bitte eine berichtigte Rechnung anfordern.',
);

/** Tax or a rate of a category without tax. */
function taxWhereNoneMayBe(invoice: EInvoice, parts: Part[]): Bilingual[] {
	const money = moneyIn(invoice.currency);
	const [owed, geschuldet] = isGerman(invoice)
		? [
				" The seller owes the tax that is shown (§ 14c (1) UStG), and it can't be deducted: ask for a corrected invoice.",
				' Die ausgewiesene Steuer schuldet der Verkäufer nach § 14c Abs. 1 UStG, sie ist nicht als Vorsteuer abziehbar: Bitte eine berichtigte Rechnung anfordern.',
			]
		: [
				" It can't be deducted: ask for a corrected invoice.",
				' Sie ist nicht als Vorsteuer abziehbar: Bitte eine berichtigte Rechnung anfordern.',
			];
	const shown = invoice.taxes.filter(({ category, rate, amount }) => hasNoTax(category) && (rate || amount));
	const ofTaxes = Object.entries(groupBy(shown, 'category')).map(([category, some]) => {
		const { en, de } = TAX_CATEGORIES[category];
		const tax = money(sum(some.map(({ amount }) => amount ?? 0)));
		const rates = compact(some.map(({ rate }) => rate)).map((rate) => `${rateText(rate)} %`);
		const rate = rates.join(', ');
		return broken(
			`category ${category} is ${en}, but tax is shown (${[rate.replaceAll(',', '.'), tax.en].filter(Boolean).join(', ')}; BR-${ruleOf(category)}-05, -09).${owed}`,
			`Kategorie ${category} heißt ${de}, trotzdem ist Steuer ausgewiesen (${[rate, tax.de].filter(Boolean).join(', ')}; BR-${ruleOf(category)}-05, -09).${geschuldet}`,
		);
	});
	const odd = parts.filter(
		({ category, rate }) => hasNoTax(category) && rate && !shown.some((one) => one.category === category),
	);
	const ofParts = categoriesOf(odd).map((category) => {
		const rules = rulesOf(category, odd, 5);
		return broken(
			`lines of category ${codeWithName(category, 'en')} have a tax rate (${rules}). Ask the sender what is meant.`,
			`Positionen der Kategorie ${codeWithName(category, 'de')} haben einen Steuersatz (${rules}). Beim Absender nachfragen, was gemeint ist.`,
		);
	});
	return [...ofTaxes, ...ofParts];
}

/** The category S without tax. */
function taxedAtZero(taxes: Tax[], parts: Part[]): Bilingual[] {
	const isZero = ({ category, rate }: Pick<Line, 'category' | 'rate'>) =>
		category === 'S' && rate !== null && rate <= 0;
	const zero = [...taxes, ...parts].find(isZero);
	if (!zero) return [];
	const rules = rulesOf('S', parts.filter(isZero), 5) || 'BR-S-05';
	return [
		broken(
			`category S (taxed) has a rate of ${zero.rate} % (${rules}): it doesn’t say why there is no tax. Ask for a corrected invoice.`,
			`Kategorie S (steuerpflichtig) hat den Steuersatz ${rateText(zero.rate!)} % (${rules}): Warum keine Steuer anfällt, steht nicht da. Bitte eine berichtigte Rechnung anfordern.`,
		),
	];
}

/** Categories of lines that the breakdown of the tax lacks. */
function unlisted(taxes: Tax[], parts: Part[]): Bilingual[] {
	const listed = categoriesOf(taxes);
	const others = categoriesOf(parts).filter((one) => isCategory(one) && !listed.includes(one));
	if (taxes.length === 0 || others.length === 0) return [];
	const list = others.map((one) => `${one} (BR-${ruleOf(one)}-01)`).join(', ');
	return [
		broken(
			`lines have a tax category that the breakdown lacks: ${list}. Ask the sender.`,
			`Positionen haben eine Steuerkategorie, die in der Aufschlüsselung fehlt: ${list}. Beim Absender nachfragen.`,
		),
	];
}

/** Categories that don't exist. */
function unknown(taxes: Tax[], parts: Part[]): Bilingual[] {
	const others = categoriesOf([...taxes, ...parts]).filter((one) => !isCategory(one));
	if (others.length === 0) return [];
	const list = others.map(shortened).join(', ');
	return [
		broken(
			`the tax category ${list} doesn’t exist (BR-CL-17). Ask the sender.`,
			`Die Steuerkategorie ${list} gibt es nicht (BR-CL-17). Beim Absender nachfragen.`,
		),
	];
}

/** Reasons why there is no tax: missing, or of a category with tax. */
function aboutReasons(taxes: Tax[]): Bilingual[] {
	const without = taxes.filter(
		(one) => Object.hasOwn(WITH_REASON, one.category ?? '') && !one.exemptionReason,
	);
	const missing = categoriesOf(without).map((category) => {
		const { [category]: law } = WITH_REASON;
		return broken(
			`category ${codeWithName(category, 'en')} gives no reason (BR-${ruleOf(category)}-10${law.en}). Ask for a corrected invoice.`,
			`Zur Kategorie ${codeWithName(category, 'de')} fehlt der Grund (BR-${ruleOf(category)}-10${law.de}). Bitte eine berichtigte Rechnung anfordern.`,
		);
	});
	const odd = categoriesOf(taxes.filter((one) => isTaxed(one) && one.exemptionReason)).map((category) =>
		broken(
			`category ${codeWithName(category, 'en')} gives a reason why there is no tax (BR-${ruleOf(category)}-10). Ask the sender which is right.`,
			`Zur Kategorie ${codeWithName(category, 'de')} steht ein Grund, warum keine Steuer anfällt (BR-${ruleOf(category)}-10). Beim Absender nachfragen, was gilt.`,
		),
	);
	return [...missing, ...odd];
}

/** What is outside the scope of VAT is on an invoice of its own. */
function outsideBesideOthers(taxes: Tax[], parts: Part[]): Bilingual[] {
	const all = categoriesOf([...taxes, ...parts]);
	if (!all.includes('O') || all.length === 1) return [];
	return [
		broken(
			'category O (outside the scope of VAT) stands beside other categories (BR-O-11 to -14). Check what is taxed.',
			'Die Kategorie O (nicht steuerbar) steht neben anderen (BR-O-11 bis -14). Prüfen, was zu versteuern ist.',
		),
	];
}

/** No problem of the invoice, but tax that isn't in it. */
function owedByBuyer(taxes: Tax[]): Bilingual[] {
	const owed = taxes.filter((one) => OWED_BY_BUYER.includes(one.category ?? '') && !one.amount);
	if (owed.length === 0) return [];
	return [
		{
			en: 'The buyer owes tax that is not in the amounts (Steuerschuldnerschaft des Leistungsempfängers, innergemeinschaftlicher Erwerb).',
			de: 'Der Käufer schuldet Steuer, die nicht in den Beträgen steckt (Steuerschuldnerschaft des Leistungsempfängers, innergemeinschaftlicher Erwerb).',
		},
	];
}

const TAX_IDS = {
	sellerVatId: { en: "the seller's VAT ID", de: 'die USt-IdNr. des Verkäufers' },
	buyerVatId: { en: "the buyer's VAT ID", de: 'die USt-IdNr. des Käufers' },
	representative: { en: "his tax representative's VAT ID", de: 'die USt-IdNr. seines Fiskalvertreters' },
	sellerId: { en: "the seller's VAT ID or tax number", de: 'USt-IdNr. oder Steuernummer des Verkäufers' },
	buyerId: { en: "the buyer's VAT ID or register number", de: 'USt-IdNr. oder Registernummer des Käufers' },
};

/** VAT IDs that a category asks for, or excludes (BR-AE-02 to -04 and the like). What a German seller's tax needs, the law tells. */
function aboutIds(invoice: EInvoice, parts: Part[]): Bilingual[] {
	const { seller, buyer, taxRepresentativeVatId: representative } = invoice;
	const vatId = seller.vatId ?? representative;
	const isToldByLaw = (category: string) => isGerman(invoice) && isTaxed({ category });
	const said = (ids: Array<keyof typeof TAX_IDS | false>, language: keyof Bilingual) =>
		compact(ids)
			.map((id) => TAX_IDS[id][language])
			.join(', ');
	return categoriesOf(parts).flatMap((category) => {
		const rules = rulesOf(category, parts, 2);
		if (category === 'O') {
			const there: Array<keyof typeof TAX_IDS | false> = [
				seller.vatId !== null && 'sellerVatId',
				representative !== null && 'representative',
				buyer.vatId !== null && 'buyerVatId',
			];
			return there.some(Boolean)
				? broken(
						`category O (outside the scope of VAT) excludes VAT IDs, but there is ${said(there, 'en')} (${rules}). Ask the sender which category is right.`,
						`Die Kategorie O (nicht steuerbar) schließt USt-IdNrn. aus, es gibt aber ${said(there, 'de')} (${rules}). Beim Absender nachfragen, welche Kategorie stimmt.`,
					)
				: [];
		}
		const isWithinEu = ruleOf(category) === 'IC';
		const needsVatId = isWithinEu || category === 'G';
		const lacking: Array<keyof typeof TAX_IDS | false> = [
			needsVatId && vatId === null && 'sellerVatId',
			!needsVatId && !isToldByLaw(category) && (vatId ?? seller.taxNumber) === null && 'sellerId',
			isWithinEu && buyer.vatId === null && 'buyerVatId',
			category === 'AE' && buyer.vatId === null && buyer.ids.length === 0 && 'buyerId',
		];
		if (!isCategory(category) || !lacking.some(Boolean)) return [];
		const [en, de] = isWithinEu ? [', § 14a (3) UStG', ', § 14a Abs. 3 UStG'] : ['', ''];
		return broken(
			`category ${codeWithName(category, 'en')} asks for ${said(lacking, 'en')} (${rules}${en}). Ask for a corrected invoice.`,
			`Zur Kategorie ${codeWithName(category, 'de')} fehlt ${said(lacking, 'de')} (${rules}${de}). Bitte eine berichtigte Rechnung anfordern.`,
		);
	});
}

/** The rules of a category for lines, allowances and charges, of which the first has this number: `BR-AE-05, -07`. */
function rulesOf(category: string, parts: Part[], first: number): string {
	const places = map(filter(parts, { category }), 'place');
	const numbers = [0, 1, 2]
		.filter((place) => places.some((one) => one === place))
		.map((place) => `-0${first + place}`);
	return numbers.length > 0 ? `BR-${ruleOf(category)}${numbers.join(', ')}` : '';
}
