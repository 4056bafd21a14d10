import type { Resource } from '../shared/operation';
import { getAll as getAccounts } from './account/getAll';
import { getAll as getCompanies } from './company/getAll';
import { get as getFiscalYear } from './fiscalYear/get';
import { getAll as getFiscalYears } from './fiscalYear/getAll';
import { getAll as getJournalBookings } from './journalBooking/getAll';
import { suggestAccount } from './journalBooking/suggestAccount';
import { findForPayment } from './openItem/findForPayment';
import { getAll as getOpenItems } from './openItem/getAll';
import { getAll as getPaymentTerms } from './paymentTerm/getAll';
import { getAll as getTaxKeys } from './taxKey/getAll';
import { getAll as getTrialBalance } from './trialBalance/getAll';

/** What the node offers, in the order of its lists. */
export const resources: Resource[] = [
	{
		value: 'account',
		name: 'Chart of Accounts (Kontenplan)',
		many: 'Chart of Accounts',
		operations: [getAccounts],
	},
	{ value: 'company', name: 'Company (Mandant)', many: 'Companies', operations: [getCompanies] },
	{ value: 'fiscalYear', name: 'Fiscal Year (Geschäftsjahr)', operations: [getFiscalYear, getFiscalYears] },
	{
		value: 'journalBooking',
		name: 'Journal Booking (Journal)',
		operations: [getJournalBookings, suggestAccount],
	},
	{ value: 'openItem', name: 'Open Item (OPOS)', operations: [getOpenItems, findForPayment] },
	{ value: 'paymentTerm', name: 'Payment Term (Zahlungsbedingung)', operations: [getPaymentTerms] },
	{ value: 'taxKey', name: 'Tax Key (BU-Schlüssel)', operations: [getTaxKeys] },
	{
		value: 'trialBalance',
		name: 'Trial Balance (SuSa)',
		many: 'Trial Balance',
		operations: [getTrialBalance],
	},
];
