/** An error answer's content, before it gets a shape. */
export interface ErrorDetails {
	message: string;
	/** The field or parameter at fault, as the request writes it: `kassenname`, `belegbilder/0/content`. */
	field?: string;
	/** The violated rule in one word, for programs: `duplicate`, `unknown`. */
	code?: string;
}

/**
 * Refuses a request: the gateway answers `{ error: { message, field?, code? } }` with this status.
 * A handler must throw it before it has changed anything.
 */
export class ApiError extends Error implements ErrorDetails {
	constructor(
		/** The HTTP status, 4xx. */
		readonly status: number,
		message: string,
		readonly field?: string,
		readonly code?: string,
	) {
		super(message);
	}
}
