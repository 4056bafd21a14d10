/**
 * `npx tsx scripts/release/notes.mts <tarball>`: the notes of a release, for GitHub: the section of CHANGELOG.md for
 * the version, and the checksum of the published file.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { explainFailures, ROOT } from '../base/processes.mjs';
import { sectionOf } from './changelog.mjs';

explainFailures();
const [, , tarball] = process.argv;
const { name, version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
	name: string;
	version: string;
};
const content = await readFile(tarball);
const sha512 = (encoding: 'hex' | 'base64') => createHash('sha512').update(content).digest(encoding);
console.log(`${await sectionOf(`[${version}] - `)}

### Checksum

\`${basename(tarball)}\`, SHA-512: \`${sha512('hex')}\`

As npm and n8n write it (\`npm view ${name}@${version} dist.integrity\`): \`sha512-${sha512('base64')}\`
`);
