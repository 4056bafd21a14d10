/** Buys or creates something only once for a person or company, as the node remembers for whom it did. */
import { compact } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { AddNote, RecordIdentity } from '../shared/operation';
import { cutLine } from '../shared/errors';
import { text } from '../shared/parameters';
import { both } from '../shared/values';
import type { Bilingual } from '../shared/values';

const ONLY_ONCE_FOR = 'Only Once For';

/** Has neither a letter nor a digit but 0, so that it would stand for everybody. */
const NOBODY = /^[^\p{L}1-9]*$/u;

const field = text({
	displayName: ONLY_ONCE_FOR,
	description:
		'Whom it is for, e.g. a personnel number (onlyOnceFor, Nur einmal für): what this node has sent for the same one before comes out without a request, with alreadyExisted, in this run or a later one. When empty, each run sends it again, with a warning. Compared without spaces, case and leading zeros. The node notes it in n8n’s database before it sends, up to 50,000; then it sends nothing more. A request of unknown outcome is reported once more and then left to a person.',
	placeholder: 'e.g. {{ $json.Personalnummer }}',
	asWritten: true,
	max: 200,
	decisive: true,
});

export const onlyOnceFor: typeof field = {
	...field,
	// Nothing that an expression gives would look as if something were checked.
	read(given, place) {
		const isExpression = String(place.holder.inForm?.(place.path ?? '') ?? '').startsWith('=');
		return typeof given === 'string' && NOBODY.test(given) && (isExpression || given !== '')
			? place.addIssue(
					both(
						'names nobody: give e.g. a personnel number, or leave the field empty',
						'nennt niemanden: Geben Sie z. B. eine Personalnummer an, oder lassen Sie das Feld leer',
					),
					given,
				)
			: field.read(given, place);
	},
};

/** Warns where nothing keeps the next run from sending it again. @param again what it would do */
export function noteIfEmpty(given: string | undefined, addNote: AddNote, again: Bilingual): void {
	if (given === undefined)
		addNote(
			'onlyOnceFor',
			ONLY_ONCE_FOR,
			both(`is empty: each run ${again.en}`, `ist leer: Jeder Lauf ${again.de}`),
		);
}

/** Personnel numbers lose their leading zeros in a spreadsheet, and get characters without width from a page. */
const sameFor = (given: string) =>
	given
		.normalize('NFKC')
		.replace(/[\s\p{Cf}]+/gu, '')
		.toLowerCase()
		.replace(/^0+(?=.)/, '');

/**
 * @param what is sent, e.g. `ticket`: a name in the memory
 * @param there says what there is already
 */
export function identityFor(
	what: string,
	given: string | undefined,
	there: Bilingual,
): RecordIdentity | undefined {
	if (given === undefined) return undefined;
	const value = sameFor(given);
	return {
		kind: 'onlyOnce',
		field: 'onlyOnceFor',
		value,
		content: `${what} for ${value}`,
		outputIfExisted: (_said, first) => ({
			record: { ...first, onlyOnceFor: given, alreadyExisted: true },
			warning: existing(given, there, first),
		}),
		again: 'never',
		recognizedBy: ONLY_ONCE_FOR,
	};
}

/** @param first the same one's record of this run; what came of an earlier run, the memory doesn't hold */
function existing(given: string, there: Bilingual, first?: IDataObject): Bilingual {
	const [name, quoted] = [first?.product_name ?? first?.name, cutLine(given, MAX_QUOTE)];
	const which =
		first &&
		compact([name, first.id])
			.map((one) => cutLine(String(one), MAX_QUOTE))
			.join(', ');
	return both(
		`for "${quoted}", ${there.en}${which ? ` (${which})` : ' in an earlier run'}: nothing was sent`,
		`Für „${quoted}“ ${there.de}${which ? ` (${which})` : ' aus einem früheren Lauf'}: Es wurde nichts gesendet.`,
	);
}

const MAX_QUOTE = 60;
