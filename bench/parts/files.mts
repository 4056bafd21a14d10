/** Memory that the upload of a large file takes. */
import type { Upload } from '../files.mjs';
import { type Part, runScript } from '../measurement.mjs';

const FILE_MB = 200;

export async function measureFiles(): Promise<Part> {
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
		title: 'A large file',
		method: 'Each upload in its own process, its peak compared with that of a 1 MB file.',
		measurements: [
			upload('streamed', 'as the node sends it', 0.25),
			upload('idFromContent', 'with ID From Content', 0.25),
			upload('whole', 'as one request body in memory, for comparison'),
		],
	};
}
