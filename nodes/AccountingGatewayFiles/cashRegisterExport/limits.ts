/** The limits on what is read from one export and said about it, because others have made it. */
export const EXPORT_LIMITS = {
	/** Of the files, together. A year of a busy register has less. */
	bytes: 128 * 1024 * 1024,
	/** Of a closing; no real closing has so many, and each takes time. */
	positions: 2_000,
	/** The first problems are enough to refuse a closing; a sentence lists fewer. */
	problems: 100,
	listedProblems: 5,
	/** Of a register: two are too many to book. */
	currencies: 10,
	/** A booking day that is further off is a date that the register never set. */
	daysApart: 366,
	/** Characters of a register's ID, by the official description, and in the text of an entry: some IDs are UUIDs. */
	registerId: 50,
	registerInText: 16,
	/** Of a company's name (officially 60) or tax number. */
	company: 200,
	/** Characters of a text in the cash book, and of a field of a table. */
	bookingText: 60,
	caseName: 1_000,
	/** Characters that a sentence repeats: of a text or a name, of a file's (the last ones, as the folders come first), of an archive's. */
	shownText: 40,
	shownName: 60,
	fileName: 100,
	archives: 3,
	archiveName: 60,
	sentence: 300,
};
