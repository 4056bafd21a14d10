/** The nightly audit notices an advisory: `.ci/step audit` with a registry that reports one. */
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { NIGHTLY } from '../../scripts/base/extent.mjs';

/** A development tool that nothing else depends on. */
const TOOL = 'pnpm';

let registry: Server;
let severity: string;
/** The package that has an advisory. */
let affected: string;
/** The packages that were asked about. */
let asked: string[] = [];

beforeAll(async () => {
	const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
		devDependencies: Record<string, string>;
	};
	const advisory = () => ({
		[affected]: [
			{
				id: 1,
				url: 'https://github.com/advisories/GHSA-0000-0000-0000',
				title: 'It lets anybody in',
				severity,
				vulnerable_versions: '*',
				cwe: [],
				cvss: { score: 9.8, vectorString: null },
			},
		],
	});
	const answer = (path: string, packages: string[]) => {
		if (path === '/-/npm/v1/security/advisories/bulk') return packages.includes(affected) ? advisory() : {};
		const version = devDependencies[affected];
		return {
			name: affected,
			'dist-tags': { latest: version },
			versions: { [version]: { name: affected, version } },
		};
	};
	registry = createServer((request, response) => {
		void buffer(request).then((body) => {
			const packages = body.length
				? Object.keys(JSON.parse(gunzipSync(body).toString()) as Record<string, unknown>)
				: [];
			asked.push(...packages);
			response.end(JSON.stringify(answer(request.url!, packages)));
		});
	}).listen(0, '127.0.0.1');
	await once(registry, 'listening');
});
afterAll(() => registry.close());

async function audit(reported: string, about = TOOL) {
	severity = reported;
	affected = about;
	asked = [];
	return await execa('bash', ['.ci/step', 'audit'], {
		env: {
			npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
			// npm keeps what it knows of an advisory.
			npm_config_cache: await mkdtemp(join(tmpdir(), 'npm-')),
		},
		reject: false,
		all: true,
	});
}

describe.runIf(NIGHTLY)('the audit', () => {
	it('fails when a tool has a critical advisory', async () => {
		const { exitCode, all } = await audit('critical');
		expect([exitCode, all]).toEqual([1, expect.stringContaining('GHSA-0000-0000-0000')]);
	});

	it.each(['saxes', 'pako'])(
		'fails on any advisory about %s, which is bundled into the package',
		async (library) => {
			const { exitCode, all } = await audit('moderate', library);
			expect([exitCode, all]).toEqual([
				1,
				expect.stringContaining(`${library}, which is bundled into the package`),
			]);
		},
	);

	it('passes with one that can wait', async () => {
		const { exitCode, all } = await audit('moderate');
		expect([exitCode, all]).toEqual([0, expect.stringContaining('No severe advisory')]);
		expect(asked).toContain(TOOL);
	});
});
