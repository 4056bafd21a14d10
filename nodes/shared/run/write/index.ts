/** Tasks → outcomes: each record is written once. */
export { writeAll } from './write';
