/** Checking many items before the first is sent, and what a long run and large files take in memory. */
import type { Upload } from '../files.mjs';
import type { LongRun } from '../longRun.mjs';
import { milliseconds, type Part, runScript } from '../measurement.mjs';

const ITEMS = 100_000;
const RUN = 50_000;
const FILE_MB = 200;

export async function measureChecks(): Promise<Part> {
	const half = await runScript<LongRun>('longRun.mts', String(ITEMS / 2), '--checks');
	const whole = await runScript<LongRun>('longRun.mts', String(ITEMS), '--checks');
	const reading = await runScript<LongRun>('longRun.mts', String(ITEMS), '--reading');
	return {
		title: 'Checks',
		method: `${ITEMS.toLocaleString('en')} cash-book entries, three of whose fields are expressions, in n8n's engine (n8n-core) without the rest of n8n, from the node's start to its first request. n8n's older expression engine is used, so that the package's own work shows.`,
		measurements: [
			{
				what: `${ITEMS.toLocaleString('en')} items: processor time for each`,
				against: 'ms',
				ours: milliseconds(whole.check),
				value: whole.check,
				goal: 0.25,
			},
			{
				what: `The same without what n8n itself takes to read the parameters (${milliseconds(reading.check)})`,
				against: 'ms',
				ours: milliseconds(whole.check - reading.check),
				value: whole.check - reading.check,
				goal: 0.12,
			},
			{
				what: `${ITEMS.toLocaleString('en')} items against half as many: processor time`,
				against: 'half as many',
				ours: milliseconds(whole.check * ITEMS),
				theirs: milliseconds((half.check * ITEMS) / 2),
				value: (2 * whole.check) / half.check,
				goal: 2.2,
			},
			{
				what: 'A checked request in memory, besides its item',
				against: 'bytes',
				ours: `${whole.checked.toFixed(0)} bytes`,
				value: whole.checked,
				goal: 1000,
			},
		],
	};
}

export async function measureMemory(): Promise<Part> {
	const half = await runScript<LongRun>('longRun.mts', String(RUN / 2));
	const run = await runScript<LongRun>('longRun.mts', String(RUN));
	const further = 2 * run.growth! - half.growth!;
	const uploads = await runScript<Upload[]>('files.mts', String(FILE_MB));
	const growthOf = (way: Upload['way']) => {
		const [small, large] = uploads.filter((upload) => upload.way === way);
		return (large.peak - small.peak) / (large.size - small.size);
	};
	const upload = (way: Upload['way'], what: string, goal?: number) => ({
		what: `A file of ${FILE_MB} MB, ${what}: growth of memory (RSS)`,
		against: "the file's size",
		ours: `${(growthOf(way) * FILE_MB).toFixed(0)} MB`,
		value: growthOf(way),
		goal,
	});
	return {
		title: 'Memory',
		method: `${RUN.toLocaleString('en')} bookings in one execution, from the node's start to the last request, with the answers that a *Retry* needs; each upload in its own process, its peak compared with that of a 1 MB file.`,
		measurements: [
			{
				what: `${RUN.toLocaleString('en')} bookings: growth of memory for each`,
				against: 'bytes',
				ours: `${run.growth!.toFixed(0)} bytes`,
				value: run.growth!,
				goal: 1400,
			},
			{
				what: `The same for each further one, against ${(RUN / 2).toLocaleString('en')}`,
				against: 'bytes',
				ours: `${further.toFixed(0)} bytes`,
				value: further,
			},
			upload('streamed', 'as the node sends it', 0.25),
			upload('idFromContent', 'with ID From Content', 0.25),
			upload('whole', 'as one request body in memory, for comparison'),
		],
		notes: [
			`What stays in memory of a booking: the gateway's whole answer (${run.answer!.toFixed(0)} bytes), which a *Retry* needs; the output (${run.output!.toFixed(0)} bytes if it shared no text with the answer); what a *Retry* recognizes the item by (its place in the input, its hash, the place it went to, and its number); and its outcome. Checked requests are freed as they are sent. The first half takes more because code is loaded or compiled meanwhile.`,
		],
	};
}
