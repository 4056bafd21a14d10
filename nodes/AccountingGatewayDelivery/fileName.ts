/** The name that a file gets for the gateway, a field of uploads and of entries. */
import { text } from '../shared/parameters';
import { both } from '../shared/values';
import type { Rule } from '../shared/values';

export const dateiname = text({
	displayName: 'File Name',
	description: "Name to store the file under, instead of the file's own (dateiname, Dateiname)",
	placeholder: 'e.g. Rechnung 4711.pdf',
});

/** A name is for one file. @returns how that is broken */
export function brokenName(name: string | undefined, { length }: unknown[]): Rule | undefined {
	if (name === undefined || length === 1) return undefined;
	return length === 0
		? both(
				'has no file: leave it out where there is none, or send one',
				'hat keine Datei: Lassen Sie ihn weg, wo es keine gibt, oder senden Sie eine',
			)
		: both(
				`can't be the name of ${length} files: leave it out, or send one`,
				`kann nicht der Name von ${length} Dateien sein: Lassen Sie ihn weg oder senden Sie eine`,
			);
}
