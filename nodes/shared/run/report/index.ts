/** Outcomes → rows → items, hints, and the error that ends a run. */
export { dryRun } from './dryRun';
export { chosenFields, simplified } from './fields';
export { invalidError } from './invalidError';
export { outputItems } from './outputItems';
export { report } from './report';
export { rowsFrom } from './rows';
