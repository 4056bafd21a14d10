/** The credit balance through a run, in n8n's engine: what it stops, and what the output says of it. */
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { creditsIn } from '../../../../nodes/shared/run/credits.js';
import type { FaultInput } from '../../../../sandbox/admin/faults.mjs';
import type { RunOptions } from '../../../../host/harness.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';
import { simpleEntry } from '../../../../host/workflows.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

describe('the balance in an answer', () => {
	it.each([
		[{ svc: { neuesGuthaben: 7 } }, 7],
		[{ data: null, other: { neuesGuthaben: 'x' }, svc: { neuesGuthaben: 0 } }, 0],
		[{ svc: { neuesGuthaben: '1e999' } }, undefined],
		[{ svc: { neuesGuthaben: Infinity } }, undefined],
		[{ neuesGuthaben: 7 }, undefined],
		[null, undefined],
		['neuesGuthaben', undefined],
		[undefined, undefined],
	])('of %j is %j', (body, balance) => {
		expect(creditsIn(body)).toBe(balance);
	});
});

describe('the credits of a run', () => {
	/** Books an entry for each balance that the gateway names in its answer; `null`: it names none. */
	const book = async (
		balances: Array<number | null>,
		options: INodeParameters = {},
		own: Partial<RunOptions> = {},
	) => {
		for (const [i, balance] of balances.entries()) {
			const svc = balance === null ? null : { neuesGuthaben: balance };
			await gateway.fault({ kind: 'alter', contains: `"C-1${i}"`, set: { svc } } as FaultInput);
		}
		const parameters: INodeParameters = simpleEntry(gateway.connectionId('duo'), {
			belegnummer: '={{ "C-1" + ($itemIndex + $runIndex) }}',
			options,
		});
		const items = own.runs === undefined ? balances.map(() => ({})) : [{}];
		const { error, hints } = await gateway.run(node, parameters, { items, ...own });
		const booked = (await gateway.list('entries')).length;
		return {
			booked,
			error: error?.message,
			description: error?.description,
			hints: hints.map(({ message }) => message),
		};
	};

	it('stop the next booking below the minimum, and not at it', async () => {
		const { booked, error, hints } = await book([10, 10, 10], { minimumCredits: 10 });
		expect([booked, error]).toEqual([3, undefined]);
		expect(hints.join()).not.toContain('could not be checked');
	});

	it('name the balance, the minimum and what was not sent', async () => {
		const { booked, error, description } = await book([10, 9, 8], { minimumCredits: 10 });
		expect(booked).toBe(2);
		expect(error).toContain("The credit balance of 9 is below the minimum of 10 set in the node's options");
		expect(description).toContain('Not sent: item 3.');
		expect(description).not.toContain('On Error');
	});

	it('can be 0, which a minimum of 0 allows', async () => {
		expect(await book([0, -1, 5], { minimumCredits: 0 })).toMatchObject({ booked: 2 });
	});

	it('stop nothing without a minimum, and are told with the first balance and the lowest one', async () => {
		// Answers to simultaneous requests may arrive out of order.
		const { booked, hints } = await book([9.3, -1, 6.9]);
		expect(booked).toBe(3);
		expect(hints.join()).toContain('Credit balance: -1 after this run (9.3 after its first call)');
	});

	it('of a single booking are told as one balance', async () => {
		const { hints } = await book([7]);
		expect(hints.join()).toMatch(/Credit balance: 7 after this run$/);
		expect(hints.join()).not.toContain('could not be checked');
	});

	it('that no answer names are told to be unchecked', async () => {
		const { hints } = await book([null], { minimumCredits: 10 });
		expect(hints).toContain(
			'The gateway returned no credit balance, so the minimum of 10 could not be checked',
		);
		expect(hints.join()).not.toContain('Credit balance');
	});

	it('are not mentioned where the gateway was not asked', async () => {
		const credential = { ...gateway.credential, writes: 'dryRun' };
		const { hints } = await book([null], { minimumCredits: 10 }, { credential });
		expect(hints.join()).not.toContain('could not be checked');
	});

	it('that no answer names are not mentioned without a minimum', async () => {
		expect((await book([null])).hints.join()).not.toMatch(/credit/i);
	});

	it('go on with the latest balance in the next pass of a loop', async () => {
		const loop = { runs: 4, settings: { onError: 'continueRegularOutput' } } as const;
		expect(await book([12, 4, 20, 20], { minimumCredits: 10 }, loop)).toMatchObject({ booked: 2 });
	});
});
