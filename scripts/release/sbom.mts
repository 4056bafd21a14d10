/** `npm run --silent sbom`: the bill of materials (CycloneDX) of the package and the libraries bundled into it. */
import { execa } from 'execa';

import { bundledPackages } from '../build/bundle.mjs';
import { ROOT } from '../base/processes.mjs';

interface Component {
	'bom-ref': string;
	name: string;
	properties?: unknown;
}

interface Bom {
	metadata: { component: Component };
	components: Component[];
	dependencies: Array<{ ref: string; dependsOn: string[] }>;
}

// npm also reports development dependencies, among them the bundled libraries with their licenses and hashes.
const { stdout } = await execa(
	'npm',
	['sbom', '--package-lock-only', '--omit=peer', '--sbom-format=cyclonedx'],
	{ cwd: ROOT },
);
const sbom = JSON.parse(stdout) as Bom;
const bundled = (await bundledPackages()).map(({ name, version }) => `${name}@${version}`);

const { component } = sbom.metadata;
// npm uses the folder's name for the component, so the package's name replaces it.
component.name = process.env.npm_package_name!;
sbom.components = sbom.components.filter((one) => bundled.includes(one['bom-ref']));
sbom.dependencies = [
	{ ref: component['bom-ref'], dependsOn: bundled },
	...sbom.dependencies
		.filter(({ ref }) => bundled.includes(ref))
		.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => bundled.includes(one)) })),
];
// npm's properties "private" and "development" don't apply to the published package.
for (const one of [component, ...sbom.components]) delete one.properties;
console.log(JSON.stringify(sbom, null, 2));
