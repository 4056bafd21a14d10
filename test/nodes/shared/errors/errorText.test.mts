import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { type Failure, failureText, toNodeError } from '../../../../nodes/shared/errors/index.js';
import { both, sameInBoth } from '../../../../nodes/shared/values/index.js';
import { nodeOf } from '../../../../host/workflows.mjs';

const node = nodeOf('Delivery', 'accountingGatewayDelivery');
const failure: Failure = {
	outcome: 'refused',
	message: both('The gateway refused a value (HTTP 422)', 'Das Gateway hat einen Wert abgelehnt (HTTP 422)'),
	description: both('Correct it.', 'Berichtigen Sie ihn.'),
};

describe('the error that n8n shows', () => {
	it('has message, description and, if there was an answer, its status', () => {
		const answered = toNodeError(node, { ...failure, status: 422 }, 'en');
		expect(answered).toBeInstanceOf(NodeApiError);
		expect(answered).toMatchObject({
			message: failure.message.en,
			description: failure.description.en,
			httpCode: '422',
		});
		const lost = toNodeError(node, failure, 'de');
		expect(lost).toBeInstanceOf(NodeOperationError);
		expect([lost.message, lost.description]).toEqual([failure.message.de, failure.description.de]);
	});

	it('is not replaced by n8n’s own text about a system code that the gateway names', () => {
		const message = 'The gateway refused a value (HTTP 422): “ENOENT”';
		expect(toNodeError(node, { ...failure, message: sameInBoth(message), status: 422 }, 'en').message).toBe(
			message,
		);
	});

	it.each([
		['Use <number>-<number>', 'Use &lt;number&gt;-&lt;number&gt;'],
		['Meyer & Co', 'Meyer &amp; Co'],
		// Without a tag in it, quotes stay readable wherever n8n shows them.
		['The gateway says: "Nein"', 'The gateway says: "Nein"'],
	])('shows %s as it is written: n8n takes descriptions for HTML', (description, html) => {
		expect(toNodeError(node, { ...failure, description: sameInBoth(description) }, 'en').description).toBe(
			html,
		);
	});
});

it('what the gateway says about a refusal is in the headline, in the quotes of the language', () => {
	const { message, description } = failureText({ ...failure, said: 'Nein', label: both('R-17', 'Nr. R-17') });
	expect(message.de).toBe('Das Gateway hat einen Wert abgelehnt (HTTP 422): „Nein“');
	expect(description).toEqual({ en: 'R-17: Correct it.', de: 'Nr. R-17: Berichtigen Sie ihn.' });
});
