/** The one way to n8n’s processed data, which outlives an execution. */
export { MOST_REMEMBERED, OtherFormat, ProcessedRow, SETTLED_MS } from './processedData';
