import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

import { shownPath } from '../../../scripts/start/userFolder.mjs';

it.each([
	[resolve('.n8n/mail'), join('.n8n', 'mail')],
	[resolve('../elsewhere/mail'), resolve('../elsewhere/mail')],
	[resolve('/mail'), resolve('/mail')],
])('prints %s as a path that somebody can open from the current folder', (path, shown) => {
	expect(shownPath(path)).toBe(shown);
});
