/** The limits on what is read from one file, because its sender chooses it. Lists of cash books stay far below them. */
export const TABLE_LIMITS = {
	/** Of a file, and of all parts of a spreadsheet that are read, unpacked. */
	bytes: 20_000_000,
	unpackedBytes: 48_000_000,
	/** With something in them; then their cells, and the number of the last row: a spreadsheet has 1,048,576. */
	rows: 50_000,
	cells: 1_000_000,
	row: 1_100_000,
	/** Cells of a row that are kept: those to the left. */
	columns: 256,
	/** Characters of a cell, which are Excel's limit, and of all cells. */
	cell: 32_767,
	text: 16_000_000,
	/** Of a part, those of 50,000 rows with 20 cells; then attributes of an element, and characters that the parser keeps of one text, tag or comment. */
	elements: 3_000_000,
	attributes: 200,
	kept: 200_000,
	/** Formats of cells. */
	formats: 100_000,
	/** Whose names are kept; then characters of a name (Excel allows 31), and how many names a sentence lists. */
	sheets: 1_000,
	sheetName: 60,
	sheetNames: 15,
	/** Spaces that one element stands for. */
	spaces: 100,
	/** Characters of a format (Excel allows 255), and of what a cell shows that may be a number, a day or a format. */
	formatCode: 255,
	shown: 60,
	/** Lines and characters that are searched for the separator: a title may stand above the headings. */
	searchedLines: 50,
	searchedText: 20_000,
};
