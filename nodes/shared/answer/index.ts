/** What an answer says: its records, further pages, whether it is about the record that was sent, and failure. */
export { furtherPages } from './pages';
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
export { NOISE, sameAccountNumber, sameNumber, sameText, sameTime } from './same';
export type { Same } from './same';
export { UNDER_WAY, hasErrorField, isStillWorkedOn, messagesIn } from './saysFailure';
export { ANYTHING, PRESENT, listOf, oneOf, openListOf, unconfirmed, warningAbout } from './verify';
export type { ExpectedAnswer, RecordKind } from './verify';
