/**
 * `npm run release -- <version> | patch | minor | major [--dry-run]`: checks everything, sets the version, dates the section of
 * CHANGELOG.md, and pushes the commit with a tag that has this section. The workflow publish.yml then publishes it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';

import { explainFailures, ROOT, UserError } from '../base/processes.mjs';
import { dateUnreleased, sectionOf } from './changelog.mjs';

const CHECKS = ['publisher -- --check', 'lint', 'test', 'test:tools', 'scan'];

const git = async (...args: string[]) => (await execa('git', args, { cwd: ROOT })).stdout;

/** @param wanted a version, or which of its numbers to raise */
function nextVersion(current: string, wanted = ''): string {
	if (/^\d+\.\d+\.\d+$/.test(wanted)) return wanted;
	const raised = ['major', 'minor', 'patch'].indexOf(wanted);
	if (raised < 0)
		throw new UserError('Usage: npm run release -- <version> | patch | minor | major [--dry-run]');
	const numbers = current.split('.').map(Number);
	return numbers.map((number, i) => (i < raised ? number : i === raised ? number + 1 : 0)).join('.');
}

explainFailures();
const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { 'dry-run': { type: 'boolean', default: false } },
});
const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const version = nextVersion(manifest.version, positionals[0]);
if ((await git('branch', '--show-current')) !== 'main') throw new UserError('A release is made of main.');
if (await git('status', '--porcelain')) throw new UserError('Commit or stash your changes first.');
if (await git('tag', '--list', `v${version}`)) throw new UserError(`v${version} is released already.`);
const section = await sectionOf('[Unreleased]');
for (const check of CHECKS) {
	const { failed } = await execa('npm', ['run', ...check.split(' ')], {
		cwd: ROOT,
		stdio: 'inherit',
		reject: false,
	});
	if (failed) throw new UserError(`Not released: npm run ${check} failed.`);
}
if (values['dry-run']) console.log(`Would release ${version}:\n\n${section}`);
else {
	await execa('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], { cwd: ROOT });
	await dateUnreleased(version, new Date().toLocaleDateString('sv'));
	await git('commit', '--all', '--message', `Release ${version}`);
	const message = `Release ${version}\n\n${section}`;
	await git('tag', '--annotate', `v${version}`, '--cleanup=whitespace', '--message', message);
	// Both or neither.
	await git('push', '--atomic', 'origin', 'main', `v${version}`);
	console.log(`Released ${version}: the workflow publish.yml publishes it.`);
}
