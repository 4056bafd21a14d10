/** `npm run --silent sbom`: the bill of materials (CycloneDX) of what is published: the package, and what is bundled into it. */
import { execa } from 'execa';

import { bundledPackages } from '../build/bundle.mjs';
import { ROOT } from '../shared/processes.mjs';

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

// The bundled libraries are development dependencies, whose licenses and hashes npm knows.
const { stdout } = await execa(
	'npm',
	['sbom', '--package-lock-only', '--omit=peer', '--sbom-format=cyclonedx'],
	{ cwd: ROOT },
);
const sbom = JSON.parse(stdout) as Bom;
const bundled = (await bundledPackages()).map(({ name, version }) => `${name}@${version}`);

const { component } = sbom.metadata;
// npm names the component after the folder.
component.name = process.env.npm_package_name!;
sbom.components = sbom.components.filter((one) => bundled.includes(one['bom-ref']));
sbom.dependencies = [
	{ ref: component['bom-ref'], dependsOn: bundled },
	...sbom.dependencies
		.filter(({ ref }) => bundled.includes(ref))
		.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => bundled.includes(one)) })),
];
// "private" and "development" don't apply to what is published.
for (const one of [component, ...sbom.components]) delete one.properties;
console.log(JSON.stringify(sbom, null, 2));
