/** Notes what the tests of each file take. Vitest loads this before each file, in one of its processes. */
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';

import { type FileTime, TIMES } from './parts/testTimes.mjs';

const secondsOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;

let before: NodeJS.CpuUsage;
beforeAll(() => {
	before = process.cpuUsage();
});
afterAll(() => {
	const time: FileTime = {
		file: expect.getState().testPath!,
		tests: secondsOf(process.cpuUsage(before)),
		pid: process.pid,
		whole: secondsOf(process.cpuUsage()),
	};
	appendFileSync(process.env[TIMES]!, `${JSON.stringify(time)}\n`);
});
