import pWaitFor from 'p-wait-for';

import { PATIENCE_MS } from './patience.mjs';

/**
 * Waits until a value is the same in two consecutive readings.
 * @param interval between them, in milliseconds
 * @param isEnough for a value that must be reached first
 */
export async function settled<Value>(
	read: () => Value | Promise<Value>,
	interval: number,
	isEnough: (value: Value) => boolean = () => true,
): Promise<void> {
	let before: Value | undefined;
	const isSettled = async () => {
		const now = await read();
		const isSame = now === before;
		before = now;
		return isSame && isEnough(now);
	};
	await pWaitFor(isSettled, { interval, timeout: PATIENCE_MS });
}
