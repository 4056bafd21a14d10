/**
 * Makes sandboxes ("isolates") of n8n's default expression engine, and prints the milliseconds of processor time that each
 * takes: `node isolate.mjs <n8n's package.json>`.
 */
import { createRequire } from 'node:module';

const COUNT = 30;
const WARM_UP = 5;

const ofN8n = createRequire(process.argv[2]);
const { IsolatedVmBridge } = createRequire(ofN8n.resolve('n8n-workflow'))('@n8n/expression-runtime');
const ignore = () => {};
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

async function make() {
	const bridge = new IsolatedVmBridge({ timeout: 5000, memoryLimit: 128, logger });
	await bridge.initialize();
	await bridge.dispose();
}
for (let i = 0; i < WARM_UP; i++) await make();
const before = process.cpuUsage();
for (let i = 0; i < COUNT; i++) await make();
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000 / COUNT);
process.exit(0);
