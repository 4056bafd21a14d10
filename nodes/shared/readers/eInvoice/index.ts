/** An e-invoice’s file → its values. It knows neither gateway nor n8n. */
export { MAX_INVOICE_BYTES } from './limits';
export { INVOICE_TOO_LARGE, readInvoice } from './read';
export type { Reading } from './read';
export { viewOf } from './view';
