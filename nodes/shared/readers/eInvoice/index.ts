/** An e-invoice’s file → its values. It knows neither gateway nor n8n. */
export { MAX_BYTES } from './limits';
export { TOO_LARGE, readInvoice } from './read';
export type { Reading } from './read';
export { viewOf } from './view';
