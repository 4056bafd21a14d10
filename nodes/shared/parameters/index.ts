/** The parameters of the form: each makes its property, and reads and checks the value. */
export {
	clean,
	hasInvalid,
	LookedUp,
	needing,
	ofSimplified,
	parameter,
	propertyOf,
	readParameters,
	shownFor,
} from './parameter';
export type { Found, List, Lookup, Parameter, ParameterMap, Spec, Values } from './parameter';

// Where a value comes from, and what is said about it.
export { InputItem, ItemFiles, isFile } from './inputItem';
export type { Holder } from './inputItem';
export { readTriggerParameters } from './triggerParameters';
export { INVALID, Place, Remarks, shorten } from './place';
export type { Invalid, Issue } from './place';
export { labelOf } from './labels';

export { choice, flag } from './kinds/choice';
export { additionalFields, collection, lines, linesOfJson } from './kinds/collection';
export { date, typedDate } from './kinds/date';
export { attachmentOf, attachmentsOf, fileIdentity, files, forReading, splitByFile } from './kinds/file';
export type { Attachment, InputFile } from './kinds/file';
export { jsonObject } from './kinds/json';
export { defineList, firstOf, locator, nameIn } from './kinds/locator';
export type { Day } from './kinds/locator';
export { amount, number, rate } from './kinds/number';
export { currency, notice, pathId, text, uuid } from './kinds/text';

// Parameters that several operations have.
export { connectionId, costCenters } from './accounting';
