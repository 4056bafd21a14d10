/**
 * `npm run scan`: the checks of n8n's own scanner (`npx @n8n/scan-community-package`) on the package as it would be
 * published, and on the sources, which n8n finds through the package's provenance. The scanner's command line accepts
 * only published packages; what needs the registry (the provenance itself) isn't checked here.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { packPackage } from '../../host/package.mjs';
import { explainFailures, ROOT, UserError } from '../base/processes.mjs';

interface Verdict {
	passed: boolean;
	message?: string;
	details?: string;
}

interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage: (folder: string, patterns?: string[]) => Promise<Verdict>;
}

explainFailures();
const scanner = join(ROOT, 'node_modules/@n8n/scan-community-package/scanner/scanner.mjs');
const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(pathToFileURL(scanner).href)) as Scanner;

const folder = await mkdtemp(join(tmpdir(), 'scan-'));
try {
	await execa('tar', ['-xzf', await packPackage(folder), '-C', folder]);
	report('published package', await analyzePackage(join(folder, 'package')));

	const sources = join(folder, 'sources');
	for (const part of ['package.json', 'nodes', 'credentials', 'icons', 'tsconfig.json', 'api']) {
		await cp(join(ROOT, part), join(sources, part), { recursive: true });
	}
	report('sources', await analyzePackage(sources, SOURCE_FILE_PATTERNS));
} finally {
	await rm(folder, { recursive: true, force: true });
}

function report(what: string, { passed, message, details }: Verdict): void {
	if (!passed) throw new UserError(`n8n's scan of the ${what} failed. ${message ?? ''}\n${details ?? ''}`);
	console.log(`n8n's scan of the ${what} passed.`);
}
