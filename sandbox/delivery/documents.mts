import { ApiError } from '../http/apiError.mjs';
import type { Call } from '../http/handlers.mjs';
import { keepLast, type Slice, type Store } from '../store.mjs';
import { type Arrival, recordArrival, unknownValue } from './arrivals.mjs';
import { checkFile, type Files, type StoredFile } from './files.mjs';

/** The document types of each variant. */
export const DOCUMENT_TYPES = {
	uploadDuoDocument: ['Rechnungseingang', 'Rechnungsausgang', 'Kasse', 'Bank', 'Sonstige'],
	uploadReweDocument: ['Rechnungseingang', 'Rechnungsausgang', 'Kasse', 'Kontoauszug', 'Vertrag'],
} as const satisfies Record<string, readonly string[]>;

/** The field in which the caller may choose the document's ID. */
const ID_FIELDS = { uploadDuoDocument: 'id', uploadReweDocument: 'belegId' } as const;

/** A document that arrived. */
interface ArrivedDocument extends Arrival, StoredFile {
	/** Every field as received, except the file. */
	fields: Record<string, unknown>;
}

/** The documents that arrived. */
export class Documents {
	readonly #documents: Slice<ArrivedDocument[]>;
	/** Document IDs that each account has used, by variant, with the ID of the arrival. */
	readonly #identities: Slice<Record<string, string>>;

	constructor(
		private readonly store: Store,
		private readonly files: Files,
	) {
		this.#documents = store.addSlice('documents', () => []);
		this.#identities = store.addSlice('documentIdentities', () => ({}));
		store.addList('documents', () => this.#documents.value);
	}

	find(id: string): ArrivedDocument | undefined {
		return this.#documents.value.find((document) => document.id === id);
	}

	/** Stores a document under the caller's ID, or a new one. */
	receive(call: Call<'uploadDuoDocument' | 'uploadReweDocument'>): ArrivedDocument {
		const variant = call.id;
		const { datei, ...fields } = call.body;
		const types: readonly string[] = DOCUMENT_TYPES[variant];
		if (!types.includes(fields.belegtyp)) {
			throw unknownValue('belegtyp', "isn't a document type of the list", fields.belegtyp);
		}
		const idField = ID_FIELDS[variant];
		const chosen = (fields as { id?: string; belegId?: string })[idField]?.toLowerCase();
		const identityOf = (id: string) => `${idField}/${call.account.id}/${id}`;
		if (chosen && identityOf(chosen) in this.#identities.value) {
			const message = `A document with the ${idField} ${chosen} already exists.`;
			throw new ApiError(409, message, idField, 'DUPLICATE');
		}
		const file = checkFile(datei, 'datei');
		const arrival = recordArrival(this.store, call);
		const document = { ...arrival, id: chosen ?? arrival.id, fields, ...this.files.keep(file) };
		this.#identities.value[identityOf(document.id)] = arrival.id;
		keepLast(this.#documents.value, document);
		return document;
	}
}
