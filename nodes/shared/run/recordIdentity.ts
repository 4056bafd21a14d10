/** What a run asks of a record's identity, by its kind. */
import type { IDataObject } from 'n8n-workflow';

import type { Again, OnDay, RecordIdentity } from '../operation';

/** Identifies a record: by its number, whatever the case of its letters, or else by its content; `undefined` if nothing does. */
export function identityKey(identity?: RecordIdentity): string | undefined {
	if (identity === undefined) return undefined;
	if (identity.kind === 'content') return identity.content;
	return JSON.stringify([identity.within, identity.value]).toLowerCase();
}

/** The number or ID of a record, under the name of its field. */
export const numberOf = (identity?: RecordIdentity): IDataObject | undefined =>
	identity === undefined || identity.kind === 'content' ? undefined : { [identity.field]: identity.value };

/** What the node's memory knows a record by; `undefined` if it doesn't remember it. */
export const rememberedContent = (identity?: RecordIdentity): string | undefined =>
	identity === undefined || identity.kind === 'given' ? undefined : identity.content;

/** What the node's memory knows of the day of a record, if that depends on the workflow's time zone. */
export const rememberedDay = (identity?: RecordIdentity): OnDay | undefined =>
	identity?.kind === 'content' ? identity.onDay : undefined;

/** Whether equal records of a run are one, which is sent once. */
export function isSentOnce(identity?: RecordIdentity): boolean {
	if (identity?.kind === 'made') return identity.isOneRecord === true;
	return identity?.kind === 'onlyOnce';
}

/** Whether another run of the same items writes a record again. */
export function againOf(identity?: RecordIdentity): Again {
	if (identity === undefined) return 'always';
	if (identity.kind !== 'given') return identity.again;
	return identity.recognizedBy === undefined ? 'always' : 'never';
}
