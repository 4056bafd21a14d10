/** What an accountant who opens an example can read: short expressions, few nodes, and nothing that a moved node breaks. */
import partition from 'lodash/partition.js';
import sum from 'lodash/sum.js';
import sumBy from 'lodash/sumBy.js';
import uniqBy from 'lodash/uniqBy.js';
import type { INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readExamples } from '../../demo/examples.mjs';

const EXAMPLES = await readExamples();
/** Each text in a value, with the fields that lead to it. */
const fieldsIn = (value: unknown, path: string[] = []): Array<{ path: string; text: string }> => {
	if (typeof value === 'string') return [{ path: path.join('.'), text: value }];
	return Object.entries(value && typeof value === 'object' ? value : {}).flatMap(([key, one]) => fieldsIn(one, [...path, key]));
};
const textsIn = (value: unknown) => fieldsIn(value).map(({ text }) => text);

/** The JavaScript of a workflow: its Code nodes, and what its expressions have between their braces, once for each node. */
const codeIn = ({ nodes }: { nodes: INode[] }) =>
	nodes.flatMap(({ name: node, parameters }) => {
		const code = fieldsIn(parameters).flatMap(({ path, text }) => {
			if (path === 'jsCode') return [{ node, path, code: text }];
			if (!text.startsWith('=')) return [];
			return [...text.matchAll(/\{\{(.*?)\}\}/gs)].map(([, one]) => ({ node, path, code: one.replace(AS_TABLE, '').trim() }));
		});
		return uniqBy(code, 'code');
	});
/** A value of an item, of another node or of n8n, and nothing computed from it. */
const REFERENCE =
	/^\$(?:json|binary|execution|workflow|now|today|\('[^']+'\))(?:\??\.(?:item|(?:first|last)\(\)|[\p{L}_]\w*)|\['[^']+'\])*$/u;
/**
 * Expressions with a function, because no node of n8n does it: joins two fields of a list of unknown length, makes each seal from
 * the one before, finds a node of another workflow.
 */
const WITH_FUNCTIONS = ['approve-booking, Tell', 'prove-chain, Seals', 'watchdog, Trigger address'];
/**
 * Characters of JavaScript in all examples; whoever needs more finds a node's setting first. The tables of e-mails count, too. Some 1,400
 * are the proof of whose a cash register, an account or a row is, which no node compares.
 */
const LIMITS = { programs: 55_084, references: 15_220 };
/** Values that can't hold HTML: addresses of forms, days, numbers, and what Settings say. */
const WITHOUT_HTML = /\.format\('de-DE', \{ minimumFractionDigits: 2 \}\)$|^\$execution\.resumeFormUrl$|^\$(?:today|now)\.|\.length$|^\$\('Settings'\)\.first\(\)\.json\.\w+$|\.length \? 'block' : 'none'$/;
const isTrigger = ({ type }: INode) => /Trigger$|emailReadImap/.test(type);
/** How an e-mail's text becomes a table: nothing in it is HTML, each paragraph is a row, and each line begins anew. */
const AS_TABLE = ".replaceAll('<', '&lt;').replaceAll('\\n\\n', '</td></tr><tr><td>').replaceAll('\\n', '<br>')";
/**
 * The names of what is set in *Settings*. They stand in expressions, like the nodes' names, and are English like these, in each
 * example, also in the templates that are English as a whole: what people read, in notes, forms, e-mails and tables, is German.
 */
const SETTINGS = new Set(
	[
		'account address alsoCalled anotherPurchase approver approverEmail bank bankAccount bic cashBook changed chart',
		'companies company connection contact correct creditor credits customerId customers date days daysToPay discountDays discountPercent',
		'documentType dunningBlock email emails error failed file files form holidays hours iban lastDay ledgerAccount letter levels limit lines linkUntil list mail mailHours mailbox mailed modules',
		'month name notMailed notUploaded paymentTerm payments photos recipient rejected request requests sender settled silence smallDifference subject table text texts',
		'number typeOfIncoming typeOfInvoices typeOfOutgoing typeOfPhotos vatId from until',
	].flatMap((line) => line.split(' ')),
);
/** The names of a value's fields; those of an ID, such as an account's number, are none. */
const namesIn = (value: unknown): string[] =>
	Array.isArray(value)
		? value.flatMap(namesIn)
		: value !== null && typeof value === 'object'
			? Object.entries(value).flatMap(([name, one]) => [...(/\d/.test(name) ? [] : [name]), ...namesIn(one)])
			: [];

/** Pixels on n8n's canvas: of a node, of the texts below it at their widest, and of a character of its name at its widest. */
const [NODE, TEXTS, CHARACTER] = [96, 192, 9];
/** Pixels below a node: the space above its texts, a line of its name or of “(Deactivated)”, its operation, the space between two. */
const [ABOVE, LINE, OPERATION, BETWEEN] = [8, 20, 16, 4];

/** What covers the canvas from `left` and `top` to `right` and `bottom`. */
interface Box {
	left: number;
	right: number;
	top: number;
	bottom: number;
}

const boxOf = ({ position: [left, top] }: Pick<INode, 'position'>): Box => ({ left, right: left + NODE, top, bottom: top + NODE });

/** The texts below a node: its name on one or two lines, whether it is deactivated, and its operation, which a trigger doesn't show. */
function textsBelow(node: Pick<INode, 'name' | 'type' | 'position' | 'disabled'>): Box {
	const { left, bottom: top } = boxOf(node);
	const width = node.name.length * CHARACTER;
	const heights = [
		width > TEXTS ? 2 * LINE : LINE,
		...(node.disabled ? [LINE] : []),
		...(isTrigger(node as INode) ? [] : [OPERATION]),
	];
	const [middle, half] = [left + NODE / 2, Math.min(width, TEXTS) / 2];
	const height = ABOVE + sum(heights) + BETWEEN * (heights.length - 1);
	return { left: middle - half, right: middle + half, top, bottom: top + height };
}

const overlap = (one: Box, other: Box) =>
	one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

// Five of them are for an office of many clients.
it('there are at most 25', () => {
	expect(EXAMPLES.length).toBeLessThanOrEqual(25);
});

describe.each(EXAMPLES)('$name', ({ name, workflow }) => {
	const [notes, nodes] = partition(workflow.nodes, ({ type }) => type === 'n8n-nodes-base.stickyNote');
	/** The names of the nodes before one. */
	function before(node: string, found = new Set<string>()): Set<string> {
		for (const [from, { main = [] }] of Object.entries(workflow.connections)) {
			if (found.has(from) || !main.flat().some((to) => to?.node === node)) continue;
			found.add(from);
			before(from, found);
		}
		return found;
	}

	it('has the watchdog as its error workflow', () => {
		expect(workflow.settings?.errorWorkflow).toBe(name === 'watchdog' ? undefined : 'watchdog');
	});

	it('has each node in one note, with what stands below it', () => {
		for (const node of nodes) {
			const [x, y] = node.position;
			const around = notes.filter(({ position: [left, top], parameters: { width, height } }) => {
				const [right, bottom] = [left + Number(width), top + Number(height)];
				return x >= left && x + NODE < right && y >= top && textsBelow(node).bottom <= bottom;
			});
			expect.soft(around.length, node.name).toBe(1);
		}
	});

	it('has no node on another one, or on the texts of one, nor two texts on each other', () => {
		const covered = nodes.flatMap((node) =>
			nodes
				.filter((other) => other !== node)
				.filter((other) => [boxOf, textsBelow].some((one) => [boxOf, textsBelow].some((another) => overlap(one(other), another(node)))))
				.map(({ name: other }) => `${other} on ${node.name}`),
		);
		expect(covered).toEqual([]);
	});

	it('has its connection chosen from a list, once for each kind', () => {
		const chosen = nodes.flatMap((node) => {
			const { mode, value } = (node.parameters.connectionId ?? {}) as { mode?: string; value?: string };
			return mode ? [{ node: node.name, mode, value }] : [];
		});
		// Elsewhere, it comes from the table of clients, of which `client` proves a row, or is one of all that the gateway lists.
		const isOfClient = (value?: string) => /^=\{\{ (?:\$json|\$\('(?:Client'\)\.first\(\)|Which file\?'\)\.item)\.json)\.connection \}\}$/.test(value!);
		const isElsewhere = name === 'clients';
		// Of what this one reads, the example takes the credit balance alone.
		const isBalance = ({ node }: { node: string }) => `${name}, ${node}` === 'close-month, Balance before';
		for (const { node, mode, value } of chosen.filter((one) => one.mode !== 'list' && !isElsewhere && !isBalance(one))) {
			if (isOfClient(value) && (name === 'client' || JSON.stringify(nodes).includes('"Client from the table"'))) continue;
			const [, from] = /^=\{\{ \$\('([^']+)'\)\.params\.connectionId\.value \}\}$/.exec(value!) ?? [];
			expect(chosen.find((one) => one.node === from)?.mode, `${node} (${mode})`).toBe('list');
		}
	});

	it('has English names in Settings, those that the other examples have for the same', () => {
		const { assignments } = (nodes.find((node) => node.name === 'Settings')?.parameters ?? {}) as {
			assignments?: { assignments: Array<{ name: string; type: string; value: string }> };
		};
		const names = (assignments?.assignments ?? []).flatMap(({ name, type, value }) => [
			name,
			...(['object', 'array'].includes(type) ? namesIn(JSON.parse(value)) : []),
		]);
		expect(names.filter((one) => !SETTINGS.has(one))).toEqual([]);
	});

	it('says how to start it, and to check each credential, because n8n fills them in', () => {
		const about = notes[0].parameters.content as string;
		const triggers = nodes.filter((node) => isTrigger(node) && !node.disabled);
		if (triggers.length > 1 && triggers.some(({ type }) => type.endsWith('.manualTrigger'))) expect(about).toContain('Pfeil neben *Execute workflow*');
		if (nodes.some(({ credentials }) => credentials)) expect(about).toContain('**Nach dem Import** jedes Credential prüfen');
	});

	it('says to publish it only if it has a trigger that n8n can publish', () => {
		const says = textsIn(notes.map(({ parameters }) => parameters.content)).join();
		if (!says.includes('*Publish*') || says.includes('*Schedule Trigger*')) return;
		expect(nodes.filter((node) => isTrigger(node) && !node.type.endsWith('.manualTrigger'))).not.toEqual([]);
	});

	// n8n 2.41 looks into a mailbox when an e-mail arrives and when it connects again, not when it publishes or starts.
	it('fetches the e-mails that were there before within ten minutes, whatever their numbers', () => {
		for (const { name: node, parameters } of nodes.filter(({ type }) => type === 'n8n-nodes-base.emailReadImap'))
			expect.soft(parameters.options, node).toMatchObject({ forceReconnect: 10, trackLastMessageId: false });
	});

	// The list has two more: its form offers the clients of the table.
	it('has at most 21 nodes besides its triggers, and no node reads one that isn’t before it', () => {
		expect(nodes.filter((node) => !isTrigger(node)).length).toBeLessThanOrEqual(name === 'list-to-cash-book' ? 23 : 21);
		const strangers = nodes.flatMap((node: INode) => {
			const known = before(node.name);
			// The parameters of a node can be read before it runs.
			const read = textsIn(node.parameters).flatMap((text) => [...text.matchAll(/\$\('([^']+)'\)(?!\.params\b)/g)].map(([, one]) => one));
			return read.filter((one) => !known.has(one)).map((one) => `${node.name} reads ${one}`);
		});
		expect(strangers).toEqual([]);
	});

	it('has no long expression, no function in one, and Code of at most 25 lines', () => {
		for (const { node, code, path } of codeIn(workflow)) {
			if (path === 'jsCode') expect.soft(code.split('\n').length, node).toBeLessThanOrEqual(25);
			else expect.soft(code.length, `${node}: ${code}`).toBeLessThanOrEqual(250);
			if (path !== 'jsCode' && !WITH_FUNCTIONS.includes(`${name}, ${node}`)) expect.soft(code, node).not.toMatch(/=>|function\s*\(/);
		}
	});
});

it('all of them hold little JavaScript: Code nodes, and expressions that compute something', () => {
	const code = EXAMPLES.flatMap(({ workflow }) => codeIn(workflow));
	const [references, programs] = partition(code, (one) => one.path !== 'jsCode' && REFERENCE.test(one.code));
	const sizeOf = (some: typeof code) => sumBy(some, ({ code: { length } }) => length);
	expect(sizeOf(programs), 'in Code nodes and expressions').toBeLessThan(LIMITS.programs);
	expect(sizeOf(references), 'in references to a value').toBeLessThan(LIMITS.references);
});

describe('each e-mail', () => {
	const emails = EXAMPLES.flatMap(({ name, workflow }) =>
		workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.emailSend').map((node) => ({ name, node, mail: node.parameters as Record<'emailFormat' | 'subject' | 'text' | 'html', string> })),
	).filter(({ node }) => !['Canary', 'Send them'].includes(node.name));

	it.each(emails)('of $name ($node.name) is a table that reads well on a phone, with its text beside', ({ mail }) => {
		expect(mail).toMatchObject({ emailFormat: 'both', text: expect.any(String), html: expect.stringMatching(/<table[ >]/) });
		expect(mail.html).not.toMatch(/width="?\d{3,}|nowrap/);
		expect(`${mail.text}${mail.html}${mail.subject}`).not.toMatch(/\(e?n\)/);
	});

	/** Of three, a node before makes the rows, which foreignText.test.mts tests; the audit log shows IDs and hashes alone. */
	const OTHERWISE = ['list-to-cash-book', 'chase-missing', 'incoming-payment', 'prove-chain'];
	it.each(emails.filter(({ name }) => !OTHERWISE.includes(name)))('of $name ($node.name) has nothing of others as HTML', ({ mail }) => {
		const values = [...mail.html.matchAll(/\{\{(.*?)\}\}/gs)].map(([, code]) => code);
		const plain = values.filter((code) => !code.includes("replaceAll('<', '&lt;')"));
		expect(plain.filter((code) => !WITHOUT_HTML.test(code.trim()))).toEqual([]);
	});
});
