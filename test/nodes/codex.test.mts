/** The words by which n8n's search finds the nodes; what finds which node is tested in the browser. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const NODES = ['Delivery', 'Data', 'Files', 'Mobility', 'Banking', 'BankingTrigger', 'TransactionTrigger'];

async function aliasesOf(node: string): Promise<string[]> {
	const file = new URL(
		`../../nodes/AccountingGateway${node}/AccountingGateway${node}.node.json`,
		import.meta.url,
	);
	return (JSON.parse(await readFile(file, 'utf8')) as { alias: string[] }).alias;
}

const SPELLINGS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };

describe.each(NODES)('The node %s', (node) => {
	it('can be found without umlauts, too, and lists no word twice', async () => {
		const aliases = await aliasesOf(node);
		const spelled = aliases.map((alias) => alias.replaceAll(/[äöüßÄÖÜ]/g, (letter) => SPELLINGS[letter]));
		expect(aliases).toEqual(expect.arrayContaining(spelled));
		expect(new Set(aliases).size).toBe(aliases.length);
	});
});

it('The payment trigger can be found by its words: n8n lists it under the banking node, whose words count', async () => {
	expect(await aliasesOf('Banking')).toEqual(expect.arrayContaining(await aliasesOf('BankingTrigger')));
});

it('Money that arrives is found in the trigger for transactions alone: payments are what was sent', async () => {
	const words = ['Zahlungseingang', 'Geldeingang', 'Zahlung eingegangen'];
	expect(await aliasesOf('TransactionTrigger')).toEqual(expect.arrayContaining(words));
	for (const node of ['Banking', 'BankingTrigger']) {
		const aliases = await aliasesOf(node);
		expect(words.filter((word) => aliases.includes(word))).toEqual([]);
	}
});
