/** The way of a record to the gateway, at the points that no fault of a gateway reaches. */
import type { INodeParameters } from 'n8n-workflow';
import { expect, it, vi } from 'vitest';

import { AccountingGatewayMobility } from '../../../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { Credits } from '../../../../../nodes/shared/run/credits.js';
import { useGateway } from '../../../../support/useSandbox.mjs';

const gateway = useGateway();

it('A ticket that was bought is not activated once the execution is canceled, and the error says what exists', async () => {
	let cancel = () => {};
	const canceled = new Promise<void>((resolve) => (cancel = resolve));
	// The answer of the first request has just arrived.
	vi.spyOn(Credits.prototype, 'update').mockImplementation(() => cancel());
	const parameters: INodeParameters = {
		resource: 'ticket',
		operation: 'create',
		product_id: { __rl: true, mode: 'id', value: 'deutschlandticket-job' },
		additionalFields: { postal_code: '90402' },
		options: { activate: true },
	};
	const { error } = await gateway.run(new AccountingGatewayMobility(), parameters, { cancel: canceled });
	const sent = (await gateway.requests()).filter(({ method }) => method === 'POST');
	expect(sent.map(({ operationId }) => operationId)).toEqual(['createTicket']);
	expect(error?.description).toMatch(/^It has the ID .+: activate it with the operation "Activate"/);
});
