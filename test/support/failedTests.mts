/** Ends Vitest's output with what a newcomer needs of each failed test: its file, what is wrong, and the command that runs it alone. */
import type { Reporter, TestModule } from 'vitest/node';

/** More than these are one cause; the first ones suffice. */
const SHOWN = 10;

/** The first line of a message, which may go on with each line that was expected. */
const sentence = (errors: ReadonlyArray<{ message?: string }> = []) =>
	(errors[0]?.message ?? 'It failed without an error.').split(/\n| \/\/ Object/)[0];

/** The command for a file or, by its name, one of its tests. */
function command(file: string, name?: string): string {
	const script = file.endsWith('.e2e.mts') ? 'run test:e2e' : 'test';
	// Vitest reads the name as a regular expression, and a shell some of its characters.
	const pattern = name && ` -t "${name.replaceAll(' > ', ' ').replace(/[^\p{L}\p{N} ,:-]/gu, '.')}"`;
	return `npm ${script} -- ${file}${pattern ?? ''}`;
}

function failuresOf(module: TestModule): string[] {
	const { relativeModuleId: file } = module;
	const ofFile = module.errors();
	if (ofFile.length > 0) return [`${file}\n  ${sentence(ofFile)}\n  ${command(file)}`];
	return [...module.children.allTests('failed')].map(
		(test) =>
			`${file}: ${test.fullName}\n  ${sentence(test.result().errors)}\n  ${command(file, test.fullName)}`,
	);
}

export default class FailedTests implements Reporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		const failures = modules.flatMap(failuresOf);
		if (failures.length === 0) return;
		const more = failures.length - SHOWN;
		console.error(`What failed, what is wrong, and how to run it alone:\n`);
		console.error(failures.slice(0, SHOWN).join('\n\n'));
		if (more > 0) console.error(`\nand ${more} more`);
	}
}
