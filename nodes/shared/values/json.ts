/** What a value of JSON is. */
import type { IDataObject } from 'n8n-workflow';

/** Whether a value of JSON is an object, and no list. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a field holds nothing: it isn't there, is `null`, or is an empty text. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';
