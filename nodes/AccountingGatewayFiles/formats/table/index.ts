/** The table in a file: a spreadsheet or CSV. Knows neither gateway nor n8n, nor what the columns mean. */
export { readTable } from './read';
export { MAX_TABLE_BYTES, OddCell, TABLE_TOO_LARGE } from './table';
export type { Cell, Row, Table } from './table';
