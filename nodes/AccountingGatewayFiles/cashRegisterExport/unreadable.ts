import type { Bilingual } from '../../shared/values';

/** Why an export, or one of its files, can't be read. */
export class Unreadable extends Error {
	constructor(readonly sentence: Bilingual) {
		super(sentence.en);
	}
}
