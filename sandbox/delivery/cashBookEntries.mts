import { businessOf } from '../accounting/books/business.mjs';
import type { CashLine, Ledger } from '../accounting/ledger.mjs';
import { ApiError } from '../http/apiError.mjs';
import type { Call } from '../http/handlers.mjs';
import { keepLast, type Slice, type Store } from '../store.mjs';
import { type Arrival, recordArrival, unknownValue } from './arrivals.mjs';
import { CURRENCIES } from './currencies.mjs';
import { type Attachment, checkFile, type Files, type StoredFile } from './files.mjs';

/** A cash-book entry that arrived. */
interface ArrivedEntry extends Arrival {
	/** Every field as received, except the files. */
	fields: Record<string, unknown>;
	belegbilder: StoredFile[];
	/** Booked lines: one, or one for each of the advanced entry's `belegzeilen`. */
	bookings: CashLine[];
}

/** The cash books and the entries that arrived for them. */
export class CashBookEntries {
	readonly #entries: Slice<ArrivedEntry[]>;
	/** Each cash book's used `belegnummer`, with the ID of its arrival. */
	readonly #identities: Slice<Record<string, string>>;

	constructor(
		private readonly store: Store,
		private readonly ledger: Ledger,
		private readonly files: Files,
	) {
		this.#entries = store.addSlice('entries', () => []);
		this.#identities = store.addSlice('entryIdentities', () => ({}));
		store.addList('entries', () => this.#entries.value);
	}

	/** A company's cash books. */
	cashBooks(companyId: string): { bezeichnung: string }[] {
		return this.#tills(companyId).map(({ cashBook }) => ({ bezeichnung: cashBook }));
	}

	#tills(companyId: string) {
		return businessOf(this.store.company(companyId)).tills;
	}

	/** A receipt image of an entry. */
	image(entryId: string, index: number): StoredFile | undefined {
		return this.#entries.value.find(({ id }) => id === entryId)?.belegbilder[index];
	}

	/** The ID for a line of the next entry. Calling this reserves no ID, because the entry may still be refused. */
	lineId(index: number): string {
		return this.store.idFor(`booking/${this.store.lastNumber('arrival')}/${index}`);
	}

	/**
	 * Books and stores an entry as a whole, or throws an ApiError and stores nothing.
	 * @param belegnummer identifies the entry within its cash book; entries with an empty one, or without one, have no identity
	 */
	receive(
		call: Call<'createCashBookEntry' | 'createAdvancedCashBookEntry'>,
		bookings: CashLine[],
		belegnummer?: string,
	): void {
		const { body, account, connection } = call;
		const { belegbilder = [], ...fields } = body;
		const { kassenname, waehrung, transaktionsdatum } = fields;
		const companyId = connection.defaultCompanyId;
		const till = this.#tills(companyId).find(({ cashBook }) => cashBook === kassenname);
		if (!till) throw unknownValue('kassenname', "isn't a cash book of this connection", kassenname);
		if (!CURRENCIES.has(waehrung)) {
			throw unknownValue('waehrung', "isn't a currency code of ISO 4217", waehrung);
		}
		// The contract allows an empty belegnummer, which identifies nothing.
		const identity = belegnummer && `${account.id}/${companyId}/${kassenname}/${belegnummer}`;
		if (identity && identity in this.#identities.value) {
			const message = `The entry with the belegnummer "${belegnummer}" already exists.`;
			throw new ApiError(409, message, 'belegnummer', 'DUPLICATE');
		}
		const images = belegbilder.map((image: Attachment, index) => checkFile(image, `belegbilder/${index}`));
		this.ledger.bookCashEntry({
			companyId,
			kassenname,
			konto: till.account,
			waehrung,
			transaktionsdatum,
			lines: bookings,
			fieldPrefix: (line) => ('belegzeilen' in fields ? `belegzeilen/${line}/` : ''),
		});
		const arrival = recordArrival(this.store, call);
		keepLast(this.#entries.value, {
			...arrival,
			fields,
			belegbilder: images.map((image) => this.files.keep(image)),
			bookings,
		});
		if (identity) this.#identities.value[identity] = arrival.id;
	}
}
