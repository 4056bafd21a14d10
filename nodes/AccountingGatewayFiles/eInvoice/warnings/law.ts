/** What German law asks of an invoice, and costs the buyer the input tax (Vorsteuer) if it is missing. */
import { compact, map } from 'lodash';

import type { Bilingual } from '../../../shared/values';
import { OWED_BY_BUYER } from '../categories';
import type { EInvoice, Party } from '../invoice';

/** Up to this total, § 33 UStDV asks for less, unless the buyer owes the tax: its sentence 3 excludes §§ 6a and 13b UStG. */
const SMALL_AMOUNT = 250;
const IN_SMALL: readonly Detail[] = ['sellerAddress', 'goods'];
/** Kinds whose delivery may still be to come, or that change an earlier invoice, which has its day. */
const WITHOUT_DELIVERY = ['prepayment', 'partial', 'creditNote', 'correction'];

const DETAILS = {
	sellerAddress: { en: "seller's address (no. 1)", de: 'Anschrift des Verkäufers (Nr. 1)' },
	buyerAddress: { en: "buyer's address (no. 1)", de: 'Anschrift des Käufers (Nr. 1)' },
	taxNumber: {
		en: "seller's tax number or VAT ID (no. 2, BR-CO-26)",
		de: 'Steuernummer oder USt-IdNr. des Verkäufers (Nr. 2, BR-CO-26)',
	},
	goods: { en: 'what was delivered (no. 5)', de: 'Bezeichnung der Leistung (Nr. 5)' },
	delivery: {
		en: 'day or period of the delivery (no. 6, BT-72 to BT-74)',
		de: 'Zeitpunkt oder Zeitraum der Leistung (Nr. 6, BT-72 bis BT-74)',
	},
} satisfies Record<string, Bilingual>;
type Detail = keyof typeof DETAILS;

/** A full address has a place; the street may be a post-office box, which the standard has no field for. */
const hasAddress = ({ city, postalCode, street }: Party) =>
	city !== null && (postalCode !== null || street !== null);

/** Whether § 14 UStG holds for an invoice: for those of German sellers, and where nothing says that it is another. */
export function isGerman({ seller }: EInvoice): boolean {
	const country = seller.country?.toUpperCase() ?? seller.vatId?.slice(0, 2).toUpperCase();
	return country === undefined || country === 'DE';
}

/**
 * Only the input tax that an invoice shows depends on them (§ 15 (1) no. 1 UStG), not the one that the buyer owes (nos. 3 and 4).
 * @returns one sentence that names what is missing; its number, day, and the names of seller and buyer are told elsewhere
 */
export function withoutDetails(invoice: EInvoice): Bilingual[] {
	const { seller, buyer, taxRepresentativeVatId, deliveryDate, period, lines, taxes } = invoice;
	if (!isGerman(invoice) || ![invoice.taxAmount, ...map(taxes, 'amount')].some(Boolean)) return [];
	const hasDay = (one: { from: string | null; to: string | null }) => one.from !== null || one.to !== null;
	const hasDelivery = deliveryDate !== null || hasDay(period) || lines.some((line) => hasDay(line.period));
	const all: Array<Detail | false> = [
		!hasAddress(seller) && 'sellerAddress',
		!hasAddress(buyer) && 'buyerAddress',
		(seller.vatId ?? seller.taxNumber ?? taxRepresentativeVatId) === null && 'taxNumber',
		!lines.some(({ name, description }) => name ?? description) && 'goods',
		!hasDelivery && !WITHOUT_DELIVERY.includes(invoice.kind) && 'delivery',
	];
	const isSmall =
		Math.abs(invoice.grossAmount ?? Infinity) <= SMALL_AMOUNT &&
		!taxes.some(({ category }) => OWED_BY_BUYER.includes(category ?? ''));
	const missing = compact(all).filter((detail) => !isSmall || IN_SMALL.includes(detail));
	if (missing.length === 0) return [];
	const named = (language: keyof Bilingual) => missing.map((detail) => DETAILS[detail][language]).join(', ');
	const rule = isSmall
		? { en: '§ 33 UStDV', de: '§ 33 UStDV' }
		: { en: '§ 14 (4) UStG', de: '§ 14 Abs. 4 UStG' };
	return [
		{
			en: `It lacks what ${rule.en} asks for, without which the input tax (Vorsteuer) isn't deductible: ${named('en')}. If no text of the invoice has it, ask for a corrected one (BMF, October 15, 2025, margin no. 35a).`,
			de: `Es fehlt, was ${rule.de} verlangt und ohne das die Vorsteuer nicht abziehbar ist: ${named('de')}. Steht es auch in keinem Text der Rechnung, bitte eine berichtigte Rechnung anfordern (BMF vom 15.10.2025, Rz. 35a).`,
		},
	];
}
