/** Runs an operation on all items: check, read or write, report. Loaded by the first run: n8n loads each node at its start. */
import { once } from 'lodash';

import type { run as runNow } from './run';

export { explaining } from './explaining';
export { NODE_VERSION, requireKnownVersion, requireSupportedN8n } from './n8n';
export { simplified } from './report/fields';

const loaded = once(async () => await import('./run.js'));

/** Runs the chosen operation on all items. */
export const run: typeof runNow = async (...given) => await (await loaded()).run(...given);
