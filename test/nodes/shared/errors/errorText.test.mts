import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { type Failure, toListError, toNodeError } from '../../../../nodes/shared/errors/index.js';
import { nodeOf } from '../../../../tools/workflows.mjs';

const node = nodeOf('Delivery', 'accountingGatewayDelivery');
const failure: Failure = {
	outcome: 'refused',
	message: 'The gateway refused a value (HTTP 422)',
	description: 'Correct it.',
};

describe('the error that n8n shows', () => {
	it('has message, description and, if there was an answer, its status', () => {
		const answered = toNodeError(node, { ...failure, status: 422 });
		expect(answered).toBeInstanceOf(NodeApiError);
		expect(answered).toMatchObject({
			message: failure.message,
			description: failure.description,
			httpCode: '422',
		});
		const lost = toNodeError(node, failure);
		expect(lost).toBeInstanceOf(NodeOperationError);
		expect([lost.message, lost.description]).toEqual([failure.message, failure.description]);
	});

	it('is not replaced by n8n’s own text about a system code that the gateway names', () => {
		const message = 'The gateway refused a value (HTTP 422): “ENOENT”';
		expect(toNodeError(node, { ...failure, message, status: 422 }).message).toBe(message);
	});

	it.each([
		['Use <number>-<number>', 'Use &lt;number&gt;-&lt;number&gt;'],
		['Meyer & Co', 'Meyer &amp; Co'],
		// Without a tag in it, quotes stay readable wherever n8n shows them.
		['The gateway says: "Nein"', 'The gateway says: "Nein"'],
	])('shows %s as it is written: n8n takes descriptions for HTML', (description, html) => {
		expect(toNodeError(node, { ...failure, description }).description).toBe(html);
	});
});

describe('the error of a list in the form', () => {
	it('is one whose description reaches the editor, as plain text', () => {
		const error = toListError(node, { message: 'No', description: 'a < b', status: 404 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({ message: 'No', description: 'a < b', httpCode: '404' });
		expect(toListError(node, { message: 'No', description: '' })).toMatchObject({ message: 'No' });
	});
});
