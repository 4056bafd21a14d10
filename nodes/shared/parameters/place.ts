import { isResourceLocatorValue } from 'n8n-workflow';
import { attempt, isError, isNil } from 'lodash';

import { cut, maskSensitive, oneLine, presentableIn } from '../errors';
import { both, numberIn } from '../values';
import type { Bilingual, Rule } from '../values';
import type { Holder } from './inputItem';
import { labelOf } from './labels';

/** A value that breaks a rule, found before anything is sent. */
export interface Issue {
	/** The field's name in the gateway and in the node, e.g. `belegzeilen[2].betrag`. */
	field: string;
	/** The field's name in the form. */
	title: string;
	/** The given value, shortened; files and IBANs aren't shown. */
	value: string;
	/** A given number as Germans write it. */
	germanValue?: string;
	/** The rule that the value breaks. */
	rule: Rule;
}

/** Replaces a value that breaks a rule; its issue has been added. */
export const INVALID = Symbol('invalid');
export type Invalid = typeof INVALID;

const SHOWN_CHARACTERS = 60;
/** An IBAN with separators between its characters is up to twenty times as long as what is shown of it. */
const MASKED_CHARACTERS = SHOWN_CHARACTERS * 20;

export function shorten(value: unknown): string {
	const json = typeof value === 'string' ? value : attempt(() => JSON.stringify(value) ?? String(value));
	// An object that contains itself, or is nested very deeply, can't be written as JSON.
	const text = isError(json) ? Object.prototype.toString.call(value) : json;
	const masked = maskSensitive(oneLine(cut(text, MASKED_CHARACTERS)));
	return masked.length > SHOWN_CHARACTERS ? `${cut(masked, SHOWN_CHARACTERS)}…` : masked;
}

/**
 * The German term in some names of the form, e.g. `(Belegnummer)`. Errors show the gateway's name of the field instead.
 */
const GERMAN_TERM = / \([^()\p{Ll}]*\p{Ll}[^()]*\)$/u;

const withoutGermanTerm = (title: string) => title.replace(GERMAN_TERM, '');

/** What is found while the values of an item are read. */
export class Remarks {
	/** The rules that they break. */
	readonly issues: Issue[] = [];
	/** What a person should know, e.g. which of the item's files weren't sent. */
	readonly notes: Bilingual[] = [];

	/** @param given the value to show; nothing by default */
	addIssue(field: string, title: string, rule: Rule, given: unknown = ''): Invalid {
		this.issues.push({
			field,
			title: withoutGermanTerm(title),
			value: shorten(given),
			...(typeof given === 'number' && { germanValue: numberIn('de', given) }),
			rule: presentableIn(rule),
		});
		return INVALID;
	}

	addNote(field: string, title: string, text: Rule): void {
		const label = labelOf(withoutGermanTerm(title));
		this.notes.push(both(`${label.en} (${field}) ${text.en}`, `${label.de} ${text.de}.`));
	}
}

const valueOf = (given: unknown): unknown => (isResourceLocatorValue(given) ? given.value : given);

/** The place of a value: its field, what holds it, and where remarks about it go. */
export class Place {
	constructor(
		readonly holder: Holder,
		readonly remarks: Remarks,
		/** The field's name as in `Issue`; empty for the item as a whole. */
		readonly field: string,
		readonly title: string,
		/** Where it is in the form, e.g. `additionalFields.dateiname`; without it, nothing is known about its expression. */
		readonly path?: string,
	) {}

	at(field: string, title: string, path?: string): Place {
		return new Place(this.holder, this.remarks, field, title, path);
	}

	/** Adds an issue: the value breaks a rule. @param given the value to show; nothing by default */
	addIssue(rule: Rule, given?: unknown): Invalid {
		return this.remarks.addIssue(this.field, this.title, rule, given);
	}

	addNote(text: Rule): void {
		this.remarks.addNote(this.field, this.title, text);
	}

	/** Another parameter's value as it is given; an error if its expression fails, which is that parameter's issue. */
	other(name: string): unknown {
		return attempt(() => this.holder.raw(name));
	}

	/**
	 * Whether a value is missing by mistake: its expression gave `undefined` or `null`, as it does when a name in it is
	 * misspelled. An expression that gives `''` doesn't count: it names an empty cell, or ends in `?? ''` on purpose.
	 * Where there is text around `{{ }}`, n8n turns `undefined` into `''`, so there `''` counts.
	 * @param given the value, of which nothing is left without spaces
	 */
	isMissingByMistake(given: unknown): boolean {
		const expression = this.path && valueOf(this.holder.inForm?.(this.path));
		if (typeof expression !== 'string' || !expression.startsWith('=')) return false;
		if (isNil(valueOf(given))) return true;
		const isWhole = expression.startsWith('={{') && expression.indexOf('}}') === expression.length - 2;
		return !isWhole && expression.includes('{{');
	}
}
