/** The kinds of parameters: each makes the form’s property, and reads and checks the value. */
export { companyId, connectionId } from './accounting';
export { choice, flag } from './choice';
export { additionalFields, collection, lines, linesOfJson } from './collection';
export { date, dateTime } from './date';
export { attachmentOf, attachmentsOf, fileIdentity, files } from './file';
export type { Attachment, InputFile } from './file';
export { InputItem, ItemFiles, isFile } from './inputItem';
export type { Holder } from './inputItem';
export { jsonObject } from './json';
export { defineList, firstOf, locator, nameIn } from './locator';
export type { Day } from './locator';
export { amount, number, rate } from './number';
export { clean, hasInvalid, LookedUp, parameter, propertyOf, readParameters, shownFor } from './parameter';
export type { Found, List, Lookup, Parameter, ParameterMap, Spec, Values } from './parameter';
export { INVALID, Place, Remarks, shorten } from './place';
export type { Invalid, Issue } from './place';
export { currency, notice, pathId, text, uuid } from './text';
export { readTriggerParameters } from './triggerParameters';
