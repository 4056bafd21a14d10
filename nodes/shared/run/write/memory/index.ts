/** What was written: by this execution, for its retries, and by earlier runs of a node. */
export { CHANGED, Journal } from './journal';
export { hasSent, isRetryOfWrites, itemsSent } from './stored';
export { MemoryFull, WrittenBefore } from './writtenBefore';
export type { Known } from './writtenBefore';
