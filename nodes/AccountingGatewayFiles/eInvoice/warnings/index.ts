/** What keeps an accountant from booking an e-invoice as it is. */
export { warningsAbout } from './warnings';
