/** Whose names a payer's name may be, as banks and people write it: without the legal form, cut, or the first name behind. */
import { uniq } from 'lodash';

import { plainText } from '../../shared/values';
import { LONGEST_PARTNER_NAME, plainName } from './claim';
import { scalarText } from './report';

/** The most words of a name that are compared. */
const MOST_WORDS = 20;
/** Words that an account's name has at least, if the payer's has more: "Müller" may be anybody's. */
const FEWEST_WORDS = 2;

const wordsOf = (name: unknown): string[] =>
	uniq(plainText(scalarText(name), LONGEST_PARTNER_NAME).match(/[\p{L}\p{N}]+/gu)).slice(0, MOST_WORDS);

/** A word that more accounts have, like a legal form, finds none. */
const MOST_WITH_SAME_WORD = 100;

/** The names of accounts, ready to be looked up for very many payers. */
export class Owners {
	/** The words of a name; by name, as claims have it. */
	private readonly words = new Map<string, ReadonlySet<string>>();
	private readonly byWord = new Map<string, string[]>();

	constructor(names: readonly unknown[]) {
		for (const name of names) {
			const owner = plainName(name);
			if (owner === '' || this.words.has(owner)) continue;
			const words = wordsOf(name);
			this.words.set(owner, new Set(words));
			for (const word of words) {
				const alike = this.byWord.get(word);
				if (!alike) this.byWord.set(word, [owner]);
				else if (alike.length <= MOST_WITH_SAME_WORD) alike.push(owner);
			}
		}
	}

	/**
	 * The very name. Without one, names that have all words of it, or whose words it all has; its last word may be cut.
	 * @returns as claims have them
	 */
	named(given: string): ReadonlySet<string> {
		const plain = plainName(given);
		if (this.words.has(plain)) return new Set([plain]);
		const all = wordsOf(given);
		const isCut = all.length > 1 && !this.byWord.has(all.at(-1)!);
		const words = new Set(isCut ? all.slice(0, -1) : all);
		const isAlike = (owner: string) => {
			const own = this.words.get(owner)!;
			return isWithin(words, own) || (own.size >= FEWEST_WORDS && isWithin(own, words));
		};
		const telling = [...words].map((word) => this.byWord.get(word) ?? []);
		return new Set(
			telling
				.filter(({ length }) => length <= MOST_WITH_SAME_WORD)
				.flatMap((owners) => owners.filter(isAlike)),
		);
	}
}

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>) =>
	[...some].every((one) => all.has(one));
