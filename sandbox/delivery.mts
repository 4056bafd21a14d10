import { Big } from 'big.js';
import type { FastifyInstance } from 'fastify';
import { CURRENCIES } from '../nodes/shared/currencies.js';
import type { Module } from './accounts.mjs';
import { type Attachment, type CheckedFile, checkFile, sendFile, type StoredFile } from './files.mjs';
import { type Answer, type Call, type Handlers, type OperationId, Refusal } from './handlers.mjs';
import type { CashLine, Connection, World } from './world.mjs';

/** The cash books of each company, with their SKR03 accounts. */
const CASH_BOOKS: Record<string, { bezeichnung: string; konto: string }[]> = {
	'29098-10001': [
		{ bezeichnung: 'Hauptkasse', konto: '1000' },
		{ bezeichnung: 'Kasse Filiale Süd', konto: '1010' },
	],
	'29098-10002': [{ bezeichnung: 'Tageskasse', konto: '1000' }],
};

const DUO_TYPES = ['Rechnungseingang', 'Rechnungsausgang', 'Kasse', 'Bank', 'Sonstige'];
const REWE_TYPES = ['Rechnungseingang', 'Rechnungsausgang', 'Kasse', 'Kontoauszug', 'Vertrag'];

/** Who sent something, for which connection, and when. */
interface Arrival {
	id: string;
	operationId: OperationId;
	/** The sandbox's time, ISO. */
	receivedAt: string;
	account: string;
	connectionId: string;
	quelle?: string;
}

/** A cash-book entry that arrived. */
interface ArrivedEntry extends Arrival {
	/** Every field as received, except the files. */
	fields: Record<string, unknown>;
	belegbilder: StoredFile[];
	/** What was booked: one line, or one for each of the advanced entry's `belegzeilen`. */
	bookings: CashLine[];
}

/** A document that arrived. */
interface ArrivedDocument extends Arrival, StoredFile {
	/** Every field as received, except the file. */
	fields: Record<string, unknown>;
}

/** The operations that deliver cash-book entries and documents, and the lists to choose from. */
export function deliveryHandlers(world: World): Handlers {
	const entries = world.slice<ArrivedEntry[]>('entries', () => []);
	const documents = world.slice<ArrivedDocument[]>('documents', () => []);
	/** What must not come twice: belegnummer by cash book, document ID by module; each with the ID of its arrival. */
	const taken = world.slice<Record<string, string>>('taken', () => ({}));
	world.list('entries', () => entries.value);
	world.list('documents', () => documents.value);

	/** Books an entry and keeps it: all of it or, by a Refusal, nothing. */
	function receiveEntry(
		call: Call<'createCashBookEntry' | 'createAdvancedCashBookEntry'>,
		bookings: CashLine[],
		identity?: string,
	): void {
		const { body, account, connection } = call;
		const { belegbilder, ...fields } = body;
		const { kassenname, waehrung, transaktionsdatum } = fields;
		const companyId = connection.defaultCompanyId;
		const cashBook = CASH_BOOKS[companyId].find(({ bezeichnung }) => bezeichnung === kassenname);
		if (!cashBook) throw unknown('kassenname', 'is no cash book of this connection', kassenname);
		if (!CURRENCIES.has(waehrung)) throw unknown('waehrung', 'is no currency code of ISO 4217', waehrung);
		// An empty belegnummer, which the pattern allows, identifies nothing.
		const key = identity && `belegnummer/${account.id}/${companyId}/${kassenname}/${identity}`;
		if (key && key in taken.value) {
			const message = `The cash book "${kassenname}" has an entry with the belegnummer "${identity}" already.`;
			throw new Refusal(409, message, 'belegnummer', 'duplicate');
		}
		const files = checkFiles(belegbilder);
		world.ledger.bookCashEntry({
			companyId,
			kassenname,
			konto: cashBook.konto,
			waehrung,
			transaktionsdatum,
			lines: bookings,
			place: (line) => ('belegzeilen' in fields ? `belegzeilen/${line}/` : ''),
		});
		const arrival = arrive(call, connection);
		entries.value.push({
			...arrival,
			fields,
			belegbilder: files.map((file) => world.files.keep(file)),
			bookings,
		});
		if (key) taken.value[key] = arrival.id;
	}

	function arrive(call: Call, connection: Connection): Arrival {
		return {
			id: world.id('arrival'),
			operationId: call.id,
			receivedAt: world.now().toISOString(),
			account: call.account.id,
			connectionId: connection.id,
			quelle: (call.query as { quelle?: string }).quelle,
		};
	}

	/** The result of the accounting system's task that takes over the receipt images; null when there are none. */
	function taskResult(belegbilder: Attachment[] | undefined) {
		if (!belegbilder?.length) return null;
		return {
			status: 'ERFOLGREICH',
			meldungen: belegbilder.map(({ dateiname }) => ({
				dateiname,
				nachricht: 'Die Datei wurde übernommen.',
				zeitstempel: world.now().toISOString(),
				typ: 'INFO',
			})),
		};
	}

	/**
	 * Keeps a document under the ID that the caller chose, or a new one.
	 * @param idField the field in which the caller may choose it
	 */
	function receiveDocument(
		call: Call<'uploadDuoDocument' | 'uploadReweDocument'>,
		types: readonly string[],
		idField: 'id' | 'belegId',
	): Answer {
		const { datei, ...fields } = call.body;
		if (!types.includes(fields.belegtyp)) {
			throw unknown('belegtyp', 'is no document type of the list', fields.belegtyp);
		}
		const chosen = (fields as { id?: string; belegId?: string })[idField]?.toLowerCase();
		const keyOf = (id: string) => `${idField}/${call.account.id}/${id}`;
		if (chosen && keyOf(chosen) in taken.value) {
			throw new Refusal(
				409,
				`There is a document with the ${idField} ${chosen} already.`,
				idField,
				'duplicate',
			);
		}
		const file = checkFile(datei, 'datei');
		const arrival = arrive(call, call.connection);
		const document = { ...arrival, id: chosen ?? arrival.id, fields, ...world.files.keep(file) };
		taken.value[keyOf(document.id)] = arrival.id;
		documents.value.push(document);
		return { body: { id: document.id, dateiname: document.dateiname } };
	}

	return {
		createCashBookEntry: (call) => {
			const { belegbilder = [], ...fields } = call.body;
			const { belegnummer, belegNummer, belegtext, gegenkonto, steuersatz } = fields;
			// Not `-betrag`: of 0 that would be -0.
			const betrag = fields.bewegung === 'AUSGABE' ? 0 - fields.betrag : fields.betrag;
			receiveEntry(
				call,
				[{ belegnummer, belegNummer, belegtext, gegenkonto, betrag, steuersatz: { prozent: steuersatz } }],
				belegnummer,
			);
			return {
				body: { ...fields, betrag, belegbilder: namesOf(belegbilder), acctAntwort: taskResult(belegbilder) },
			};
		},

		createAdvancedCashBookEntry: (call) => {
			const { waehrung, belegzeilen, belegbilder = [], kassenname, betrag, transaktionsdatum } = call.body;
			if (!belegzeilen.length) {
				throw new Refusal(422, '"belegzeilen" is empty: there is nothing to book.', 'belegzeilen', 'empty');
			}
			const sum = belegzeilen.reduce((total, line) => total.plus(line.betrag ?? 0), new Big(0));
			if (!sum.eq(betrag)) {
				const message = `"betrag" is ${betrag}, but the lines add up to ${sum.toString()}.`;
				throw new Refusal(422, message, 'betrag', 'sum');
			}
			// IDs from what there is, not from a counter: a refusal further on must leave no trace.
			const bookings = belegzeilen.map(({ betrag = 0, steuersatz = {}, ...line }, index) => ({
				...line,
				betrag,
				steuersatz,
				belegnummer: world.fixedId(`booking/${entries.value.length}/${index}`),
			}));
			receiveEntry(call, bookings);
			const erstellungsdatum = world.now().toISOString();
			return {
				body: {
					erstellungsdatum,
					waehrung,
					belegzeilen: belegzeilen.map((line) => ({
						gegenkonto: line.gegenkonto,
						erstellungsdatum,
						waehrung,
						belegtext: line.belegtext,
						belegnummer: line.belegNummer,
						betrag: line.betrag ?? 0,
						steuersatz: line.steuersatz,
						kostenstellen: [line.kostenstelle1, line.kostenstelle2]
							.filter((name) => name !== undefined)
							.map((name) => ({ name })),
					})),
					belegbilder: namesOf(belegbilder),
					kassenname,
					betrag,
					transaktionsdatum,
					acctAntwort: taskResult(belegbilder),
				},
			};
		},

		uploadDuoDocument: (call) => receiveDocument(call, DUO_TYPES, 'id'),
		uploadReweDocument: (call) => receiveDocument(call, REWE_TYPES, 'belegId'),

		listCashBooks: ({ connection }) => ({
			body: { data: CASH_BOOKS[connection.defaultCompanyId].map(({ bezeichnung }) => ({ bezeichnung })) },
		}),
		listDuoDocumentTypes: () => ({ body: { data: DUO_TYPES.map((belegtyp) => ({ belegtyp })) } }),
		listReweDocumentTypes: () => ({ body: { data: REWE_TYPES.map((belegtyp) => ({ belegtyp })) } }),
		listDuoConnections: (call) => ({ body: { data: connectionsOf(call, 'duo') } }),
		listReweConnections: (call) => ({ body: { data: connectionsOf(call, 'rewe') } }),
		listReweReadConnections: (call) => ({ body: { data: connectionsOf(call, 'rewe-read') } }),
	};
}

const unknown = (field: string, what: string, value: string) =>
	new Refusal(422, `"${field}" ${what}: "${value}".`, field, 'unknown');

const namesOf = (files: { dateiname: string }[]) => files.map(({ dateiname }) => ({ dateiname }));

const checkFiles = (files: Attachment[] = []): CheckedFile[] =>
	files.map((file, index) => checkFile(file, `belegbilder/${index}`));

const connectionsOf = ({ account }: Call, module: Module) =>
	account.connections
		.filter((connection) => connection.module === module)
		.map(({ id, name }) => ({ id, name }));

/** Adds the ways to read files back: `/sandbox/documents/:id/content`, `/sandbox/entries/:id/belegbilder/:index`. */
export function deliveryControls(app: FastifyInstance, world: World): void {
	app.get<{ Params: { id: string } }>('/documents/:id/content', ({ params }, reply) => {
		const documents = world.listed('documents') as ArrivedDocument[];
		return sendFile(
			reply,
			world.files,
			documents.find(({ id }) => id === params.id),
		);
	});
	app.get<{ Params: { id: string; index: string } }>(
		'/entries/:id/belegbilder/:index',
		({ params }, reply) => {
			const entries = world.listed('entries') as ArrivedEntry[];
			const entry = entries.find(({ id }) => id === params.id);
			return sendFile(reply, world.files, entry?.belegbilder[Number(params.index)]);
		},
	);
}
