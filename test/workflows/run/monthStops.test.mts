/** The month of all clients when the balance falls below the limit on the way. */
import { expect, it } from 'vitest';

import { useExamples } from '../../support/exampleRun.mjs';

const rig = useExamples({ clients: 8 });
/** All but the one whose connections don’t work. */
const CLIENTS = 7;

/** Closes the month; from the given answer about books on, the balance is 99, which is below the limit of 100. */
async function close(after: number) {
	await rig.fillTableOfClients();
	const before = rig.sandbox.log.entries.length;
	const set = { 'svc.neuesGuthaben': 99 };
	rig.sandbox.faults.add({ kind: 'alter', times: null, after, contains: 'acct-rewe-read', set });
	expect((await rig.run('close-month', { from: 'Start' })).error).toBeUndefined();
	const texts = rig.emails.slice(1).flatMap(({ text }) => text.trim().split('\n\n'));
	const requests = rig.sandbox.log.entries.slice(before);
	const ofConnection = (id: unknown) => requests.filter(({ query }) => (query as Record<string, unknown>).connectionId === id);
	return { texts, read: rig.clients().filter(({ reweRead }) => ofConnection(reweRead).length > 0), files: rig.emails.flatMap(({ attachments }) => attachments) };
}

it.each([10, 14, 20])('names those after it as not read, and reads nothing any more (from the %ith answer on)', async (after) => {
	const { texts, read, files } = await close(after);
	expect(texts).toHaveLength(CLIENTS);
	expect(read.length).toBeGreaterThan(1);
	expect(read.length).toBeLessThan(CLIENTS);
	for (const [index, { mandant }] of rig.clients().entries()) {
		const [text] = texts.filter((one) => one.startsWith(String(mandant)));
		if (index >= read.length) expect(text).toBe(`${mandant}, NICHT ABGERUFEN\nDas Guthaben ist unterwegs unter die Grenze gefallen.`);
		else expect(text).not.toContain('NICHT ABGERUFEN');
	}
	// The one at which it fell is incomplete.
	expect(texts.find((one) => one.startsWith(String(read.at(-1)!.mandant)))).toMatch(/, NICHT VOLLSTÄNDIG ABGERUFEN\n.*Guthaben von 99/s);
	expect(files.length).toBeGreaterThan(0);
});

it('reads all of them while it doesn’t', async () => {
	const { texts, read } = await close(1000);
	expect([texts.length, read.length]).toEqual([CLIENTS, CLIENTS]);
	expect(texts.join()).not.toContain('NICHT ABGERUFEN');
});
