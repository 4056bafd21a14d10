/** Items → checked tasks: groups, numbers, balance. Nothing is sent; `CashBalance` follows the balance while a run writes. */
export { CashBalance, withoutOverdrawn } from './balance';
export { checkAll, chosenOperation, issuesOf, requestFor, withSameOptions } from './check';
export type { Checked } from './check';
export { checkTogether } from './items';
export type { ItemValues } from './items';
