import type { IExecuteFunctions } from 'n8n-workflow';
import { isEqual, range } from 'lodash';

import { Explained } from '../errors';
import { both } from '../values';
import { CREDENTIAL } from '../gateway';
import type { GatewayClient } from '../gateway';
import { itemSuffix } from './itemNames';

/**
 * Throws if an expression in the credential gives an item another value than the first one: a run has one credential,
 * and would send the item to the first one's account.
 */
export async function requireOneAccount(
	context: IExecuteFunctions,
	{ credential: first }: GatewayClient,
): Promise<void> {
	const { length } = context.getInputData();
	if (length === 1) return;
	const valuesFor = async (item: number) => await context.getCredentials(CREDENTIAL, item);
	// For an item that doesn't exist, an expression about the item fails or gives something else. So n8n decrypts a
	// credential without such an expression only once more, and not for each item.
	if (isEqual(await valuesFor(length).catch(() => undefined), first)) return;
	for (const item of range(1, length)) {
		if (isEqual(await valuesFor(item), first)) continue;
		const suffix = itemSuffix(context, [item], new Map());
		throw new Explained({
			message: both(
				`The credential has another value than for the first item${suffix.en}`,
				`Die Zugangsdaten haben einen anderen Wert als beim ersten Item${suffix.de}`,
			),
			description: both(
				'Nothing was sent: a run has one account. Put the node into "Loop Over Items" with a batch size of 1.',
				'Es wurde nichts gesendet: Ein Lauf hat nur einen Zugang. Setzen Sie den Node in „Loop Over Items“ mit Stapeln von 1.',
			),
		});
	}
}
