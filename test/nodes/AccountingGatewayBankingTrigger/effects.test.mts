/** No setting of the payment trigger is without effect, with and without Verify: or the form hides it and the trigger refuses it by name. */
import map from 'lodash/map.js';
import type { IDataObject, INodeParameters, INodeProperties, NodeParameterValueType } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE_EVENT } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { isShown, withValue } from '../../conformance/settings.mjs';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import { TriggerWorkflow } from '../../../host/triggerHarness.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBankingTrigger();

const OTHER: Record<string, NodeParameterValueType> = {
	status: ['failed'],
	template_identifier: ['SEPA_INSTANT'],
	quelle: 'Another',
	allowPrivateUrl: true,
	api: 'openbanking',
	urlField: 'address',
	otherEvents: true,
	verify: false,
};

const fields = node.description.properties.flatMap((property) =>
	property.type === 'collection'
		? (property.options as INodeProperties[]).map((one) => ({ path: `options.${one.name}`, property: one }))
		: [{ path: property.name, property }],
);

/** Everything that the gateway and a person notice of the publication, a payment's event and one of another kind. */
async function effect(parameters: INodeParameters, n8nUrl: string) {
	await fetch(`${gateway.sandbox.url}/sandbox/reset`, { method: 'POST' });
	new FakeDatabase().install();
	const { payments } = gateway.sandbox.services;
	const { id } = payments.create({ status: 'authorizing' });
	payments.move(id, 'processing');
	const options = { credential: gateway.credential, workflowId: 'e', workflowName: 'Zahlungen', n8nUrl };
	const workflow = new TriggerWorkflow(node, { ...options, parameters });
	const problem = await workflow.create().then(
		() => '',
		(error: Error) => error.message,
	);
	const events: object[] = [
		{ ...EXAMPLE_EVENT, data: { ...EXAMPLE_EVENT.data, payment_id: id, status: 'processing' } },
		{ event: 'account_update', data: {} },
	];
	const { json, error, hints } = await workflow.run([
		events.map((event) => ({ json: event as IDataObject })),
	]);
	const asked = (await gateway.requests()).map(({ method, query, body }) => [
		method,
		query,
		Object.keys((body ?? {}) as object),
	]);
	const seen = JSON.stringify([problem, json, error?.message, map(hints, 'message'), asked]);
	return { seen: seen.replaceAll(id, 'ID').replace(/"[^"]*(?:created|received)_at":"[^"]*"/g, ''), problem };
}

it.each([[true], [false]])('With Verify: %s', async (verify) => {
	const without: string[] = [];
	for (const { path, property } of fields) {
		const { name, type, options = [] } = property;
		// There is one kind of event so far.
		if (type === 'notice' || (name === 'event' && options.length === 1)) continue;
		expect(OTHER[name], `a value of ${path}`).toBeDefined();
		const url = name === 'allowPrivateUrl' ? 'http://localhost:5678' : 'https://n8n.example.com';
		// As an expression, which n8n can't tell when it hides fields.
		const base = { options: { verify: `={{ ${verify} }}` } };
		const { seen: before } = await effect(base, url);
		expect((await effect(base, url)).seen, 'the same again').toBe(before);
		const value = name === 'verify' ? !verify : OTHER[name];
		const { seen, problem } = await effect(withValue(base, path, value), url);
		if (isShown(node, property, { options: { verify } })) {
			if (seen === before) without.push(path);
		} else if (!problem.includes(`(${name}) has no effect`))
			without.push(`${path}, hidden, but not refused: ${problem}`);
	}
	expect(without).toEqual([]);
});
