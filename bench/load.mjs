/**
 * Loads a package as n8n does when it starts, and prints the milliseconds of processor time and the bytes of memory that
 * takes: `node --expose-gc load.mjs <n8n's package.json> <the package's folder>`.
 */
import { createRequire } from 'node:module';

const [, , n8n, folder] = process.argv;
const require = createRequire(n8n);
// n8n has loaded these modules before it looks for nodes, so they don't count.
require('reflect-metadata');
const { PackageDirectoryLoader } = require('n8n-core');
for (const name of ['n8n-workflow', 'luxon', 'lodash', 'zod']) require(name);

const heap = () => {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed;
};
const memory = heap();
const before = process.cpuUsage();
const loader = new PackageDirectoryLoader(folder);
await loader.loadAll();
const { user, system } = process.cpuUsage(before);
console.log(
	JSON.stringify({ ms: (user + system) / 1000, bytes: heap() - memory, nodes: loader.types.nodes.length }),
);
process.exit(0);
