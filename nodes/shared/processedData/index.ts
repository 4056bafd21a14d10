/** The one way to n8n’s processed data, which outlives an execution. */
export {
	MOST_REMEMBERED,
	SETTLED_MS,
	addEntries,
	countEntries,
	removeEntries,
	serialize,
	settled,
} from './processedData';
