/** The table in a file: a spreadsheet, CSV, a web page. Knows neither gateway nor n8n, nor what the columns mean. */
export { readTable } from './read';
export { CellError, MAX_TABLE_BYTES, TABLE_TOO_LARGE } from './table';
export type { Cell, Row, Table } from './table';
