/**
 * Loaded into n8n before it starts (`node --import`): profiles its main thread between two signals SIGUSR2, and writes
 * the profile to the file that BENCH_PROFILE names.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 500 });
let isRunning = false;
process.on('SIGUSR2', async () => {
	isRunning = !isRunning;
	if (isRunning) return await session.post('Profiler.start');
	const { profile } = await session.post('Profiler.stop');
	writeFileSync(/** @type {string} */ (process.env.BENCH_PROFILE), JSON.stringify(profile));
});
