/**
 * `bash .ci/step audit`: fails on any advisory about a library that is bundled into the package, whatever its severity, and on
 * severe ones about the other development dependencies, which all are to npm.
 */
import { execa } from 'execa';

import { bundledPackages } from '../build/bundle.mjs';
import { explainFailures, ROOT, UserError } from '../base/processes.mjs';

/**
 * Advisories about development tools that can wait, by their address: why, and until when.
 * @example 'https://github.com/advisories/GHSA-…': { why: 'only reached by …, which no test gives foreign data', until: '2027-01-31' }
 */
const CAN_WAIT: Record<string, { why: string; until: string }> = {};

interface Advisory {
	title: string;
	url: string;
	severity: string;
}

/** What `npm audit` reports about a package. `via` holds its own advisories, and the names of packages that bring theirs. */
interface Vulnerability {
	name: string;
	via: Array<string | Advisory>;
}

explainFailures();
const { stdout } = await execa('npm', ['audit', '--json'], { cwd: ROOT, reject: false });
const { vulnerabilities } = JSON.parse(stdout) as { vulnerabilities?: Record<string, Vulnerability> };
if (!vulnerabilities) throw new UserError(`npm's registry gave no report:\n${stdout}`);
const bundled = (await bundledPackages()).map(({ name }) => name);
const today = new Date().toISOString();
const problems = Object.values(vulnerabilities).flatMap(({ name, via }) =>
	via.flatMap((one) => {
		const text = typeof one === 'string' ? `by ${one}` : `${one.severity}: ${one.title}, ${one.url}`;
		if (bundled.includes(name)) return `${name}, which is bundled into the package: ${text}`;
		const isSevere = typeof one === 'object' && /high|critical/.test(one.severity);
		return isSevere && !(today < (CAN_WAIT[one.url]?.until ?? ''))
			? `${name}, a development tool: ${text}`
			: [];
	}),
);
if (problems.length > 0) throw new UserError(`Advisories that can't wait:\n${problems.join('\n')}`);
console.log(`No severe advisory, and none about what is bundled: ${bundled.join(', ')}`);
