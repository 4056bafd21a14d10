/** Items → checked tasks: groups, numbers, balance. Nothing is sent. */
export { Balance, withoutOverdrawn } from './balance';
export { checkAll, chosenOperation, issuesOf, requestFor, withSameOptions } from './check';
export type { Checked } from './check';
export { checkTogether } from './items';
export type { ItemValues } from './items';
