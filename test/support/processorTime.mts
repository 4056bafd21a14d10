/**
 * Milliseconds of processor time that this process takes for something. Unlike the clock, it doesn't count time used
 * by other programs.
 */
export function processorTime(work: () => unknown): number {
	const begun = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1000;
}
