import { isObjectLike } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

/** Whether a JSON value is an object and not a list. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a field has no value: it is missing, `null`, or an empty text. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The deepest nesting that is taken; n8n, and JavaScript itself, would fail at storing much deeper values. */
export const MAX_NESTING = 100;

export const isTooDeep = (value: unknown, levels = MAX_NESTING): boolean =>
	isObjectLike(value) &&
	(levels === 0 || Object.values(value as object).some((inner) => isTooDeep(inner, levels - 1)));
