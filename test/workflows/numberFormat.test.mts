/** The Code node that gives the amounts of an Excel file their number format, without n8n. */
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';

import { readExamples } from '../../scripts/start/examples.mjs';

/** A part of a zip: its name, its text, and 8 if it is compressed. */
type Part = [name: string, text: string, method?: number];

/** An archive as spreadsheet libraries write it: for each part a header and its bytes, and the directory at the end. */
function zip(parts: Part[]): Buffer {
	const bodies: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [name, text, method = 0] of parts) {
		const data = Buffer.from(text);
		const both = Buffer.alloc(22);
		both.writeUInt16LE(method, 4);
		both.writeUInt32LE(crc32(data), 10);
		both.writeUInt32LE(data.length, 14);
		both.writeUInt32LE(data.length, 18);
		const lengths = Buffer.from([name.length, 0, 0, 0]);
		bodies.push(Buffer.from('PK\x03\x04', 'latin1'), both, lengths, Buffer.from(name), data);
		const place = Buffer.alloc(14);
		place.writeUInt32LE(offset, 10);
		directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), both, lengths, place, Buffer.from(name));
		offset += 30 + name.length + data.length;
	}
	return Buffer.concat([...bodies, ...directory]);
}

/** Runs the node's code as n8n does. */
async function formatted(file: Buffer): Promise<Buffer> {
	const { workflow } = (await readExamples()).find(({ name }) => name === 'trial-balance')!;
	const { jsCode } = workflow.nodes.find(({ name }) => name === 'Number format')!.parameters as { jsCode: string };
	const AsyncFunction = (async () => await Promise.resolve()).constructor as FunctionConstructor;
	const run = new AsyncFunction('$input', jsCode) as (this: object, input: object) => Promise<unknown>;
	const helpers = {
		getBinaryDataBuffer: async () => await Promise.resolve(Buffer.from(file)),
		prepareBinaryData: async (...given: unknown[]) => await Promise.resolve(given),
	};
	const data = { fileName: 'SuSa.xlsx', mimeType: 'application/xlsx' };
	const [item] = (await run.call({ helpers }, { first: () => ({ binary: { data } }) })) as [
		{ binary: { data: [Buffer, string, string] } },
	];
	const [made, ...named] = item.binary.data;
	expect(named).toEqual(['SuSa.xlsx', 'application/xlsx']);
	return made;
}

const SHEET: Part = ['xl/worksheets/sheet1.xml', '<c r="A1"><v>1234.5</v></c><!-- <xf numFmtId="0" -->'];
const styles = (format: number) => `<cellXfs count="1"><xf numFmtId="${format}" fontId="0"/></cellXfs><!-- ä -->`;

it('makes the format General that with two decimals, and changes nothing else', async () => {
	const made = await formatted(zip([SHEET, ['xl/styles.xml', styles(0)], ['xl/workbook.xml', '<workbook/>']]));
	expect(made.equals(zip([SHEET, ['xl/styles.xml', styles(4)], ['xl/workbook.xml', '<workbook/>']]))).toBe(true);
});

it.each<[string, Part[]]>([
	['compressed', [['xl/styles.xml', styles(0), 8]]],
	['without styles', [SHEET]],
	['with other styles', [['xl/styles.xml', styles(14)]]],
])('says so of a file %s', async (_what, parts) => {
	await expect(formatted(zip(parts))).rejects.toThrow(/styles/);
});
