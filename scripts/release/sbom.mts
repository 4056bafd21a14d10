/** `npm run --silent sbom`: the bill of materials (CycloneDX) of what is published. */
import { execa } from 'execa';

import { ROOT } from '../shared/processes.mjs';

const { stdout } = await execa(
	'npm',
	['sbom', '--package-lock-only', '--omit=dev', '--omit=peer', '--sbom-format=cyclonedx'],
	{ cwd: ROOT },
);
const sbom = JSON.parse(stdout) as { metadata: { component: { name: string; properties?: unknown } } };
const { component } = sbom.metadata;
// npm names the component after the folder.
component.name = process.env.npm_package_name!;
// "private": what is published isn't.
delete component.properties;
console.log(JSON.stringify(sbom, null, 2));
