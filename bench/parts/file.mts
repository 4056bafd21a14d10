/** Memory that the upload of a large file takes: by our node, which streams it, and as one request body in memory. */
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

import { hostNode } from '../../host/n8n.mjs';
import { alternate, compared, EARLIER, megabytes, type Part } from '../measurement.mjs';
import type { Sides } from '../n8n.mjs';
import { startGateway } from '../quickGateway.mjs';

const UPLOAD = fileURLToPath(new URL('../upload.mts', import.meta.url));
/** Megabytes (10^6 bytes) of the large file, and of the small one whose peak is the baseline. */
const LARGE = 200;
const SMALL = 1;

/**
 * Megabytes by which the peak of memory (RSS) is higher for a file of this size than for a small one. Each upload is a process of
 * its own, because the peak is measured for a whole process.
 * @param node the Node.js that uploads
 * @param folder of another version of the package, compiled
 */
export async function growthByUpload(
	way: 'streamed' | 'whole',
	size: number,
	node = process.execPath,
	folder?: string,
): Promise<number> {
	const gateway = await startGateway(async (body) => {
		let bytes = 0;
		for await (const chunk of body) bytes += (chunk as Buffer).length;
		return { id: 'document', dateiname: 'Beleg.pdf', bytes };
	});
	const peakOf = async (of: number) => {
		const { stdout } = await execa(node, [
			'--import',
			'tsx',
			UPLOAD,
			way,
			String(of),
			gateway.url,
			...(folder ? [folder] : []),
		]);
		return Number(stdout) / 1e6;
	};
	const growth = -(await peakOf(SMALL)) + (await peakOf(size));
	await gateway.close();
	return growth;
}

const OURS = 'this package';
const AS_ONE = 'as one request body';

export async function measureFile({ earlier }: Sides, roundCount: number): Promise<Part> {
	const upload = (way: 'streamed' | 'whole', folder?: string) => async () =>
		await growthByUpload(way, LARGE, hostNode(), folder);
	const contenders = {
		[OURS]: upload('streamed'),
		[EARLIER]: upload('streamed', earlier.folder),
		[AS_ONE]: upload('whole'),
	};
	const rounds = await alternate(contenders, roundCount, 0);
	return {
		title: 'A large file',
		method: `Each upload is a process of its own, whose peak is compared with that of a ${SMALL} MB file.`,
		figures: compared(rounds, {
			what: `A file of ${LARGE} MB: growth of memory (RSS)`,
			by: (growth) => growth,
			unit: megabytes,
			of: OURS,
			to: { [AS_ONE]: 0.25 },
		}),
	};
}
