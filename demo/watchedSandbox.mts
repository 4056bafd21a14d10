import { onFreePort, PORT_TAKEN, PortTaken } from '../scripts/base/ports.mjs';
import { ROOT, runQuietly } from '../scripts/base/processes.mjs';

/**
 * Runs the sandbox as a program that starts again when its sources change, at the same port and with its state.
 * @param preferredPort if it is taken, a free one is used
 * @param show gets what it prints
 * @returns its URL, when it has begun; `ended` resolves to why it has ended
 */
export async function startWatchedSandbox(
	preferredPort: number,
	stateFile: string,
	show: (text: string) => void,
	stop: AbortSignal,
): Promise<{ url: string; ended: Promise<string> }> {
	return await onFreePort([preferredPort], async (port) => {
		const taken = new AbortController();
		const begin = async (said: (text: string) => void) => {
			const tsx = ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false'];
			const sandbox = ['sandbox/main.mts', '--port', String(port), '--state', stateFile];
			const { reason } = await runQuietly(process.execPath, [...tsx, ...sandbox], {
				cwd: ROOT,
				stop: AbortSignal.any([stop, taken.signal]),
				onOutput: (text) => {
					show(text);
					said(text);
				},
			});
			return reason;
		};
		let ended!: Promise<string>;
		const firstWords = new Promise<string>((resolve) => {
			ended = begin(resolve);
		});
		if (!(await Promise.race([firstWords, ended])).includes(PORT_TAKEN))
			return { url: `http://127.0.0.1:${port}`, ended };
		// It goes on watching the sources of a sandbox that has ended.
		taken.abort();
		await ended.catch(() => {});
		throw new PortTaken(`The sandbox's port, ${port}, is taken.`);
	});
}
