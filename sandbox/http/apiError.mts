/** The content of an error answer; a variant decides its JSON structure. */
export interface ErrorDetails {
	message: string;
	/** The invalid field or parameter, as the request names it: `kassenname`, `belegbilder/0/content`. */
	field?: string;
	/** Machine-readable name of the violated rule: `DUPLICATE`, `unknown`. */
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
