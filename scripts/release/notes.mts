/**
 * `npx tsx scripts/release/notes.mts <tarball>`: the notes of a release, for GitHub: the section of CHANGELOG.md for
 * the version, and the checksum of the published file.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { explainFailures, ROOT, UserError } from '../../tools/processes.mjs';

/**
 * The section of a version, without its heading.
 * @param changelog in the format of keepachangelog.com
 */
function sectionOf(changelog: string, version: string): string {
	const [, ...sections] = changelog.split(/^## \[/m);
	const section = sections.find((one) => one.startsWith(`${version}] - `));
	const text = section?.slice(section.indexOf('\n')).trim();
	if (!text) throw new UserError(`CHANGELOG.md has no dated section for ${version} with any content.`);
	return text;
}

explainFailures();
const [, , tarball] = process.argv;
const { name, version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
	name: string;
	version: string;
};
const content = await readFile(tarball);
const sha512 = (encoding: 'hex' | 'base64') => createHash('sha512').update(content).digest(encoding);
console.log(`${sectionOf(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'), version)}

### Checksum

\`${basename(tarball)}\`, SHA-512: \`${sha512('hex')}\`

As npm and n8n write it (\`npm view ${name}@${version} dist.integrity\`): \`sha512-${sha512('base64')}\`
`);
