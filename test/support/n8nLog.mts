/** Prints n8n's log for each failed end-to-end test, because its folder is removed. */
import { afterEach } from 'vitest';

import { running } from './rig.mjs';

afterEach(async ({ task }) => {
	if (task.result?.state !== 'fail') return;
	for (const n8n of running) console.error(`n8n's log ends with:\n${await n8n.lastLines(60)}`);
});
