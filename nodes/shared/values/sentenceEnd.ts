import type { Bilingual } from './bilingual';

/**
 * The end of a sentence that starts with what it is about: with a field (`must be a date`), or with "it", which is the
 * gateway's answer (`has no ID`).
 */
export type SentenceEnd = string;

/** Such an end in both languages: the rule that a field breaks. */
export type Rule = Bilingual;
