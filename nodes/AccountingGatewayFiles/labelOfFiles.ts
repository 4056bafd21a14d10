import { map } from 'lodash';

import type { InputFile } from '../shared/parameters';
import { both } from '../shared/values';
import type { Bilingual } from '../shared/values';

/** Names the files that were read in a sentence about them. */
export function labelOfFiles({ datei }: { datei: InputFile[] }): Bilingual {
	const names = map(datei, 'name').join(', ');
	return datei.length === 1
		? both(`file ${names}`, `Datei ${names}`)
		: both(`files ${names}`, `Dateien ${names}`);
}
