/** CHANGELOG.md, in the format of keepachangelog.com. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT, UserError } from '../base/processes.mjs';

const FILE = join(ROOT, 'CHANGELOG.md');

/**
 * The content of a section.
 * @param heading how the section's heading begins, e.g. `[Unreleased]`
 */
export async function sectionOf(heading: string): Promise<string> {
	const [, ...sections] = (await readFile(FILE, 'utf8')).split(/^## /m);
	const section = sections.find((one) => one.startsWith(heading));
	const text = section?.slice(section.indexOf('\n')).trim();
	if (!text) throw new UserError(`CHANGELOG.md has no section "${heading}" with any content.`);
	return text;
}

/** Makes the section of a version of what isn't released. */
export async function dateUnreleased(version: string, date: string): Promise<void> {
	const text = await readFile(FILE, 'utf8');
	await writeFile(FILE, text.replace(/^## \[Unreleased\]\n/m, `$&\n## [${version}] - ${date}\n`));
}
