import type { Bilingual } from './bilingual';

/**
 * The end of a sentence that starts with what it is about: with a field (`must be a date`, `muss ein Datum sein`), or with "it",
 * which is the gateway's answer (`has no ID`, `hat keine ID`).
 */
export type SentenceEnd = Bilingual;

/** Such an end about a field: the rule that it breaks. */
export type Rule = Bilingual;
