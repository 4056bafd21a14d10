import type { FastifyError, FastifyInstance } from 'fastify';
import { ZodError } from 'zod';
import { shapeError, textOf } from '../admin/variants.mjs';
import type { SandboxContext } from '../context.mjs';
import { ApiError, type ErrorDetails } from './apiError.mjs';

/** Turns every error into a JSON answer. Status 500 means a bug in the sandbox, so the error is also printed. */
export function answerErrors(app: FastifyInstance, context: SandboxContext): void {
	app.setErrorHandler<FastifyError | ApiError | ZodError>((error, request, reply) => {
		const { status, ...details } = explain(error);
		if (status === 500) console.error(error);
		if (request.logEntry)
			Object.assign(request.logEntry, { error: details.message, errorCode: details.code });
		// Variants apply only to the gateway; errors of the control API keep their structure.
		const shaped = shapeError(request.logEntry ? context.variants : {}, status, details);
		return reply.code(shaped.status).type(shaped.type).send(textOf(shaped));
	});
}

function explain(error: FastifyError | ApiError | ZodError): ErrorDetails & { status: number } {
	if (error instanceof ApiError) return { ...error, message: error.message };
	if (error instanceof ZodError) {
		const [{ message, path, code }] = error.issues;
		return { status: 400, message, field: path.join('/'), code };
	}
	const { statusCode = 500, message, code } = error;
	if (statusCode === 415) {
		return {
			status: 415,
			message: 'The body must be application/json.',
			field: 'content-type',
			code: 'type',
		};
	}
	if (statusCode === 413) {
		return { status: 413, message: 'The body is too large.', field: 'body', code: 'size' };
	}
	return { status: statusCode, message, code };
}
