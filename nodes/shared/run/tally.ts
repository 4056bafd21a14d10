import type { IExecuteFunctions } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';
import { sumBy, uniqBy } from 'lodash';

import type { Operation, WriteOperation } from '../operation';
import { presentable } from '../errors';
import { bilingual, both, listed, sameInBoth } from '../values';
import type { Bilingual, Language } from '../values';
import type { GatewayRequest } from '../gateway';
import type { Outcome, Task, WriteTask } from './task';
import { CONNECTION } from '../thisGateway';

/** The most counts that a hint lists; nobody would read more. */
const MOST_COUNTS = 5;

/** What a run has done with a connection, in one cash book or for one company. */
interface Count {
	connectionId: string;
	/** E.g. `in Hauptkasse`. */
	where: Bilingual;
	/** Of which time a report is. */
	when?: Bilingual;
	written: number;
	/** Number of records that the gateway had already, or that the node remembers. */
	existed: number;
}

/** Counts what a run has done, for the hint below its output. */
export class Tally {
	private readonly counts = new Map<string, Count>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
	) {}

	/**
	 * Notes an answer to a read. Without "Simplify", it is put out untouched, whatever time was chosen.
	 * @param task with the values that the request was made from
	 */
	read({ query }: GatewayRequest, { values, simple }: Task): void {
		const { operation } = this;
		if (operation.kind !== 'read' || !operation.readFrom) return;
		const { companyId, time } = operation.readFrom(values);
		const name =
			companyId === undefined
				? both("the connection's default company", 'Standardmandant der Verbindung')
				: sameOr(
						this.chosenName('companyId', companyId),
						both(`company ${companyId}`, `Mandant ${companyId}`),
					);
		this.countOf(query, name, simple ? time : undefined);
	}

	/** Notes a record that was written or already existed. */
	wrote({ request }: WriteTask, outcome: Outcome): void {
		const { operation } = this;
		if (operation.kind !== 'write') return;
		if (outcome.kind !== 'done' && outcome.kind !== 'existed') return;
		const where =
			operation.achieves.where?.(request, outcome.value ?? null, this.chosenName) ?? sameInBoth('');
		this.countOf(request.query, where)[outcome.kind === 'done' ? 'written' : 'existed']++;
	}

	private countOf(query: object, where: Bilingual, when?: Bilingual): Count {
		const { connectionId = '' } = query as { connectionId?: string };
		const key = JSON.stringify([connectionId.toLowerCase(), where.en, when?.en]);
		const count = this.counts.get(key) ?? { connectionId, where, when, written: 0, existed: 0 };
		this.counts.set(key, count);
		return count;
	}

	/**
	 * A summary such as `2 entries booked in Hauptkasse (Bäckerei Sonnenschein – duo)`; `undefined` if there is nothing
	 * to say.
	 */
	get text(): Bilingual | undefined {
		const counts = [...this.counts.values()];
		if (counts.length === 0) return undefined;
		const { achieves } = this.operation as Partial<WriteOperation>;
		return bilingual((language) =>
			presentable(
				achieves
					? this.written(counts, achieves, language)
					: `${language === 'en' ? 'Read from' : 'Gelesen:'} ${this.joined(counts, language)}`,
			),
		);
	}

	private written(
		counts: Count[],
		{ one, many, done }: WriteOperation['achieves'],
		language: Language,
	): string {
		const used = counts.filter(({ written }) => written > 0);
		const existed = sumBy(counts, 'existed');
		const text = this.joined(used.length > 0 ? used : counts.slice(0, 1), language, ({ written }, i) =>
			i === 0 ? `${written} ${(written === 1 ? one : many)[language]} ${done[language]} ` : `${written} `,
		);
		if (existed === 0) return text;
		return language === 'en'
			? `${text}; ${existed} ${existed === 1 ? 'was' : 'were'} already known`
			: `${text}; ${existed} ${existed === 1 ? 'war' : 'waren'} schon bekannt`;
	}

	/** @param before what goes before a count's place */
	private joined(
		counts: Count[],
		language: Language,
		before?: (count: Count, index: number) => string,
	): string {
		const texts = counts.map((count, i) => {
			const where =
				((before?.(count, i) ?? '') + count.where[language]).trimEnd() + this.connectionOf(count, language);
			return count.when === undefined ? where : `${where}: ${count.when[language]}`;
		});
		return listed(texts, language, MOST_COUNTS);
	}

	/**
	 * The connection's name, as chosen from the list in the form; otherwise its ID, if there are several connections.
	 */
	private connectionOf({ connectionId }: Count, language: Language): string {
		if (connectionId === '') return '';
		const isOne = uniqBy([...this.counts.values()], 'connectionId').length === 1;
		const word = language === 'en' ? 'connection' : 'Verbindung';
		const ofWrites = this.operation.kind === 'write' && isOne ? '' : ` (${word} ${connectionId})`;
		const name = this.chosenName(CONNECTION, connectionId);
		return name ? ` (${name})` : ofWrites;
	}

	/** The name of a value, as the form has it from the list; `undefined` where it wasn't chosen there. */
	private readonly chosenName = (parameter: string, value: string): string | undefined => {
		const given = this.context.getNodeParameter(parameter, 0, null, { rawExpressions: true });
		const isChosen =
			isResourceLocatorValue(given) &&
			given.mode === 'list' &&
			String(given.value).toLowerCase() === value.toLowerCase();
		return isChosen ? given.cachedResultName : undefined;
	};
}

const sameOr = (name: string | undefined, other: Bilingual): Bilingual =>
	name === undefined ? other : sameInBoth(name);
