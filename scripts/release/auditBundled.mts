/**
 * `npx tsx scripts/release/auditBundled.mts`: fails on any advisory about a library that is bundled into the package, whatever its
 * severity: to npm, these libraries are only development dependencies.
 */
import { execa } from 'execa';

import { bundledPackages } from '../build/bundle.mjs';
import { explainFailures, ROOT, UserError } from '../../tools/processes.mjs';

/** What `npm audit` reports about a package. `via` holds its own advisories, and the names of packages that bring theirs. */
interface Vulnerability {
	name: string;
	severity: string;
	via: Array<string | { title: string; url: string }>;
}

explainFailures();
const { stdout } = await execa('npm', ['audit', '--json'], { cwd: ROOT, reject: false });
const { vulnerabilities } = JSON.parse(stdout) as { vulnerabilities?: Record<string, Vulnerability> };
if (!vulnerabilities) throw new UserError(`npm's registry gave no report:\n${stdout}`);
const bundled = (await bundledPackages()).map(({ name }) => name);
const found = Object.values(vulnerabilities).filter(({ name }) => bundled.includes(name));
for (const { name, severity, via } of found) {
	const why = via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title}, ${one.url}`));
	console.error(
		`${name}, which is bundled into the package, has an advisory (${severity}): ${why.join('; ')}`,
	);
}
if (found.length > 0) process.exitCode = 1;
else console.log(`No advisory about what is bundled: ${bundled.join(', ')}`);
