import type { Call, OperationId } from '../http/handlers.mjs';
import { ApiError } from '../http/apiError.mjs';
import type { Connection } from '../seed.mjs';
import type { Store } from '../store.mjs';

/** Who sent a record, over which connection, and when. */
export interface Arrival {
	id: string;
	operationId: OperationId;
	/** The sandbox's time, ISO. */
	receivedAt: string;
	account: string;
	connectionId: string;
	quelle?: string;
}

/** Records the arrival of a call that passed all checks. */
export const recordArrival = (
	store: Store,
	call: Pick<Call, 'id' | 'account' | 'query'> & { connection: Connection },
): Arrival => ({
	id: store.nextId('arrival'),
	operationId: call.id,
	receivedAt: store.now().toISOString(),
	account: call.account.id,
	connectionId: call.connection.id,
	quelle: (call.query as { quelle?: string }).quelle,
});

/** Refuses a value that isn't one of the choices. */
export const unknownValue = (field: string, problem: string, value: string): ApiError =>
	new ApiError(422, `"${field}" ${problem}: "${value}".`, field, 'unknown');
