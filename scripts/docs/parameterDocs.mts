/**
 * Writes docs/parameters.md: every parameter of every operation, from the declarations that the forms are made from.
 * `npm run build` does this, so the page can't differ from the nodes.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { INodeProperties, INodePropertyMode, INodePropertyRegexValidation } from 'n8n-workflow';

import type { Operation } from '../../nodes/shared/operation.js';
import { parametersOf } from '../../nodes/shared/form/properties.js';
import { PRESENT } from '../../nodes/shared/parameters/locator.js';
import { propertyOf } from '../../nodes/shared/parameters/parameter.js';
import { actionNodes } from '../build/previews.mjs';
import { ROOT } from '../shared/processes.mjs';

const INTRODUCTION = `# Parameters

Every parameter of every operation: its name in the form, the name that the gateway and saved workflows use for it, and what it is for. Fields of a collection or a line are listed below it. \`npm run build\` writes this page from the nodes.`;

/** "AccountingGatewayDelivery" → "Accounting Gateway Delivery" */
const titleOf = (folder: string) => folder.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** The page as Markdown. */
async function parametersPage(): Promise<string> {
	const sections = (await actionNodes()).flatMap(({ folder, resources }) => [
		`## ${titleOf(folder)}`,
		...resources.flatMap(({ name, operations }) =>
			operations.map((operation) => `### ${name}: ${operation.name}\n\n${tableOf(operation)}`),
		),
	]);
	return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

function tableOf(operation: Operation): string {
	const properties = Object.entries(parametersOf(operation)).map(propertyOf);
	const rows = properties.flatMap((property) => rowsOf(property, ''));
	const head = '| In the form | Parameter | Required | What it is for |\n|---|---|---|---|';
	return `${operation.description}.\n\n${[head, ...rows].join('\n')}`;
}

/** A property's row, and the rows of its members. @param path where it is, e.g. `additionalFields.` */
function rowsOf(property: INodeProperties, path: string): string[] {
	const { displayName, name, type, description = '', hint, options = [] } = property;
	if (type === 'notice') return [];
	const inner = options.flatMap((option) => ('values' in option ? option.values : []));
	const members = type === 'collection' ? (options as INodeProperties[]) : inner;
	const texts = [description, hint].filter(Boolean).map((text) => `${text!.replace(/\.$/, '')}.`);
	const cells = [displayName, `\`${path}${name}\``, requirementOf(property), texts.join(' ')];
	return [
		`| ${cells.map(plain).join(' | ')} |`,
		...members.flatMap((member) => rowsOf(member, `${path}${name}.`)),
	];
}

/** n8n's own check has one answer for all modes of a locator, so some locators have their own check in each mode. */
function requirementOf({ required, modes = [] }: INodeProperties): string {
	if (required) return 'yes';
	const optional = modes.filter(({ validation = [] }) => !validation.some(isPresence));
	const names = optional.map(({ displayName }) => `_${displayName}_`).join(', ');
	return optional.length < modes.length ? `yes, except for ${names}` : '';
}

type Validation = NonNullable<INodePropertyMode['validation']>[number];
const isPresence = (one: Validation) => (one as INodePropertyRegexValidation).properties.regex === PRESENT;

/** A text in a table cell: links in Markdown, no line breaks, no extra cells. */
const plain = (text: string) =>
	text
		.replace(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '[$2]($1)')
		.replace(/\s+/g, ' ')
		.replace(/\|/g, '\\|');

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
	await writeFile(join(ROOT, 'docs/parameters.md'), await parametersPage());
}
