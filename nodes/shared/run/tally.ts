import type { IExecuteFunctions } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';
import { sumBy, uniqBy } from 'lodash';

import type { Operation, WriteOperation } from '../operation';
import { presentable } from '../errors';
import type { GatewayRequest } from '../gateway';
import type { Outcome, Task, WriteTask } from './task';
import { CONNECTION } from '../thisGateway';

/** The most places that a hint lists; nobody would read more. */
const MOST_PLACES = 5;

interface TalliedPlace {
	connectionId: string;
	/** E.g. `in Hauptkasse`. */
	where: string;
	/** Of which time a report is. */
	when?: string;
	/** Number of records that were written at this place. */
	written: number;
	/** Number of records that already existed at this place. */
	existing: number;
}

/** Counts what a run has done, for the hint below its output. */
export class Tally {
	private readonly places = new Map<string, TalliedPlace>();

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
		if (operation.kind !== 'read' || !operation.companyOf) return;
		const company = operation.companyOf(values);
		const name =
			company === undefined
				? "the connection's default company"
				: (this.chosenName('companyId', company) ?? `company ${company}`);
		this.placeOf(query, name, simple ? operation.timeOf?.(values) : undefined);
	}

	/** Notes a record that was written or already existed. */
	wrote({ request }: WriteTask, outcome: Outcome): void {
		const { operation } = this;
		if (operation.kind !== 'write') return;
		if (outcome.kind !== 'done' && outcome.kind !== 'existed') return;
		const where = operation.achieves.where?.(request, outcome.value ?? null) ?? '';
		this.placeOf(request.query, where)[outcome.kind === 'done' ? 'written' : 'existing']++;
	}

	private placeOf(query: object, where: string, when?: string): TalliedPlace {
		const { connectionId = '' } = query as { connectionId?: string };
		const key = JSON.stringify([connectionId.toLowerCase(), where, when]);
		const place = this.places.get(key) ?? { connectionId, where, when, written: 0, existing: 0 };
		this.places.set(key, place);
		return place;
	}

	/**
	 * A summary such as `2 entries booked in Hauptkasse (Bäckerei Sonnenschein – duo)`; `undefined` if there is nothing
	 * to say.
	 */
	get text(): string | undefined {
		const places = [...this.places.values()];
		if (places.length === 0) return undefined;
		const { achieves } = this.operation as Partial<WriteOperation>;
		return presentable(achieves ? this.written(places, achieves) : `Read from ${this.listed(places)}`);
	}

	private written(places: TalliedPlace[], { one, many, done }: WriteOperation['achieves']): string {
		const used = places.filter(({ written }) => written > 0);
		const existing = sumBy(places, 'existing');
		const text = this.listed(used.length > 0 ? used : places.slice(0, 1), ({ written }, i) =>
			i === 0 ? `${written} ${written === 1 ? one : many} ${done} ` : `${written} `,
		);
		return existing > 0 ? `${text}; ${existing} ${existing === 1 ? 'was' : 'were'} there already` : text;
	}

	/** @param before what goes before a place */
	private listed(places: TalliedPlace[], before?: (place: TalliedPlace, index: number) => string): string {
		const shown = places.slice(0, MOST_PLACES).map((place, i) => {
			const where = ((before?.(place, i) ?? '') + place.where).trimEnd() + this.connectionOf(place);
			return place.when === undefined ? where : `${where}: ${place.when}`;
		});
		const more = places.length - shown.length;
		return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
	}

	/**
	 * The connection's name, as chosen from the list in the form; otherwise its ID, if there are several connections.
	 */
	private connectionOf({ connectionId }: TalliedPlace): string {
		if (connectionId === '') return '';
		const isOne = uniqBy([...this.places.values()], 'connectionId').length === 1;
		const ofWrites = this.operation.kind === 'write' && isOne ? '' : ` (connection ${connectionId})`;
		const name = this.chosenName(CONNECTION, connectionId);
		return name ? ` (${name})` : ofWrites;
	}

	/** The name of a value, as the form has it from the list; `undefined` where it wasn't chosen there. */
	private chosenName(parameter: string, value: string): string | undefined {
		const given = this.context.getNodeParameter(parameter, 0, null, { rawExpressions: true });
		const isChosen =
			isResourceLocatorValue(given) &&
			given.mode === 'list' &&
			String(given.value).toLowerCase() === value.toLowerCase();
		return isChosen ? given.cachedResultName : undefined;
	}
}
