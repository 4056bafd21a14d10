/** Whether the column of the tax rates holds amounts of tax. */
import { round } from 'lodash';

import { bilingual, numberIn, parseAmount, parseNumber } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { quotable } from './cells';
import { headingName } from './headings';
import type { Headings } from './headings';

/** The rates of most rows, in percent. */
const USUAL = [19, 7];
/** Half a cent, and what floating point adds. */
const HALF_A_CENT = 0.005 + 1e-9;

interface Taxed {
	row: number;
	betrag: string | number | null;
	steuersatz: string | number | null;
	problem: Bilingual | null;
}

/**
 * No German rate has more than one decimal, so one that does is an amount. Amounts may have none, too (2,00 of 12,50): where each of a
 * list is the tax in its row to the cent, they are amounts, unless all of them are usual rates (7 of 107,00) or have a percent sign.
 * @returns why nothing of the list can be read
 */
export function taxAmountsIn(entries: readonly Taxed[], { row, places }: Headings): Bilingual | undefined {
	const taxed = entries.filter(({ steuersatz, problem }) => !problem && rateOf(steuersatz) > 0);
	const isTax = taxed.every(isTaxIn);
	const found = taxed.find(
		({ steuersatz }) => isAmount(steuersatz) || (isTax && !USUAL.includes(rateOf(steuersatz))),
	);
	return found && amounts(found, headingName(row.cells[places.steuersatz!]));
}

function rateOf(cell: string | number | null): number {
	if (typeof cell === 'number') return cell;
	const parsed = parseNumber((cell ?? '').replace(/%\s*$/, ''));
	return 'value' in parsed ? parsed.value : NaN;
}

/** Below 1, it is a percent cell without its format: 0.19. */
function isAmount(cell: string | number | null): boolean {
	const rate = rateOf(cell);
	return rate >= 1 && Math.abs(rate * 10 - Math.round(rate * 10)) > 1e-6;
}

function isTaxIn({ betrag, steuersatz }: Taxed): boolean {
	const amount = parseAmount(betrag, 'EUR');
	if (!('value' in amount) || String(steuersatz).includes('%')) return false;
	return USUAL.some(
		(rate) => Math.abs((amount.value * rate) / (100 + rate) - rateOf(steuersatz)) <= HALF_A_CENT,
	);
}

const amounts = ({ row, steuersatz }: Taxed, heading: string): Bilingual =>
	bilingual((language) => {
		const said = typeof steuersatz === 'number' ? numberIn(language, round(steuersatz, 2), 2) : steuersatz;
		const text = quotable(said ?? '');
		return language === 'en'
			? `Row ${row} has ${text} in the column "${heading}", which seems to hold amounts of tax. Write the rates there, such as 19, 7 or 0; one that looks like an amount with a percent sign.`
			: `Zeile ${row} hat ${text} in der Spalte „${heading}“: Darin scheinen Steuerbeträge zu stehen. Schreiben Sie die Steuersätze hinein, etwa 19, 7 oder 0; einen, der wie ein Betrag aussieht, mit Prozentzeichen.`;
	});
