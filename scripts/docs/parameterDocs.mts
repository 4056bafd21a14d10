/**
 * Writes docs/parameters.md: every parameter of every operation, from the declarations that the forms are made from; and the previews of
 * their outputs. `npm run build` runs this, so that both always match the nodes: in one process, because loading them takes longest.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import lodash from 'lodash';
import type { INodeProperties, INodePropertyMode, INodePropertyRegexValidation } from 'n8n-workflow';

import type { Operation } from '../../nodes/shared/operation.js';
import { parametersOf } from '../../nodes/shared/form/properties.js';
import { NOT_EMPTY } from '../../nodes/shared/parameters/kinds/locator.js';
import { propertyOf } from '../../nodes/shared/parameters/parameter.js';
import { actionNodes, writePreviews } from '../build/previews.mjs';
import { ROOT } from '../base/processes.mjs';

const INTRODUCTION = `# Parameters

Look up here what a field is called in the form, by which name the gateway and saved workflows know it, and what it is for; the form says more. A field of a collection or a line has its name in front. What an entry may look like: [Numbers, dates, output, options](values.md). \`npm run build\` writes this page from the nodes.`;

const SHARED = `## What several operations have

Writes have _Dry Run_, and the accounting areas _Source_ and the two options about credits. All that is sent has a _Timeout_.`;

/** A field that at least this many operations share is described once. */
const SEVERAL = 2;

/** Common parameters, which the page's introduction names instead of each operation. */
const OF_COURSE =
	/^(simple|toolOutput|toolFields|options\.(timeout|dryRun|includeCredits|minimumCredits|quelle))$/;

interface Field {
	/** Name of the parameter, e.g. `additionalFields.companyId`. */
	name: string;
	text: string;
}

/** "AccountingGatewayDelivery" → "Accounting Gateway Delivery" */
const titleOf = (folder: string) => folder.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** The page as Markdown. */
async function parametersPage(): Promise<string> {
	const nodes = await actionNodes();
	const all = nodes.flatMap(({ resources }) =>
		resources.flatMap(({ operations }) => operations.flatMap(fieldsIn)),
	);
	const timesByText = lodash.countBy(all, 'text');
	const isShared = ({ text }: Field) => timesByText[text] >= SEVERAL;
	const shared = lodash.sortBy(lodash.uniqBy(all.filter(isShared), 'text'), ({ name }) =>
		OF_COURSE.test(name),
	);
	const sections = nodes.flatMap(({ folder, resources }) => [
		`## ${titleOf(folder)}`,
		...resources.flatMap(({ name, operations }) =>
			operations.map((operation) =>
				[`### ${name}: ${operation.name}`, ...contentOf(operation, isShared)].join('\n\n'),
			),
		),
	]);
	return `${[INTRODUCTION, SHARED, listOf(shared), ...sections].join('\n\n')}\n`;
}

/** An operation's description, its own parameters, and the names of the shared ones, which are described above. */
function contentOf(operation: Operation, isShared: (field: Field) => boolean): string[] {
	const [shared, own] = lodash.partition(fieldsIn(operation), isShared);
	const named = shared.filter(({ name }) => !OF_COURSE.test(name)).map(({ name }) => `\`${name}\``);
	return [
		asSentence(operation.description),
		...(own.length > 0 ? [listOf(own)] : []),
		...(named.length > 0 ? [`See above: ${named.join(', ')}.`] : []),
	];
}

const listOf = (fields: Field[]) => fields.map(({ text }) => `- ${text}`).join('\n');

const fieldsIn = (operation: Operation) =>
	Object.entries(parametersOf(operation))
		.map(propertyOf)
		.flatMap((property) => fieldsOf(property, ''));

const asSentence = (text: string) => `${text.replace(/\.$/, '')}.`;

/** The first sentence; the form shows the rest. The period of "e.g." doesn't end a sentence. */
const firstSentence = (text: string) => text && asSentence(text.split(/(?<=[^.]{3}\.)\s+(?=\p{Lu})/u)[0]);

/** Leaves out the gateway's name of a field, which stands in front of its description anyway. */
const withoutName = (text: string, name: string) =>
	text.replace(new RegExp(` \\(${name}(, |\\))`, 'i'), (_, end) => (end === ')' ? '' : ' ('));

/** A property, and its members. @param path prefix of its name, e.g. `additionalFields.` */
function fieldsOf(property: INodeProperties, path: string): Field[] {
	const { displayName, name, type, description = '', options = [] } = property;
	if (type === 'notice' || type === 'hidden') return [];
	const inner = options.flatMap((option) => ('values' in option ? option.values : []));
	const members = type === 'collection' ? (options as INodeProperties[]) : inner;
	const title = `**${displayName}** \`${path}${name}\`${requirementOf(property)}`;
	const text = plain(`${title}: ${withoutName(firstSentence(description), name)}`);
	// A collection has no line of its own, because its members' names include its name.
	const isPlain = type !== 'collection' || members.length === 0;
	return [
		...(isPlain ? [{ name: path + name, text }] : []),
		...members.flatMap((member) => fieldsOf(member, `${path}${name}.`)),
	];
}

/** Whether a field is required. n8n's check is the same for all modes of a locator, so some locators have a check per mode. */
function requirementOf({ required, modes = [] }: INodeProperties): string {
	if (required) return ', required';
	const optional = modes.filter(({ validation = [] }) => !validation.some(isPresence));
	const names = optional.map(({ displayName }) => `_${displayName}_`).join(', ');
	return optional.length < modes.length ? `, required except for ${names}` : '';
}

type Validation = NonNullable<INodePropertyMode['validation']>[number];
const isPresence = (one: Validation) => (one as INodePropertyRegexValidation).properties.regex === NOT_EMPTY;

/** Prepares a text for a line: links in Markdown, no line breaks. */
const plain = (text: string) =>
	text.replace(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '[$2]($1)').replace(/\s+/g, ' ');

await writePreviews();
await writeFile(join(ROOT, 'docs/parameters.md'), await parametersPage());
