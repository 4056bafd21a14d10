/** Which of the demo's examples are somebody's own by now. */
import { expect, it } from 'vitest';

import { isAsImported } from '../../demo/demo.mjs';
import { readExamples } from '../../demo/examples.mjs';
import { stillEmpty } from '../../demo/tableOfClients.mjs';
import type { StoredWorkflow } from '../../host/client.mjs';

it('an example with pinned data is as imported, until somebody pins other data', async () => {
	const { workflow } = (await readExamples()).find(({ name }) => name === 'payments')!;
	// n8n's answer has more.
	const stored = { ...workflow, id: 'w', isArchived: false } as unknown as StoredWorkflow;
	expect(Object.keys(workflow.pinData ?? {})).toHaveLength(1);
	expect(isAsImported(stored, workflow)).toBe(true);
	expect(isAsImported({ ...stored, pinData: {} }, workflow)).toBe(false);
});

it('the example that fills the table of clients runs before those that read it', async () => {
	const names = (await readExamples()).map(({ name }) => name);
	const readers = (await readExamples()).filter(({ workflow }) =>
		workflow.nodes.some(({ parameters }) => JSON.stringify(parameters).includes('"Client from the table"')),
	);
	expect(readers.length).toBeGreaterThan(0);
	for (const { name } of readers) expect(names.indexOf('clients'), name).toBeLessThan(names.indexOf(name));
});

it('what a person would type into the table of clients goes into empty cells of columns that are there', () => {
	const row = { companyId: '29098-10001', kasse: 'Ladenkasse', zustaendig: null, iban: '', duo: null };
	expect(stillEmpty(row)).toEqual({
		zustaendig: 'buchhaltung@kanzlei-demo.example',
		iban: 'DE02 1203 0000 0000 2020 51',
	});
	expect(stillEmpty({ ...row, companyId: '29098-10009' })).toEqual({});
});
