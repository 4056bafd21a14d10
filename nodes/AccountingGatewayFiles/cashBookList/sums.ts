/** Rows that add up those above, whatever they are called. */
import { both, centsOf, parseAmount } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { amountsOf, isIncome, isNothing, NO_AMOUNT, wordsIn } from './cells';
import type { Cells } from './cells';

/** Fewer amounts may add up to the next one by chance. */
const LEAST_ADDED = 3;

interface Added {
	count: number;
	cents: number;
}
const nothing = (): Added => ({ count: 0, cents: 0 });

/** Adds up the amounts of a list, income and expenses apart. */
export class Sums {
	private readonly all = new Map<string, Added>();
	/** Since the last row that was a sum or a balance. */
	private readonly since = new Map<string, Added>();

	/**
	 * Adds a row, unless it is a sum of those above, and has neither an account nor a number, as what was paid may have.
	 * @returns why it must not be booked
	 */
	add(cells: Cells): Bilingual | undefined {
		const [amount] = amountsOf(cells);
		const parsed = parseAmount(amount, 'EUR');
		if (!('value' in parsed)) return undefined;
		const cents = centsOf(parsed.value);
		const side = cells.einnahme === undefined ? wordsIn(cells.bewegung) : String(isIncome(cells));
		const added = [this.all, this.since].map((sums) => {
			const sum = sums.get(side) ?? nothing();
			sums.set(side, sum);
			return sum;
		});
		const sum = added.find(
			({ count, cents: before }) => count >= LEAST_ADDED && before === cents && cents !== 0,
		);
		if (sum && !isNamed(cells)) {
			this.end();
			return isSum(sum.count);
		}
		for (const one of added) {
			one.count++;
			one.cents += cents;
		}
		return undefined;
	}

	/** A sum or a balance: another one begins below it. */
	end(): void {
		this.since.clear();
	}
}

const isNamed = ({ gegenkonto, belegnummer, belegNummer }: Cells): boolean =>
	[gegenkonto, belegnummer, belegNummer].some((cell) => !isNothing(cell, NO_AMOUNT));

const isSum = (count: number): Bilingual =>
	both(
		`The amount is the sum of the ${count} amounts above: if the row is a sum, delete it. If it was paid, give the row its receipt number or account.`,
		`Der Betrag ist die Summe der ${count} Beträge darüber: Ist die Zeile eine Summe, löschen Sie sie. Wurde er gezahlt, geben Sie der Zeile ihre Beleg-Nr. oder ein Konto.`,
	);
