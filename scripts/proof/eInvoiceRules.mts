/**
 * The official rules of EN 16931 as a judge: the artifacts of CEN/TC 434 (a clone of ConnectingEurope/eInvoicing-EN16931), run by Saxon
 * (Debian's `libsaxonhe-java`). Neither is a part of this repository or of the package.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const SAXON = process.env.SAXON ?? '/usr/share/java/Saxon-HE.jar';
const STYLESHEETS = {
	ubl: 'ubl/xslt/EN16931-UBL-validation.xslt',
	cii: 'cii/xslt/EN16931-CII-validation.xslt',
};

/** A test of CEN's: an invoice, or a part of one, and rules that it breaks or keeps. */
export interface OfficialTest {
	name: string;
	xml: string;
	breaks: string[];
	keeps: string[];
}

/** The tests that CEN's rules come with: sets of them in files of XML. */
export async function officialTests(rules: string): Promise<OfficialTest[]> {
	const folder = join(rules, 'test');
	const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.xml')).sort();
	const sets = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
	return sets.flatMap((set, i) =>
		[...set.matchAll(/<test>[^]*?<\/test>/g)].map(([test], j) => {
			const named = (what: string) =>
				[...test.matchAll(new RegExp(`<${what}[^>]*>\\s*(?<id>[\\w-]+)`, 'g'))].map(
					({ groups }) => groups!.id,
				);
			return {
				name: `${names[i]} #${j + 1}`,
				xml:
					/<(?<root>Invoice|CreditNote|\w+:CrossIndustryInvoice)\s[^>]*xmlns[^]*?<\/\k<root>>/.exec(
						test,
					)?.[0] ?? '',
				breaks: named('error'),
				keeps: named('success'),
			};
		}),
	);
}

const syntaxOf = (xml: string): keyof typeof STYLESHEETS | undefined =>
	/ubl:schema:xsd:(?:Invoice|CreditNote)-2/.test(xml)
		? 'ubl'
		: /CrossIndustryInvoice:100/.test(xml)
			? 'cii'
			: undefined;

/**
 * @param rules the folder of the artifacts
 * @param xmls invoices
 * @returns the broken rules of each invoice; none for what isn't UBL 2.1 or CII
 */
export async function brokenRules(
	rules: string,
	xmls: readonly string[],
): Promise<Array<string[] | undefined>> {
	const folder = await mkdtemp(join(tmpdir(), 'rules-'));
	const result: Array<string[] | undefined> = xmls.map(() => undefined);
	try {
		for (const [syntax, stylesheet] of Object.entries(STYLESHEETS)) {
			const [input, output] = [join(folder, syntax), join(folder, `${syntax}-out`)];
			await mkdir(input);
			await mkdir(output);
			for (const [i, xml] of xmls.entries())
				if (syntaxOf(xml) === syntax)
					await writeFile(join(input, `${i}.xml`), xml.replace(/^<\?xml[^>]*\?>/, ''));
			if ((await readdir(input)).length === 0) continue;
			const options = [`-s:${input}`, `-o:${output}`, `-xsl:${join(rules, stylesheet)}`];
			await execa('java', ['-cp', SAXON, 'net.sf.saxon.Transform', ...options], { reject: false });
			for (const name of await readdir(output)) {
				const report = await readFile(join(output, name), 'utf8');
				const broken = [...report.matchAll(/<svrl:failed-assert[^>]*?\sid="(?<id>[^"]+)"/gs)];
				const ids = broken.map(({ groups }) => groups!.id);
				result[Number.parseInt(name)] = [...new Set(ids)].sort();
			}
		}
	} finally {
		await rm(folder, { recursive: true });
	}
	return result;
}
