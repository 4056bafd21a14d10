/** A sentence for a person, in each language that the node speaks. Only what stands in an item's data has both. */
export type Bilingual = Record<'en' | 'de', string>;
