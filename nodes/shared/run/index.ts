/** Runs an operation on all items: check, read or write, report. */
export { NODE_VERSION, requireKnownVersion, requireSupportedN8n } from './n8n';
export { run } from './run';
