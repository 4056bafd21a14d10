/** The searchable lists behind the locators of a node. Each locator carries its own list. */
import { NodeApiError } from 'n8n-workflow';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodeType,
	NodeError,
} from 'n8n-workflow';
import { countBy, orderBy, uniqBy } from 'lodash';

import { failureText, presentable, toNodeError } from '../errors';
import { CREDENTIAL, GatewayClient, unexpectedResponse, withSource } from '../gateway';
import type { Failure } from '../errors';
import type { Resource } from '../operation';
import { parametersOf } from './properties';
import { INVALID, LookedUp, Place, Remarks, clean, firstOf, labelOf, nameIn } from '../parameters';
import type { Holder, List, Parameter } from '../parameters';
import type { GatewayRequest } from '../gateway';
import { ANYTHING, listIn, unconfirmed } from '../answer';
import { both, isMissing, isObject, sentences } from '../values';
import type { Bilingual, Rule } from '../values';
import { CONNECTION } from '../thisGateway';

type ListSearch = NonNullable<NonNullable<INodeType['methods']>['listSearch']>;

/** Seconds; a person is waiting for the list. */
const LIST_TIMEOUT = 15;

/** Milliseconds for which an answer is kept: each call may cost credits, and a list is requested again at every letter typed. */
const KEPT_MS = 60_000;

/** One for all comparisons: `localeCompare` with options makes one for each, which takes 25 times as long. */
const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** The answers of the last minute, shared by all nodes of this process. */
const recent = new Map<string, { askedAt: number; answer: Promise<unknown> }>();

/** A recent answer, or a new one, which several callers may wait for. @param ask rejects if there is none */
async function recentAnswer(key: string, ask: () => Promise<unknown>): Promise<unknown> {
	for (const [old, { askedAt }] of recent) if (Date.now() - askedAt >= KEPT_MS) recent.delete(old);
	const known = recent.get(key);
	if (known) return await known.answer;
	const answer = ask();
	recent.set(key, { askedAt: Date.now(), answer });
	void answer.catch(() => recent.delete(key));
	return await answer;
}

/** Makes a node's `methods.listSearch` from its operations. */
export function listSearchOf(resources: Resource[]): ListSearch {
	const parameters = resources.flatMap(({ operations }) =>
		operations.flatMap((operation) => Object.values(parametersOf(operation))),
	);
	return Object.fromEntries(listsOf(parameters).map((list) => [list.name, searchIn(list)]));
}

const listsOf = (parameters: Parameter[]): List[] =>
	parameters.flatMap(({ list, members = {} }) => [
		...(list ? [list] : []),
		...listsOf(Object.values(members)),
	]);

const searchIn = (list: List): ListSearch[string] =>
	async function (this: ILoadOptionsFunctions, filter = '') {
		return await new Search(this, await GatewayClient.open(this)).search(list, filter.toLowerCase());
	};

/** A row of a list as n8n shows it, the value that it is sorted by, and which of several lists it is from. */
type Option = INodeListSearchItems & { value: string; order?: string; from?: string };

/** Adds something to the names that several options have. */
function disambiguated(options: Option[], more: (option: Option) => string | undefined): Option[] {
	const count = countBy(options, 'name');
	return options.map((one) => {
		const added = count[one.name] > 1 && more(one);
		return added ? { ...one, name: `${one.name} (${added})` } : one;
	});
}

class Search {
	constructor(
		private readonly context: ILoadOptionsFunctions,
		private readonly client: GatewayClient,
	) {}

	async search(list: List, wanted: string): Promise<INodeListSearchResult> {
		const request = list.request(await this.valuesOf(list.of));
		const requests = 'endpoint' in request ? { '': request as GatewayRequest } : request;
		const all = await Promise.allSettled(
			Object.entries(requests).map(async ([from, one]) => await this.optionsOf(list, one, from)),
		);
		// Of several lists, unreadable ones are left out, unless all are unreadable.
		const read = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
		if (read.length === 0) throw (all[0] as PromiseRejectedResult).reason;
		const options = uniqBy(read.flat(), 'value');
		// What a person can't tell apart has its list behind its name, and then its value.
		const ofList = disambiguated(options, ({ from }) => from);
		const found = disambiguated(ofList, ({ value }) => value).filter(({ name, value }) =>
			`${name} ${value}`.toLowerCase().includes(wanted),
		);
		const sorted = list.latestFirst
			? orderBy(found, 'order', 'desc')
			: found.sort((a, b) => COLLATOR.compare(a.name, b.name));
		return { results: sorted.map(({ name, value }) => ({ name, value })) };
	}

	/** n8n doesn't tell a list its workflow; if the option was added, it has the workflow's name. */
	private get quelle(): string | undefined {
		const given = this.context.getCurrentNodeParameter('options.quelle') as string | null | undefined;
		return (given ?? (this.context.getWorkflow().name || 'n8n')) || undefined;
	}

	/** Reads the fields of the form that a list needs, like an item's; throws if one is missing or breaks a rule. */
	private async valuesOf(fields: List['of']): Promise<Record<string, unknown>> {
		const form: Holder = {
			zone: this.context.getTimezone(),
			raw: (name) => this.context.getNodeParameter(name, null),
		};
		const values: Record<string, unknown> = {};
		for (const [name, field] of Object.entries(fields)) {
			const given = this.context.getCurrentNodeParameter(name);
			const remarks = new Remarks();
			const value = await field.read(given, new Place(form, remarks, name, field.property.displayName));
			const [issue] = remarks.issues;
			if (value !== INVALID)
				values[name] = value instanceof LookedUp ? await this.find(value, values) : value;
			else if (isMissing(clean(given)))
				this.fail(
					both(
						`Choose a value for "${issue.title}" first: this list depends on it`,
						`Wählen Sie zuerst einen Wert für „${issue.title}“: Diese Liste hängt davon ab`,
					),
				);
			else this.fail(about(issue.title, issue.value, issue.rule));
		}
		return values;
	}

	private async find(
		{ place, given, lookup }: LookedUp<unknown>,
		values: Record<string, unknown>,
	): Promise<unknown> {
		const found = await this.ask(lookup.request(values), (body) => {
			const result = lookup.find(body, values);
			if ('problem' in result) throw this.error(unexpectedResponse(false, result));
			return result;
		});
		return 'value' in found ? found.value : this.fail(about(place.title, String(given), found.rule));
	}

	private async optionsOf(list: List, request: GatewayRequest, from: string): Promise<Option[]> {
		return await this.ask(request, (body) => {
			const rows = listIn(body);
			if (!rows)
				throw this.error(
					unexpectedResponse(false, { problem: both('holds no list', 'enthält keine Liste') }),
				);
			const records = rows.filter(isObject);
			const options = rows.flatMap((row) => optionOf(list, row, records));
			if (rows.length > 0 && options.length === 0) throw this.explained(noValues(list));
			return options.map((option) => ({ ...option, from }));
		});
	}

	/**
	 * Sends a request to the gateway, unless it was sent within the last minute.
	 * @param read throws if the answer can't be used; such an answer isn't kept
	 */
	private async ask<T>(asked: GatewayRequest, read: (body: unknown) => T): Promise<T> {
		const request = withSource(asked, this.quelle);
		const { client } = this;
		const target = [client.account, client.targetOf(request), request.query];
		const key = JSON.stringify([this.context.getNode().credentials?.[CREDENTIAL]?.id, ...target]);
		const body = await recentAnswer(key, async () => {
			const result = await client.send(request, LIST_TIMEOUT);
			if (!result.ok) throw this.error(ofAnotherConnection(request, result.failure));
			const failure = unconfirmed(result.body, request, ANYTHING);
			if (failure) throw this.error(failure);
			read(result.body);
			return result.body;
		});
		return read(body);
	}

	private error(failure: Failure): NodeError {
		return this.explained(failureText(failure));
	}

	/** Only with this class does n8n pass the description on to the editor, as plain text. */
	private explained({ message, description, status }: ReturnType<typeof failureText>): NodeError {
		const { language } = this.client;
		return new NodeApiError(
			this.context.getNode(),
			{},
			{
				message: presentable(message[language]),
				description: presentable(description[language]),
				httpCode: status?.toString(),
			},
		);
	}

	private fail(message: Bilingual): never {
		throw toNodeError(this.context.getNode(), { message }, this.client.language);
	}
}

const about = (title: string, value: string, rule: Rule): Bilingual =>
	both(`${title} "${value}" ${rule.en}`, `${labelOf(title).de} „${value}“ ${rule.de}`);

const OR_ANOTHER = both('Or choose another connection.', 'Oder wählen Sie eine andere Verbindung.');

/** A list is read while the form is filled in, where another connection is one click away. */
const ofAnotherConnection = ({ query, explain }: GatewayRequest, failure: Failure): Failure =>
	failure.status === 403 && CONNECTION in query && !explain
		? { ...failure, description: sentences(failure.description, OR_ANOTHER) }
		: failure;

const noValues = ({ value }: List) => ({
	message: both(
		`The entries of the gateway's list can't be used: they have no value under ${value.join(' or ')}`,
		`Die Einträge in der Liste des Gateways sind nicht zu gebrauchen: Sie haben keinen Wert unter ${value.join(' oder ')}`,
	),
	description: both(
		'Type the value in, or use an expression. If the problem persists, ask the provider of the gateway.',
		'Geben Sie den Wert von Hand oder mit einem Ausdruck an. Hilft das nicht, fragen Sie den Anbieter des Gateways.',
	),
});

function optionOf({ value: names, reads, latestFirst }: List, row: unknown, all: IDataObject[]): Option[] {
	if (typeof row === 'string') return [{ name: row, value: row }];
	if (!isObject(row)) return [];
	const value = firstOf(row, names);
	if (value === undefined) return [];
	const name = (reads ? reads(row, value, all) : nameIn(row, value)) ?? value;
	return [{ name, value, order: latestFirst && firstOf(row, [latestFirst]) }];
}
