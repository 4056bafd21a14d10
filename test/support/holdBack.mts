/** Answers of a sandbox in this process that wait for a sign. */
import { vi } from 'vitest';

import type { Faults } from '../../sandbox/admin/faults.mjs';

type Strike = Parameters<Faults['strike']>;

/**
 * Holds requests of the sandbox back, at the points where its faults strike.
 * @returns lets them go on, and all later ones
 */
export function holdBack(
	faults: Faults,
	isHeld: (operationId: Strike[0], point: Strike[1], request: Strike[3]) => boolean,
): () => void {
	const strike = faults.strike.bind(faults);
	let release = () => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	vi.spyOn(faults, 'strike').mockImplementation(async (...given) => {
		const [operationId, point, , request] = given;
		if (isHeld(operationId, point, request)) await released;
		return await strike(...given);
	});
	return release;
}
