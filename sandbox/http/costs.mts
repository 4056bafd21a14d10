import type { OperationId } from './handlers.mjs';

/**
 * Credits per call. The contract states only two prices: a payment costs 3 credits when it settles, and webhook
 * deliveries are free. The sandbox chose all figures here: writing costs more than reading, and lists of choices are
 * free.
 */
export const COSTS: Record<OperationId, number> = {
	createCashBookEntry: 1,
	createAdvancedCashBookEntry: 1,
	uploadDuoDocument: 1,
	uploadReweDocument: 1,
	listDuoConnections: 0,
	listReweConnections: 0,
	listReweReadConnections: 0,
	listCashBooks: 0,
	listDuoDocumentTypes: 0,
	listReweDocumentTypes: 0,
	listTaxKeys: 1,
	listCompanies: 0,
	listFiscalYears: 1,
	getFiscalYear: 1,
	listJournalBookings: 1,
	listTrialBalance: 1,
	getOpenItems: 1,
	listPaymentTerms: 1,
	listAccounts: 1,
	createTicket: 5,
	activateTicket: 0,
	createCustomer: 1,
	listTicketProducts: 0,
	getTransaction: 1,
	getPayment: 0,
	listBalances: 1,
	getBankConnection: 0,
	setWebhookUrl: 0,
};
