import { readdir, readFile, writeFile } from 'node:fs/promises';
import { beforeEach, expect, it, vi } from 'vitest';
import { readState, StateFile } from '../../sandbox/stateFile.mjs';
import { Store } from '../../sandbox/store.mjs';
import { useFolder } from '../support/useFolder.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';

const folder = useFolder('sandbox');
let path: string;
beforeEach(() => void (path = folder('state.json')));

it('the state file is complete whenever it is read', async () => {
	const store = new Store();
	const slice = store.addSlice('text', () => 'x'.repeat(5_000_000));
	const file = new StateFile(path, store);
	let writing = true;
	const write = async () => {
		for (let i = 0; i < 5; i++) {
			slice.value = String(i).repeat(5_000_000);
			await file.close();
		}
		writing = false;
	};
	const sizes = new Set<number>();
	const read = async () => {
		while (writing) sizes.add((await readFile(path, 'utf8').catch(() => '')).length);
	};
	await Promise.all([write(), read()]);
	sizes.delete(0);
	expect(sizes).toEqual(new Set([JSON.stringify(store.snapshot()).length]));
	expect(await readdir(folder())).toEqual(['state.json']);
});

it('a state file that cannot be written causes an error when closed, printed before', async () => {
	const print = vi.spyOn(console, 'error').mockReturnValue();
	const store = new Store();
	const file = new StateFile(folder('missing', 'state.json'), store);
	store.setNow(null);
	await waitFor(() => print.mock.calls.length > 0, { interval: 5 });
	expect(print).toHaveBeenCalledWith(expect.stringMatching(/^The state can't be written: ENOENT/));
	print.mockRestore();
	await expect(file.close()).rejects.toThrow('ENOENT');
});

it('the state file is undefined if missing, and refused if it holds no state', async () => {
	expect(readState(path)).toBeUndefined();
	await writeFile(path, '{"customers": [');
	expect(() => readState(path)).toThrow("state.json doesn't hold the state of a sandbox");
});
