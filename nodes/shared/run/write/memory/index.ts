/**
 * What was written: `Journal`, by this execution, for its retries (the other functions ask what it holds before a run opens
 * it); `NodeMemory`, by earlier runs of a node.
 */
export { CHANGED, Journal } from './journal';
export { MemoryFull, NodeMemory } from './nodeMemory';
export type { Became, Known } from './nodeMemory';
export { hasSent, isRetryOfWrites, itemsSent } from './stored';
