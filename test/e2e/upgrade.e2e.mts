/**
 * This package unpacked over an older one of another format, in a real n8n: the same workflows run again, and nothing is
 * booked or uploaded again without a word. By day, the same stands with stored rows in nodeMemory.test.mts.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { packEarlier } from '../../bench/earlier.mjs';
import type { Execution, WorkflowFile } from '../../host/client.mjs';
import { installPackage, PACKAGE } from '../../host/package.mjs';
import { chainOf, connectionOf, nodeOf, simpleEntry, uploadToDuo } from '../../host/workflows.mjs';
import { Rig } from '../support/rig.mjs';

/** The last commit of November 26, 2026, whose rows have no mark and other entries. */
const OLDER = 'b27386ae766ecff21974e1023ebc90bad370469f';
const TEXTS = ['a', 'b', 'c', 'd'];

let folder: string;
let rig: Rig;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
	rig = await Rig.start();
});
afterAll(async () => {
	await rig?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** Installs a package over the one that is there. */
async function install(tarball: string): Promise<void> {
	await installPackage(tarball, rig.n8n.userFolder);
	await rig.restart();
}

/** A workflow that begins with an item for each text. */
function workflow(name: string, texts: string[], parameters: IDataObject): WorkflowFile {
	const text = JSON.stringify({ text: texts });
	return chainOf(name, [
		nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
		nodeOf('Texts', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput: text }, { typeVersion: 3.4 }),
		nodeOf('Each', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'text', options: {} }),
		nodeOf(
			'File',
			'n8n-nodes-base.convertToFile',
			{ operation: 'toText', sourceProperty: 'text', options: { fileName: '={{ $json.text }}.txt' } },
			{ typeVersion: 1.1 },
		),
		nodeOf('Write', `${PACKAGE}.accountingGatewayDelivery`, parameters, {
			credentials: rig.credentials,
			onError: 'continueErrorOutput',
		}),
	]);
}

/** What came out of the node that writes: successes, and errors. */
const outputOf = ({ data }: Execution) =>
	(
		data.resultData.runData as Record<string, Array<{ data?: { main: Array<Array<{ json: IDataObject }>> } }>>
	).Write![0].data!.main.map((items) => (items ?? []).map(({ json }) => json));

const written = () =>
	['entries', 'documents'].map((list) => (rig.sandbox.store.list(list as 'entries') as unknown[]).length);

it('books and uploads nothing again that the package before has, and says what to do', async () => {
	const connection = connectionOf(rig.sandbox, 'duo');
	const betrag = '={{ $itemIndex + 1 }}';
	const entries = workflow(
		'Entries',
		TEXTS,
		simpleEntry(connection, {
			operation: 'createAdvanced',
			bewegung: '',
			betrag,
			belegzeilen: { belegzeile: [{ betrag, belegtext: 'Tag', prozent: '19' }] },
			belegbilder: '',
			options: { alreadyBooked: true },
		}),
	);
	const options = { alreadyUploaded: true, idFromContent: false };
	const documents = workflow('Documents', TEXTS.slice(0, 2), uploadToDuo(connection, { options }));

	await install((await packEarlier(OLDER, folder)).tarball);
	const ids = [await rig.client.importWorkflow(entries), await rig.client.importWorkflow(documents)];
	const run = async () => {
		const outputs: IDataObject[][][] = [];
		for (const id of ids) outputs.push(outputOf(await rig.client.run(id)));
		return outputs;
	};
	expect((await run()).map(([done, failed = []]) => [done.length, failed.length])).toEqual([
		[4, 0],
		[2, 0],
	]);
	expect(written()).toEqual([4, 2]);
	// It knows its own.
	expect((await run()).flatMap(([done]) => done.map(({ alreadyExisted }) => alreadyExisted))).toEqual(
		Array(6).fill(true),
	);

	await install(inject('tarball'));
	for (const [done, failed] of await run()) {
		expect(done).toEqual([]);
		for (const { error } of failed) {
			expect(error).toContain('was written by another version of the package');
			expect(error).toContain('Put a new node in its place');
		}
	}
	expect(written()).toEqual([4, 2]);
}, 600_000);
