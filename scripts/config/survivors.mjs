// A reporter of Stryker that prints each change that no test detects as soon as it is known: Stryker's own lists them at the end,
// and who ends a long run before has none.

import { relative } from 'node:path';

/** @typedef {{ fileName: string, location: { start: { line: number } }, mutatorName: string, replacement: string, status: string }} Tested */

class Survivors {
	/** @param {Tested} tested */
	onMutantTested({ fileName, location, mutatorName, replacement, status }) {
		if (status !== 'Survived') return;
		const place = `${relative('', fileName)}:${location.start.line}`;
		console.log(`survived: ${place} ${mutatorName}: ${replacement.replace(/\s+/g, ' ')}`);
	}
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'survivors', injectableClass: Survivors }];
