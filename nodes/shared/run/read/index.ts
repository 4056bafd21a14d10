/** Tasks → answers of the gateway. */
export { readAll } from './read';
