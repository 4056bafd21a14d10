import type { Books, FiscalYear } from './books/books.mjs';
import { chartOfAccounts, fiscalYearDetail, journal, openItems, trialBalance } from './books/reports.mjs';
import { TAX_KEYS } from './books/taxes.mjs';
import { PAYMENT_TERMS } from './books/terms.mjs';
import { ApiError } from '../http/apiError.mjs';
import type { Call, Handlers } from '../http/handlers.mjs';
import type { Company, Connection } from '../seed.mjs';
import type { Store } from '../store.mjs';
import type { Ledger } from './ledger.mjs';

type YearCall = Call<'listJournalBookings' | 'listTrialBalance' | 'listPaymentTerms' | 'listAccounts'>;
type ExportCall = YearCall | Call<'listFiscalYears' | 'getFiscalYear' | 'getOpenItems'>;

/** Handlers of the operations that read accounting data. */
export function accountingHandlers(store: Store, { ledger }: { ledger: Ledger }) {
	/** The companies that a connection covers. */
	const coveredBy = ({ companyIds }: Connection) =>
		store.companies.filter(({ id }) => companyIds.includes(id));

	/** The books of the call's company, by default the connection's default company. */
	function booksOf({ connection, query }: ExportCall): Books {
		const named = 'companyId' in query ? query.companyId : undefined;
		const company = coveredBy(connection).find(({ id }) => id === (named ?? connection.defaultCompanyId));
		if (!company) {
			throw new ApiError(404, `The connection has no company ${named}.`, 'companyId', 'unknown');
		}
		if (!company.exportSubscription) {
			throw new ApiError(403, `${company.name} has no export subscription.`, 'companyId', 'subscription');
		}
		return ledger.books(company.id);
	}

	/** The books and the fiscal year that begins on `geschaeftsjahrStartDatum`. */
	function yearOf(call: YearCall): [Books, FiscalYear] {
		const books = booksOf(call);
		const { geschaeftsjahrStartDatum: start } = call.query;
		const year = books.years.find((one) => one.start === start);
		if (!year) {
			throw new ApiError(404, `No fiscal year begins on ${start}.`, 'geschaeftsjahrStartDatum', 'unknown');
		}
		return [books, year];
	}

	return {
		listTaxKeys: () => ({ body: { data: TAX_KEYS } }),
		listCompanies: ({ connection }) => ({ body: { data: coveredBy(connection).map(companyRecord) } }),
		listFiscalYears: (call) => ({
			body: { data: booksOf(call).years.map(({ id, start }) => ({ id, startDatum: start })) },
		}),
		getFiscalYear: (call) => {
			const { geschaeftsjahrId } = call.params;
			const { years, chart } = booksOf(call);
			const year = years.find(({ id }) => id === geschaeftsjahrId);
			if (!year) {
				const message = `There is no fiscal year ${geschaeftsjahrId}.`;
				throw new ApiError(404, message, 'geschaeftsjahrId', 'unknown');
			}
			return { body: { data: fiscalYearDetail(chart, year) } };
		},
		listJournalBookings: (call) => ({ body: { data: journal(...yearOf(call)) } }),
		listTrialBalance: (call) => ({ body: { data: trialBalance(...yearOf(call), call.query.kontonummer) } }),
		getOpenItems: (call) => {
			const { stichtag = ledger.today, filter = 'all', eb = 'reconcile' } = call.query;
			return { body: { data: openItems(booksOf(call), { stichtag, filter, eb }) } };
		},
		listPaymentTerms: (call) => {
			yearOf(call);
			return { body: { data: PAYMENT_TERMS } };
		},
		listAccounts: (call) => {
			const [books] = yearOf(call);
			return { body: { data: chartOfAccounts(books) } };
		},
	} satisfies Partial<Handlers>;
}

const companyRecord = ({ id, clientNumber, consultantNumber, name, exportSubscription }: Company) => ({
	id,
	client_number: clientNumber,
	consultant_number: consultantNumber,
	environmentId: null,
	name,
	subscription: [
		{ id: null, name: 'cashbook', status: null, active: true },
		{ id: null, name: 'documents', status: null, active: true },
		{ id: null, name: 'export', status: null, active: exportSubscription },
	],
});
