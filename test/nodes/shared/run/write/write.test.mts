/** The way of a record to the gateway, at the points that no fault of a gateway reaches. */
import type { INodeParameters } from 'n8n-workflow';
import { expect, it, vi } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayMobility } from '../../../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { Credits } from '../../../../../nodes/shared/run/credits.js';
import { useGateway } from '../../../../support/useSandbox.mjs';
import { uploadToDuo } from '../../../../../tools/workflows.mjs';

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

it('A ticket that was bought is activated also when another one has ended the run meanwhile', async () => {
	await gateway.fault({ operationId: 'createTicket', contains: '90402', kind: 'latency', ms: 700 });
	await gateway.fault({ operationId: 'createTicket', contains: '90403', kind: 'status', status: 422 });
	const parameters: INodeParameters = {
		resource: 'ticket',
		operation: 'create',
		product_id: 'deutschlandticket-job',
		additionalFields: { postal_code: '={{ $json.place }}' },
		options: { activate: true },
	};
	const items = [{ json: { place: '90402' } }, { json: { place: '90403' } }];
	const { error } = await gateway.run(new AccountingGatewayMobility(), parameters, { items });
	expect(error?.description).toContain('Carried out: item 1. Refused: item 2.');
	expect(await gateway.list('tickets')).toMatchObject([{ status: 'active' }]);
});

it('A file that comes twice in a run, and that the gateway has already, is sent once', async () => {
	const file = { data: { content: Buffer.from('%PDF-1.4 Bon'), fileName: 'Bon.pdf' } };
	const upload = async (times: number) =>
		await gateway.run(new AccountingGatewayDelivery(), uploadToDuo(gateway.connectionId('duo')), {
			items: Array.from({ length: times }, () => ({ files: file })),
		});
	await upload(1);
	const { json } = await upload(2);
	expect(json.map(({ alreadyExisted }) => alreadyExisted)).toEqual([true, true]);
	expect(await gateway.requests()).toHaveLength(2);
});
