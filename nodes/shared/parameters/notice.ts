import type { Parameter } from './parameter';

/** A text in the form; it has no value. */
export const notice = (displayName: string): Parameter<undefined> => ({
	property: { displayName, type: 'notice', default: '' },
	read: () => undefined,
});
