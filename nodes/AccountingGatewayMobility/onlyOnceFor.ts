/** Buys or creates something only once for a person or company, as the node remembers for whom it did. */
import type { RecordIdentity } from '../shared/operation';
import { text } from '../shared/parameters';
import { both } from '../shared/values';

const ONLY_ONCE_FOR = 'Only Once For';

/** Has neither a letter nor a digit but 0, so that it would stand for everybody. */
const NOBODY = /^[^\p{L}1-9]*$/u;

const option = text({
	displayName: ONLY_ONCE_FOR,
	description:
		'Whom it is for, e.g. a personnel number: what this node has sent for the same one before comes out without a request, with alreadyExisted, in this run or a later one (Personalnummer). Compared without spaces, case and leading zeros. The node notes it in n8n’s database before it sends, up to 50,000; then it sends nothing more. A request of unknown outcome is reported once more and then left to a person.',
	placeholder: 'e.g. {{ $json.Personalnummer }}',
	asWritten: true,
	max: 200,
	decisive: true,
});

export const onlyOnceFor: typeof option = {
	...option,
	// An empty one would look as if something were checked.
	read: (given, place, ...rest) =>
		typeof given === 'string' && NOBODY.test(given)
			? place.addIssue(
					both(
						'names nobody: give e.g. a personnel number, or remove the option',
						'nennt niemanden: Geben Sie z. B. eine Personalnummer an, oder entfernen Sie die Option',
					),
					given,
				)
			: option.read(given, place, ...rest),
};

/** Personnel numbers lose their leading zeros in a spreadsheet, and get characters without width from a page. */
const sameFor = (given: string) =>
	given
		.normalize('NFKC')
		.replace(/[\s\p{Cf}]+/gu, '')
		.toLowerCase()
		.replace(/^0+(?=.)/, '');

/** @param what is sent, e.g. `ticket` */
export function identityFor(what: string, given: string | undefined): RecordIdentity | undefined {
	if (given === undefined) return undefined;
	const value = sameFor(given);
	return {
		kind: 'onlyOnce',
		field: 'onlyOnceFor',
		value,
		content: `${what} for ${value}`,
		outputIfExisted: (_said, first) => ({ record: { ...first, onlyOnceFor: given, alreadyExisted: true } }),
		again: 'never',
		recognizedBy: ONLY_ONCE_FOR,
	};
}
