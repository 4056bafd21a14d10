/**
 * The official rules of EN 16931 as a judge: the artifacts of CEN/TC 434 (a clone of ConnectingEurope/eInvoicing-EN16931), run by Saxon
 * (Debian's `libsaxonhe-java`). Neither is a part of this repository or of the package.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import range from 'lodash/range.js';

const SAXON = process.env.SAXON ?? '/usr/share/java/Saxon-HE.jar';
const STYLESHEETS = {
	ubl: 'ubl/xslt/EN16931-UBL-validation.xslt',
	cii: 'cii/xslt/EN16931-CII-validation.xslt',
};

/**
 * Rules about arithmetic and tax categories, and the tax in the accounting currency; the others are about what must be there, code lists
 * and decimals.
 */
const ARITHMETIC = /^BR-(?:53|CO-1[0-8]|CL-17|(?:S|Z|E|AE|IC|G|O|B|IG|IP|AF|AG)-\d+)$/;

export const isArithmeticRule = (id: string): boolean => ARITHMETIC.test(id);

/** Names of rules in a sentence, but for `BR-53`: `BR-CO-15`, `BR-AE-05, -09`, `BR-O-11 to -14`. */
const NAMES = /BR-([A-Z]{1,2})-(\d\d)(?: to -\d\d)?(?:, -\d\d)*/g;

/** The rules of arithmetic and tax category that the package's sentences name. */
export function rulesIn(sentences: readonly string[]): string[] {
	const told = sentences.flatMap((sentence) => {
		// There is one total of the tax, in the invoice's currency.
		if (/in the invoice, the tax is (?:given as|in) /.test(sentence)) return ['BR-CO-15'];
		if (sentence.includes('BR-53')) return ['BR-53'];
		return [...sentence.matchAll(NAMES)].flatMap(([name, family, first]) => {
			const last = / to -(?<last>\d\d)/.exec(name)?.groups?.last ?? first;
			const more = [...name.matchAll(/, -(?<number>\d\d)/g)].map(({ groups }) => Number(groups?.number));
			return [...range(Number(first), Number(last) + 1), ...more].map(
				(number) => `BR-${family}-${String(number).padStart(2, '0')}`,
			);
		});
	});
	return [...new Set(told)].filter(isArithmeticRule).sort();
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
 * @returns the broken rules of arithmetic and tax category of each invoice; none for what isn't UBL 2.1 or CII
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
				const ids = broken.map(({ groups }) => groups!.id).filter(isArithmeticRule);
				result[Number.parseInt(name)] = [...new Set(ids)].sort();
			}
		}
	} finally {
		await rm(folder, { recursive: true });
	}
	return result;
}
