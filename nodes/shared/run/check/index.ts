/** Items → checked tasks: groups, numbers, balance. Nothing is sent. */
export { Balance, checkBalance } from './balance';
export { checkAll, checkOptionsOfRun, chosenOperation, issuesOf, requestFor } from './check';
export type { Checked } from './check';
export { checkTogether } from './items';
export type { ItemValues } from './items';
