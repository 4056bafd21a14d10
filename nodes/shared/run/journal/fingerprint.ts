import { replaceCircularReferences } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { omit } from 'lodash';
import { createHash } from 'node:crypto';

import { isFile } from '../../parameters/inputItem';
import { isTool } from '../isTool';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * Identifies an input item. The fingerprint doesn't include the request: `$now` or a random number in an expression
 * would change it each time, and the same entry would be booked again. It doesn't include the IDs of files either: n8n
 * changes those of a webhook or form when it stores the execution.
 */
export function fingerprint(context: IExecuteFunctions, item: number): string {
	const { json, binary = {} } = context.getInputData()[item];
	// The agent's model gives each call a new ID.
	const given = isTool(context) ? omit(json, 'toolCallId') : json;
	// n8n's function takes arrays, too; its type doesn't say so.
	const pair = [given, binary] as unknown as IDataObject;
	return sha256(
		JSON.stringify(replaceCircularReferences(pair), (_, value: unknown) =>
			isFile(value) && value.id !== undefined ? omit(value, 'id') : value,
		),
	);
}

/** Identifies several items as one record. */
export const fingerprintOfAll = (ofItems: string[]): string =>
	ofItems.length === 1 ? ofItems[0] : sha256(ofItems.join(' '));
