import type { Kind } from './invoice';

/** UNTDID 1001: notes that credit an amount to the buyer. 261 is one that the buyer wrote. */
const CREDIT_NOTES = ['81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '532'];
/** UNTDID 1001: those that are booked like an ordinary invoice; 393 is one that was sold to a factor. */
const INVOICES = ['82', '331', '380', '385', '387', '388', '390', '393', '394', '395', '575', '623', '780'];
const OTHERS: Record<string, Kind> = {
	384: 'correction',
	389: 'selfBilled',
	386: 'prepayment',
	// 875: Abschlagsrechnung, 876: Teilschlussrechnung, 877: Schlussrechnung, all of a construction.
	326: 'partial',
	875: 'partial',
	876: 'final',
	877: 'final',
};

/** What a type code of UNTDID 1001 means for booking. */
export function kindOf(typeCode: string | null): Kind {
	const code = typeCode ?? '';
	if (CREDIT_NOTES.includes(code)) return 'creditNote';
	if (INVOICES.includes(code)) return 'invoice';
	return Object.hasOwn(OTHERS, code) ? OTHERS[code] : 'other';
}
