import { Big } from 'big.js';
import type { FastifyInstance } from 'fastify';
import type { components } from '../../api/gateway.js';
import { ApiError } from '../http/apiError.mjs';
import type { Answer, Call, Handlers } from '../http/handlers.mjs';
import type { Module } from '../seed.mjs';
import type { Store } from '../store.mjs';
import type { CashBookEntries } from './cashBookEntries.mjs';
import { DOCUMENT_TYPES, type Documents } from './documents.mjs';
import { sendFile } from './fileResponse.mjs';
import type { Attachment, Files } from './files.mjs';

interface DeliveryServices {
	entries: CashBookEntries;
	documents: Documents;
	files: Files;
}

/** Handlers of the operations that deliver cash-book entries and documents, and of the lists to choose from. */
export function deliveryHandlers(store: Store, { entries, documents }: Omit<DeliveryServices, 'files'>) {
	/** The result of the accounting system's task that imports the receipt images; null if there are none. */
	function taskResult(images: Attachment[]): components['schemas']['TaskResult'] | null {
		if (!images.length) return null;
		return {
			status: 'ERFOLGREICH',
			meldungen: images.map(({ dateiname }) => ({
				dateiname,
				nachricht: 'Die Datei wurde übernommen.',
				zeitstempel: store.now().toISOString(),
				typ: 'INFO',
			})),
		};
	}

	const receiveDocument = (call: Call<'uploadDuoDocument' | 'uploadReweDocument'>): Answer => {
		const { id, dateiname } = documents.receive(call);
		return { body: { id, dateiname } };
	};

	return {
		createCashBookEntry: (call) => {
			const { belegbilder = [], ...fields } = call.body;
			const { belegnummer, belegNummer, belegtext, gegenkonto, steuersatz } = fields;
			// Subtracts from 0, because `-betrag` would turn 0 into -0.
			const betrag = fields.bewegung === 'AUSGABE' ? 0 - fields.betrag : fields.betrag;
			entries.receive(
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
				throw new ApiError(422, '"belegzeilen" is empty: there is nothing to book.', 'belegzeilen', 'empty');
			}
			const sum = belegzeilen.reduce((total, line) => total.plus(line.betrag ?? 0), new Big(0));
			if (!sum.eq(betrag)) {
				const message = `"betrag" is ${betrag}, but the lines add up to ${sum.toString()}.`;
				throw new ApiError(422, message, 'betrag', 'sum');
			}
			const bookings = belegzeilen.map(({ betrag = 0, steuersatz = {}, ...line }, index) => ({
				...line,
				betrag,
				steuersatz,
				belegnummer: entries.lineId(index),
			}));
			entries.receive(call, bookings);
			const erstellungsdatum = store.now().toISOString();
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

		uploadDuoDocument: receiveDocument,
		uploadReweDocument: receiveDocument,

		listCashBooks: ({ connection }) => ({ body: { data: entries.cashBooks(connection.defaultCompanyId) } }),
		listDuoDocumentTypes: () => ({ body: { data: typesOf('uploadDuoDocument') } }),
		listReweDocumentTypes: () => ({ body: { data: typesOf('uploadReweDocument') } }),
		listDuoConnections: (call) => ({ body: { data: connectionsOf(call, 'duo') } }),
		listReweConnections: (call) => ({ body: { data: connectionsOf(call, 'rewe') } }),
		listReweReadConnections: (call) => ({ body: { data: connectionsOf(call, 'rewe-read') } }),
	} satisfies Partial<Handlers>;
}

const namesOf = (files: { dateiname: string }[]) => files.map(({ dateiname }) => ({ dateiname }));

const typesOf = (variant: keyof typeof DOCUMENT_TYPES) =>
	DOCUMENT_TYPES[variant].map((belegtyp) => ({ belegtyp }));

const connectionsOf = ({ account }: Call, module: Module) =>
	account.connections
		.filter((connection) => connection.module === module)
		.map(({ id, name }) => ({ id, name }));

/** Adds `/sandbox/documents/:id/content` and `/sandbox/entries/:id/belegbilder/:index`, which return files. */
export function addDeliveryControls(
	app: FastifyInstance,
	{ entries, documents, files }: DeliveryServices,
): void {
	app.get<{ Params: { id: string } }>('/documents/:id/content', ({ params }, reply) =>
		sendFile(reply, files, documents.find(params.id)),
	);
	app.get<{ Params: { id: string; index: string } }>(
		'/entries/:id/belegbilder/:index',
		({ params: { id, index } }, reply) => sendFile(reply, files, entries.image(id, Number(index))),
	);
}
