/** The one way to n8n’s processed data, which outlives an execution. */
export {
	MOST_REMEMBERED,
	OtherFormat,
	SETTLED_MS,
	addEntries,
	openRow,
	removeEntries,
	serialize,
	settled,
} from './processedData';
