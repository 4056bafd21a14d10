/**
 * What was written: `Journal`, by this execution, for its retries (`SentBefore` and the functions ask what it holds before a run opens it); `NodeMemory`, by earlier runs of a node.
 */
export { Journal } from './journal';
export { MemoryFull, NodeMemory } from './nodeMemory';
export type { Became, Known } from './nodeMemory';
export { SentBefore } from './sentBefore';
export { hasSent, isRetryOfWrites } from './stored';
