import type { IDataObject } from 'n8n-workflow';

/** Whether a JSON value is an object and not a list. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a field has no value: it is missing, `null`, or an empty text. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';
