import type { IAllExecuteFunctions } from 'n8n-workflow';

import { Explained, asNodeError } from '../errors';
import { languageOf } from '../gateway';

/** Does a trigger's work; an error of its own leaves it in the language of the person who reads it. */
export async function explaining<T>(
	context: Pick<IAllExecuteFunctions, 'getCredentials' | 'getNode'>,
	work: () => T | Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw error instanceof Explained
			? asNodeError(context.getNode(), error, await languageOf(context))
			: error;
	}
}
