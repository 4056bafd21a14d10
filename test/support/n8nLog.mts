/** Prints n8n's log for each failed end-to-end test, because its folder is removed. */
import compact from 'lodash/compact.js';
import map from 'lodash/map.js';
import { afterEach, inject } from 'vitest';

import { lastLinesOf } from '../../host/n8n.mjs';
import { running } from './rig.mjs';

afterEach(async ({ task }) => {
	if (task.result?.state !== 'fail') return;
	const logs = compact([...map([...running], 'logFile'), inject('sharedLog')]);
	for (const log of logs) console.error(`n8n's log ends with:\n${await lastLinesOf(log, 60)}`);
});
