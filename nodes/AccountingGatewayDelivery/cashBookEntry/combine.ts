import { uniqBy } from 'lodash';

import type { Member } from '../../shared/operation';
import { fileIdentity } from '../../shared/parameters';
import type { InputFile } from '../../shared/parameters';
import { both, dayIn, numberIn, sameInBoth, sum } from '../../shared/values';
import type { Bilingual, Moment, Rule } from '../../shared/values';
import { brokenName } from '../fileName';

interface Line {
	betrag: number;
}

/** The values of an advanced entry's items that are compared or combined. */
interface Rows<L extends Line> {
	connectionId: string;
	kassenname: string;
	bewegung?: string;
	betrag?: number;
	waehrung: string;
	transaktionsdatum: Moment;
	belegzeilen?: L[];
	belegzeilenJson?: L[];
	belegbilder?: InputFile[];
	additionalFields: { dateiname?: string };
}

type Lines<L extends Line> = Pick<Rows<L>, 'belegzeilen' | 'belegzeilenJson'>;

/** The lines of an entry, wherever they come from. */
export const linesOf = <L extends Line>({ belegzeilen, belegzeilenJson }: Lines<L>): L[] =>
	belegzeilen ?? belegzeilenJson ?? [];

/** The amount of an entry; where it is left empty, that of its lines. */
export const amountOf = <L extends Line>(entry: Lines<L> & { betrag?: number }): number =>
	entry.betrag ?? sum(linesOf(entry).map(({ betrag }) => betrag));

/** The contract's rule: the amount is the sum of its lines, exactly. @returns how it is broken */
export function brokenSum(
	betrag: number | undefined,
	lines: Line[],
	whose = both('the lines', 'der Zeilen'),
): Rule | undefined {
	const total = sum(lines.map((line) => line.betrag));
	return betrag === undefined || total === betrag
		? undefined
		: both(
				`must equal the sum of ${whose.en}, which is ${total}`,
				`muss die Summe ${whose.de} sein, das ist ${numberIn('de', total)}`,
			);
}

/** The fields that belong to the entry as a whole. */
const SHARED = ['connectionId', 'kassenname', 'bewegung', 'waehrung', 'transaktionsdatum'] as const;

type Shared = Pick<Rows<Line>, (typeof SHARED)[number]>;

/** A shared value as text. */
const shared = (values: Shared, field: keyof Shared): string => {
	const { [field]: value = '' } = values;
	return typeof value === 'string' ? value : value.value;
};

/**
 * Makes one entry from several items: all of their lines, in order, and all of their files, each once. The entry's own
 * values are those of the first item, and the others must agree with them; of the date, only the day counts.
 */
export function combineEntries<L extends Line, R extends Rows<L>>(members: ReadonlyArray<Member<R>>): R {
	const [first] = members;
	for (const { values, addIssue } of members) {
		for (const field of SHARED) {
			const expected = shared(first.values, field);
			const given = shared(values, field);
			if (agree(field, expected, given)) continue;
			const german = field === 'transaktionsdatum' ? dayIn('de', expected) : expected;
			addIssue(field, given, mustBe(both(expected, german), first.name));
		}
	}
	const lines = members.flatMap(({ values }) => linesOf<L>(values));
	// A report repeats the amount in each row of a receipt, or has it in only one of them.
	const withAmount = members.filter(({ values }) => values.betrag !== undefined);
	const betrag = withAmount[0]?.values.betrag;
	const others = withAmount.filter(({ values }) => values.betrag !== betrag);
	for (const { values, addIssue } of others) {
		const { en, de } = mustBe(both(String(betrag), numberIn('de', betrag!)), withAmount[0].name);
		const rule = both(
			`${en}. Give the amount of the whole entry, or none`,
			`${de}. Geben Sie den Betrag des ganzen Vorgangs an oder keinen`,
		);
		addIssue('betrag', values.betrag, rule);
	}
	const broken = brokenSum(
		betrag,
		lines,
		members.length > 1 ? both('the lines of all its items', 'aller seiner Zeilen') : undefined,
	);
	if (broken && others.length === 0) withAmount[0].addIssue('betrag', betrag, broken);
	const files = uniqBy(
		members.flatMap(({ values }) => values.belegbilder ?? []),
		({ content }) => fileIdentity(content.binary),
	);
	// The time that is sent is the first one's; what the entry is known by mustn't depend on the order of its items.
	const [meant] = members.map(({ values }) => values.transaktionsdatum.meant).sort();
	const transaktionsdatum = { ...first.values.transaktionsdatum, meant };
	return {
		...first.values,
		transaktionsdatum,
		betrag,
		belegzeilen: lines,
		belegzeilenJson: undefined,
		belegbilder: files,
		additionalFields: { ...first.values.additionalFields, dateiname: nameIn(members, files) },
	};
}

/** The name of the entry's only receipt: each of its items gives the same one, or none. */
function nameIn(members: ReadonlyArray<Member<Rows<Line>>>, files: InputFile[]): string | undefined {
	const named = members.filter(({ values }) => values.additionalFields.dateiname !== undefined);
	const name = named[0]?.values.additionalFields.dateiname;
	const others = named.filter(({ values }) => values.additionalFields.dateiname !== name);
	for (const { values, addIssue } of others) {
		addIssue('dateiname', values.additionalFields.dateiname, mustBe(sameInBoth(name!), named[0].name));
	}
	const broken = brokenName(name, files);
	if (broken && others.length === 0) named[0].addIssue('dateiname', name, broken);
	return name;
}

function agree(field: (typeof SHARED)[number], first: string, other: string): boolean {
	if (field === 'connectionId') return first.toLowerCase() === other.toLowerCase();
	return field === 'transaktionsdatum' ? isSameDay(first, other) : first === other;
}

const isSameDay = (first: string, other: string): boolean => {
	const { length } = 'YYYY-MM-DD';
	return first.slice(0, length) === other.slice(0, length);
};

const mustBe = (expected: Bilingual, { en, de }: Bilingual): Rule =>
	both(
		`must be the same as for ${en}${expected.en === '' ? ' (empty)' : `, ${expected.en}`}: both are one entry`,
		`muss gleich sein wie bei ${de}${expected.de === '' ? ' (leer)' : `, ${expected.de}`}: Beide sind ein Vorgang`,
	);
