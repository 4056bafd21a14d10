/** A cash register’s export (DSFinV-K) → its closings. It knows neither gateway nor n8n. */
export { ACCOUNTED, NON_CASH, SALES, SHORTAGE, SURPLUS } from './accounts';
export type { Position } from './closing';
export { MAX_EXPORT_BYTES, readExport } from './read';
export type { ReadClosing } from './read';
