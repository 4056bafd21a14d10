/** What the tax categories of EN 16931-1 ask for and forbid, as the rules BR-S-01 to BR-O-14 have it. */
import { compact, groupBy, map } from 'lodash';

import { both, sum } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import { categoriesOf, isCategory, isTaxed, TAX_CATEGORIES } from '../categories';
import { countedLines } from '../invoice';
import type { EInvoice, Line, Tax } from '../invoice';
import { shortened } from '../values';
import { isGerman } from './law';
import { isExtended } from './rule';
import type { Broken, Rule } from './rule';
import { aCentEach, compare, isTaxOff, rounded, taxDiffers, taxOn } from './totalRules';
import { ASK, bothJoined, CORRECT, moneyIn, rateText, ratesText } from './wording';

/** Where a category stands: in a line, an allowance or a charge. The rules have a number of its own for each. */
const PLACES = ['line', 'allowance', 'charge'] as const;
/** A line, allowance or charge. */
type Part = Pick<Line, 'category' | 'rate'> & { place: (typeof PLACES)[number]; amount: number | null };

const partsOf = (invoice: EInvoice): Part[] => [
	...countedLines(invoice).map((one) => ({ ...one, place: 'line' as const, amount: one.netAmount })),
	...invoice.allowances.map((one) => ({
		...one,
		place: one.isCharge ? ('charge' as const) : ('allowance' as const),
		amount: one.amount && (one.isCharge ? one.amount : -one.amount),
	})),
];

/** Whom a category must name, or must not. */
const PEOPLE = {
	sellerVatId: both("the seller's VAT ID", 'die USt-IdNr. des Verkäufers'),
	buyerVatId: both("the buyer's VAT ID", 'die USt-IdNr. des Käufers'),
	representative: both("his tax representative's VAT ID", 'die USt-IdNr. seines Fiskalvertreters'),
	sellerId: both("the seller's VAT ID or tax number", 'USt-IdNr. oder Steuernummer des Verkäufers'),
	buyerId: both("the buyer's VAT ID or register number", 'USt-IdNr. oder Registernummer des Käufers'),
};
type Person = keyof typeof PEOPLE;

const isThere: Record<Person, (invoice: EInvoice) => boolean> = {
	sellerVatId: ({ seller }) => seller.vatId !== null,
	buyerVatId: ({ buyer }) => buyer.vatId !== null,
	representative: ({ taxRepresentativeVatId }) => taxRepresentativeVatId !== null,
	sellerId: ({ seller }) => (seller.vatId ?? seller.taxNumber) !== null,
	buyerId: ({ buyer }) => buyer.vatId !== null || buyer.ids.length > 0,
};

/** A tax category and what its rules have of their own. */
interface Category {
	/** As the names of the rules call it. */
	name: string;
	/** As invoices call it. */
	codes: string[];
	/** Who must be named (BR-…-02 to -04). A tax representative stands for the seller. */
	needs: Person[];
	/** Whether the breakdown gives a reason why there is no tax, or must not (BR-…-10); and the law that asks for it, too. */
	hasReason: boolean;
	reasonLaw?: string;
	/** What of the law asks for the IDs, too. */
	idLaw?: string;
}

/** Those of the Canary Islands (L), Ceuta and Melilla (M) and Italy (B) are left out: their tax is none of Germany's. */
const CATEGORIES: Category[] = [
	{ name: 'S', codes: ['S'], needs: ['sellerId'], hasReason: false },
	{ name: 'Z', codes: ['Z'], needs: ['sellerId'], hasReason: false },
	{ name: 'E', codes: ['E'], needs: ['sellerId'], hasReason: true, reasonLaw: '§ 14 Abs. 4 Nr. 8 UStG' },
	{
		name: 'AE',
		codes: ['AE'],
		needs: ['sellerId', 'buyerId'],
		hasReason: true,
		reasonLaw: '§ 14a Abs. 5 UStG',
	},
	{
		name: 'IC',
		codes: ['K', 'IC'],
		needs: ['sellerVatId', 'buyerVatId'],
		hasReason: true,
		reasonLaw: '§ 14 Abs. 4 Nr. 8 UStG',
		idLaw: '§ 14a Abs. 3 UStG',
	},
	{ name: 'G', codes: ['G'], needs: ['sellerVatId'], hasReason: true, reasonLaw: '§ 14 Abs. 4 Nr. 8 UStG' },
	{ name: 'O', codes: ['O'], needs: [], hasReason: true },
];

const isOf =
	({ codes }: Category) =>
	({ category }: { category: string | null }): boolean =>
		codes.includes(category ?? '');
const codeWithName = (code: string): Bilingual =>
	both(`${code} (${TAX_CATEGORIES[code].en})`, `${code} (${TAX_CATEGORIES[code].de})`);
const named = ({ codes }: Category): Bilingual => codeWithName(codes[0]);
const is = (en: string, de: string): Broken => ({ is: both(en, de) });
const when = (condition: boolean, broken: () => Broken): Broken[] => (condition ? [broken()] : []);

/** Tax or a rate where there must be none. */
function taxShown(category: Category, invoice: EInvoice): Broken {
	const { en, de } = named(category);
	const shown = invoice.taxes.filter((one) => isOf(category)(one) && one.amount);
	if (shown.length === 0)
		return is(
			category.name === 'O'
				? `category ${en} has a tax rate, if only 0 %`
				: `lines of category ${en} have a tax rate`,
			category.name === 'O'
				? `Die Kategorie ${de} hat einen Steuersatz, und sei er 0 %`
				: `Positionen der Kategorie ${de} haben einen Steuersatz`,
		);
	const tax = moneyIn(invoice.currency)(sum(map(shown, ({ amount }) => amount ?? 0)));
	const rates = ratesText(compact(map(shown, 'rate')));
	const owed = isGerman(invoice)
		? both(
				"The seller owes the tax that is shown (§ 14c (1) UStG), and it can't be deducted:",
				'Die ausgewiesene Steuer schuldet der Verkäufer nach § 14c Abs. 1 UStG, sie ist nicht als Vorsteuer abziehbar:',
			)
		: both("It can't be deducted:", 'Sie ist nicht als Vorsteuer abziehbar:');
	return {
		is: both(
			`category ${en} means no tax, but tax is shown: ${compact([rates.en, tax.en]).join(', ')}`,
			`Kategorie ${de} heißt ohne Steuer, trotzdem ist Steuer ausgewiesen: ${compact([rates.de, tax.de]).join(', ')}`,
		),
		then: both(
			`${owed.en} ask for a corrected invoice.`,
			`${owed.de} Bitte eine berichtigte Rechnung anfordern.`,
		),
	};
}

/** The taxable amount of a category, for each of its rates if it is taxed, against what its lines, allowances and charges are. */
function wrongBases(category: Category, invoice: EInvoice): Broken[] {
	const { taxes, lines, lineCount } = invoice;
	const parts = partsOf(invoice);
	const isKnown =
		parts.every((one) => one.category !== null && one.amount !== null) &&
		taxes.every((one) => one.category !== null && one.base !== null);
	if (!isKnown || lines.length === 0 || lines.length < lineCount) return [];
	const isRated = isTaxed({ category: category.name });
	const rateOf = ({ rate }: Pick<Tax, 'rate'>) => (isRated ? (rate ?? 0) : 0);
	const own = parts.filter(isOf(category));
	return Object.values(groupBy(taxes.filter(isOf(category)), rateOf)).flatMap((some) => {
		const rate = rateOf(some[0]);
		const amounts = own.filter((one) => rateOf(one) === rate).map(({ amount }) => Number(amount));
		const key = (text: string) => `${text} % (${some[0].category})`;
		return compare(
			invoice,
			both(
				`the sum of the lines at ${key(String(rate))}`,
				`die Summe der Positionen mit ${key(rateText(rate))}`,
			),
			rounded(sum(amounts)),
			both('their taxable amount', 'deren Bemessungsgrundlage'),
			sum(some.map(({ base }) => Number(base))),
			isExtended(invoice)
				? aCentEach(invoice, amounts.length)
				: (difference) => isTolerated(invoice, isRated, difference),
		);
	});
}

/** CEN's rules allow less than 1.00 for taxed categories in UBL, and for the others in CII; otherwise nothing. */
const isTolerated = ({ syntax }: EInvoice, isRated: boolean, difference: number): boolean =>
	difference === 0 || ((syntax === 'UBL') === isRated && difference < 1);

function lacksIds(category: Category, invoice: EInvoice): Broken[] {
	const lacking = category.needs.filter(
		(person) =>
			!isThere[person](invoice) && !(person.startsWith('seller') && isThere.representative(invoice)),
	);
	const who = bothJoined(lacking.map((person) => PEOPLE[person]));
	const { en, de } = named(category);
	return when(lacking.length > 0, () =>
		is(`category ${en} asks for ${who.en}`, `Zur Kategorie ${de} fehlt ${who.de}`),
	);
}

const OUTSIDERS: Person[] = ['sellerVatId', 'representative', 'buyerVatId'];
/** VAT IDs that the category O excludes. */
function hasIds(category: Category, invoice: EInvoice): Broken[] {
	const there = OUTSIDERS.filter((person) => isThere[person](invoice));
	const who = bothJoined(there.map((person) => PEOPLE[person]));
	const { en, de } = named(category);
	return when(there.length > 0, () =>
		is(
			`category ${en} excludes VAT IDs, but there is ${who.en}`,
			`Die Kategorie ${de} schließt USt-IdNrn. aus, es gibt aber ${who.de}`,
		),
	);
}

const NO_BREAKDOWN: Broken = {
	...is('it has no breakdown of the tax by rate', 'Die Aufschlüsselung der Steuer nach Sätzen fehlt'),
	then: CORRECT,
};

function rulesOf(category: Category): Rule[] {
	const { name, hasReason } = category;
	const isMine = isOf(category);
	const isOutside = name === 'O';
	const { en, de } = named(category);
	const mine = (invoice: EInvoice, place: Part['place']) =>
		partsOf(invoice).filter((one) => one.place === place && isMine(one));
	return [
		{
			id: `BR-${name}-01`,
			broken: (invoice) => {
				const count = invoice.taxes.filter(isMine).length;
				if (!partsOf(invoice).some(isMine) || count === 1) return [];
				if (invoice.taxes.length === 0) return [NO_BREAKDOWN];
				if (count > 0)
					return when(name !== 'S', () =>
						is(
							`category ${en} is more than once in the breakdown`,
							`Die Kategorie ${de} steht mehr als einmal in der Aufschlüsselung`,
						),
					);
				return [
					is(
						`lines have a tax category that the breakdown lacks: ${en}`,
						`Positionen haben eine Steuerkategorie, die in der Aufschlüsselung fehlt: ${de}`,
					),
				];
			},
			then: ASK,
		},
		...PLACES.map(
			(place, index): Rule => ({
				id: `BR-${name}-0${2 + index}`,
				extended: isOutside ? null : undefined,
				broken: (invoice) => {
					if (mine(invoice, place).length === 0) return [];
					return isOutside ? hasIds(category, invoice) : lacksIds(category, invoice);
				},
				then: isOutside ? ASK : CORRECT,
				source: category.idLaw,
			}),
		),
		...PLACES.map(
			(place, index): Rule => ({
				id: `BR-${name}-0${5 + index}`,
				broken: (invoice) => {
					const some = mine(invoice, place);
					if (name === 'S') {
						const zero = some.find(({ rate }) => rate !== null && rate <= 0);
						return zero
							? [
									is(
										`category ${en} has a rate of ${zero.rate} %: it doesn’t say why there is no tax`,
										`Kategorie ${de} hat den Steuersatz ${rateText(zero.rate!)} %: Warum keine Steuer anfällt, steht nicht da`,
									),
								]
							: [];
					}
					const isOdd = some.some(({ rate }) => (isOutside ? rate !== null : Boolean(rate)));
					return when(isOdd, () => taxShown(category, invoice));
				},
				then: name === 'S' ? CORRECT : ASK,
			}),
		),
		{
			id: `BR-${name}-08`,
			extended: `BR-FXEXT-${name}-08`,
			broken: (invoice) => wrongBases(category, invoice),
			then: ASK,
		},
		name === 'S'
			? {
					id: 'BR-S-09',
					extended: 'BR-FXEXT-S-09',
					broken: (invoice) =>
						invoice.taxes.filter(isMine).flatMap(({ rate, base, amount }) => {
							if (rate === null || base === null || amount === null) return [];
							const isWrong = isExtended(invoice)
								? !isCentEach(invoice, { rate, base, amount })
								: isTaxOff(base, rate, amount);
							return isWrong ? taxDiffers(invoice, base, rate, amount) : [];
						}),
					then: ASK,
				}
			: {
					id: `BR-${name}-09`,
					broken: (invoice) =>
						when(
							invoice.taxes.some((one) => isMine(one) && one.amount),
							() => taxShown(category, invoice),
						),
					then: CORRECT,
				},
		{
			id: `BR-${name}-10`,
			extended: hasReason ? undefined : null,
			broken: ({ taxes }) =>
				when(
					taxes.some((one) => isMine(one) && Boolean(one.exemptionReason) !== hasReason),
					() =>
						hasReason
							? is(`category ${en} gives no reason`, `Zur Kategorie ${de} fehlt der Grund`)
							: is(
									`category ${en} gives a reason why there is no tax`,
									`Zur Kategorie ${de} steht ein Grund, warum keine Steuer anfällt`,
								),
				),
			then: hasReason
				? CORRECT
				: both('Ask the sender which is right.', 'Beim Absender nachfragen, was gilt.'),
			source: category.reasonLaw,
		},
	];
}

/** Whether the tax of a rate differs from it by no more than a cent for each line, allowance and charge that has it. */
export function isCentEach(
	invoice: EInvoice,
	{ rate, base, amount }: { rate: number; base: number; amount: number },
): boolean {
	const own = partsOf(invoice).filter((one) => isTaxed(one) && one.rate === rate);
	// Of lines that aren't kept, or have no rate, each may have it.
	const others =
		invoice.lineCount - invoice.lines.length + partsOf(invoice).filter((one) => one.category === null).length;
	return Math.abs(sum([taxOn(base, rate), -amount])) <= rounded(0.01 * Math.max(1, own.length + others));
}

const [, , , , SUPPLY_WITHIN_EU, , OUT_OF_SCOPE] = CATEGORIES;

/** What is outside the scope of VAT is on an invoice of its own. */
const outsideBesideOthers = (
	id: string,
	others: (invoice: EInvoice) => Array<{ category: string | null }>,
): Rule => ({
	id,
	extended: null,
	broken: (invoice) =>
		when(
			invoice.taxes.some(isOf(OUT_OF_SCOPE)) &&
				others(invoice).some((one) => one.category !== null && !isOf(OUT_OF_SCOPE)(one)),
			() =>
				is(
					'category O (outside the scope of VAT) stands beside other categories',
					'Die Kategorie O (nicht steuerbar) steht neben anderen',
				),
		),
	then: both('Check what is taxed.', 'Prüfen, was zu versteuern ist.'),
});
const placed = (place: Part['place']) => (invoice: EInvoice) =>
	partsOf(invoice).filter((one) => one.place === place);

export const CATEGORY_RULES: Rule[] = [
	{
		id: 'BR-CO-18',
		broken: ({ taxes }) => when(taxes.length === 0, () => NO_BREAKDOWN),
		then: CORRECT,
	},
	{
		id: 'BR-CL-17',
		broken: (invoice) => {
			const unknown = categoriesOf([...invoice.taxes, ...partsOf(invoice)]).filter((one) => !isCategory(one));
			const list = unknown.map(shortened).join(', ');
			return when(unknown.length > 0, () =>
				is(`the tax category ${list} doesn’t exist`, `Die Steuerkategorie ${list} gibt es nicht`),
			);
		},
		then: ASK,
	},
	...CATEGORIES.flatMap(rulesOf),
	{
		id: 'BR-IC-11',
		broken: ({ taxes, deliveryDate, period }) =>
			when(taxes.some(isOf(SUPPLY_WITHIN_EU)) && (deliveryDate ?? period.from ?? period.to) === null, () =>
				is(
					'a supply within the EU has no day or period of the delivery',
					'Bei einer innergemeinschaftlichen Lieferung fehlt ihr Tag oder Zeitraum',
				),
			),
		then: CORRECT,
	},
	{
		id: 'BR-IC-12',
		broken: ({ taxes, deliveryCountry }) =>
			when(taxes.some(isOf(SUPPLY_WITHIN_EU)) && deliveryCountry === null, () =>
				is(
					'a supply within the EU has no country that it goes to',
					'Bei einer innergemeinschaftlichen Lieferung fehlt das Land, in das sie geht',
				),
			),
		then: CORRECT,
	},
	outsideBesideOthers('BR-O-11', ({ taxes }) => taxes),
	outsideBesideOthers('BR-O-12', placed('line')),
	outsideBesideOthers('BR-O-13', placed('allowance')),
	outsideBesideOthers('BR-O-14', placed('charge')),
];
