// Rules for everything that is not published (sandbox, tests, host, scripts). The published code has n8n's own
// rules in eslint.config.mjs, which n8n's strict mode wants untouched.
import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['**/node_modules/', 'dist/', 'coverage/', 'tmp/', '.n8n/'] },
	{
		files: ['**/*.mts'],
		extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { project: './tsconfig.tools.json' } },
		rules: {
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
			// Answers of HTTP calls are `any`; tests look into them all the time.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
		},
	},
	{
		// What others send must not stop n8n: a pattern that backtracks takes time with the square of a text's length, or
		// worse. The published code has this rule here, too, as n8n's own rules don't.
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
				__dirname: 'readonly',
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
