/** Scripts that a maintainer runs. */
import { execa } from 'execa';
import { expect, it } from 'vitest';

it.each([
	['scripts/versions/versions.mts', '99.0.0', 'npm’s registry doesn’t serve n8n@99.0.0.'],
	['scripts/release/publisher.mts', '', 'Usage: npm run publisher -- '],
])('a failure of %s %s says what happened, without a stack: %s', async (script, argument, sentence) => {
	const { exitCode, stderr } = await execa('node', ['--import', 'tsx', script, argument].filter(Boolean), {
		env: { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' },
		reject: false,
	});
	expect([exitCode, stderr.slice(0, sentence.length)]).toEqual([1, sentence]);
	expect(stderr).not.toMatch(/^ {4}at |Node\.js v/m);
});
