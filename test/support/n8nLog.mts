/** Prints n8n's log for each failed end-to-end test, because its folder is removed. */
import { afterEach, inject } from 'vitest';

import { lastLinesOf } from '../../host/n8n.mjs';
import { running } from './rig.mjs';

afterEach(async ({ task }) => {
	if (task.result?.state !== 'fail') return;
	for (const { logFile } of running) console.error(`n8n's log ends with:\n${await lastLinesOf(logFile, 60)}`);
	const shared = inject('sharedLog');
	if (shared)
		console.error(`The log of the n8n that tests share ends with:\n${await lastLinesOf(shared, 60)}`);
});
