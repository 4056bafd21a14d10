/** The settings of a Compose file in deploy/, for an n8n without Docker. */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/**
 * The settings of a service in a Compose file.
 * @param variables of `.env`; others have their default in the file, or any value where they have none
 */
export async function composeEnvironment(
	file: string,
	service: string,
	variables: Record<string, string> = {},
): Promise<Record<string, string>> {
	const { services } = parse(await readFile(file, 'utf8'), { merge: true }) as {
		services: Record<string, { environment: Record<string, unknown> }>;
	};
	const value = (text: string) =>
		text.replace(
			/\$\{(\w+):(?:-(.*?)|\?.*?)\}/g,
			(_, name: string, initial = 'any') => variables[name] ?? initial,
		);
	return Object.fromEntries(
		Object.entries(services[service].environment).map(([name, setting]) => [name, value(String(setting))]),
	);
}
