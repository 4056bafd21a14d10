// Rules for everything that isn't published (sandbox, tests, host, scripts). The published code has n8n's own rules in
// eslint.config.mjs in the root, which must stay unchanged for n8n's strict mode.
import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['**/node_modules/', 'dist/', 'tmp/', '.n8n/'] },
	{
		files: ['**/*.mts'],
		extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { project: './tsconfig.tools.json' } },
		rules: {
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
			// Answers of HTTP calls are `any`, and tests read them everywhere.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
			// Tests destructure functions that are declared as methods but don't use `this`.
			'@typescript-eslint/unbound-method': 'off',
		},
	},
	{
		// Foreign data must not block n8n: a regular expression that backtracks takes quadratic time for a text, or
		// worse. This rule also covers the published code, because n8n's own rules lack it.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	{
		files: ['**/*.mjs', 'gulpfile.js'],
		extends: [js.configs.recommended],
		languageOptions: {
			globals: {
				console: 'readonly',
				process: 'readonly',
				require: 'readonly',
				exports: 'writable',
				setTimeout: 'readonly',
				setInterval: 'readonly',
				clearInterval: 'readonly',
				clearTimeout: 'readonly',
				AbortController: 'readonly',
				AbortSignal: 'readonly',
				URL: 'readonly',
			},
		},
	},
);
