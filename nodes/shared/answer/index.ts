/** What an answer says: its records, whether it is about the record that was sent, failure, and what else it says. */
export { besidesIn } from './besides';
export type { Beside } from './besides';
export {
	flat,
	idsIn,
	isEmptyList,
	listIn,
	oncePerAnswer,
	recordOf,
	recordsOf,
	recordsOfList,
	rowsOf,
	untouched,
} from './records';
export { NOISE, otherDay, sameNumber, sameText, sameTime } from './same';
export type { Same } from './same';
export { rejectionIn, replyMessages, replyWarning } from './reply';
export {
	ANY_VALUE,
	ANYTHING,
	PRESENT,
	agreesWith,
	listOf,
	oneOf,
	openListOf,
	unconfirmed,
	warningAbout,
} from './verify';
export type { ExpectedAnswer, Fields, RecordKind } from './verify';
