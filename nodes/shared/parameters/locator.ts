import type { Parameter } from './parameter';

/** The lists of the gateway that a value can be chosen from. */
export type ListName =
	| `search${'Duo' | 'Rewe' | 'ReweRead'}Connections`
	| `search${'Duo' | 'Rewe'}DocumentTypes`
	| 'searchAccounts'
	| 'searchCashBooks'
	| 'searchCompanies'
	| 'searchFiscalYearIds'
	| 'searchFiscalYearStarts'
	| 'searchTicketProducts';

interface LocatorSpec {
	/** The list to choose from. */
	list: ListName;
	/** What the value is where it is no ID, on the switch between list and value. n8n always shows a mode named `id` as "By ID". */
	by?: `By ${string}`;
	/** The parameter that the list depends on: when it changes, the editor clears this one. */
	dependsOn?: string;
}

/**
 * A value that is chosen from a list of the gateway, or given by hand or expression.
 * @param value how the value is read and checked when it is given
 */
export function locator<T>(value: Parameter<T>, { list, by, dependsOn }: LocatorSpec): Parameter<T> {
	const { placeholder, ...property } = value.property;
	return {
		property: {
			...property,
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			...(dependsOn && { typeOptions: { loadOptionsDependsOn: [`${dependsOn}.value`] } }),
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'Choose…',
					typeOptions: { searchListMethod: list, searchable: true },
				},
				{ displayName: by ?? 'By ID', name: by ? 'value' : 'id', type: 'string', placeholder },
			],
		},
		read: value.read,
	};
}
