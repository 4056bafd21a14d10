/** What a dry run says about an entry, to a person who approves it: amount and text first, its number last. */
import { compact, partition, uniq } from 'lodash';

import { cutLine } from '../../shared/errors';
import type { Body } from '../../shared/gateway';
import { amountIn, bilingual, dayIn, numberIn, sum } from '../../shared/values';
import type { Bilingual, Language } from '../../shared/values';

type Simple = Body<'POST /v2/acct-duo/kassenbuch-einfach'>;
type Advanced = Body<'POST /v2/acct-duo/kassenbuch-advanced'>;
type Line = Advanced['belegzeilen'][number];

/** Between the facts, so that a workflow can show each on a line of its own; no text from outside has it. */
const BETWEEN = ' · ';
const MAX_FACT = 100;
/** How many lines of an entry are shown one by one. */
const MAX_SUMMARY_LINES = 20;

/** A text from outside, which can't look like the end of a quotation, another fact or HTML. */
const harmless = (text: string) => cutLine(text, MAX_FACT).replace(/[„“”·&<>]+/g, ' ');

const SUMMARY_WORDS = {
	en: {
		income: 'Would book income of',
		expense: 'Would book an expense of',
		neither: 'Would book an entry of',
		quotes: '“”',
		cashBook: 'cash book',
		account: 'account',
		tax: 'tax',
		key: 'tax key',
		receiptNumber: 'receipt no.',
		costCenter: 'cost center',
		comesIn: 'in',
		goesOut: 'out',
		more: 'more lines:',
		receipts: 'receipts:',
		number: 'belegnummer',
	},
	de: {
		income: 'Einnahme',
		expense: 'Ausgabe',
		neither: 'Buchung über',
		quotes: '„“',
		cashBook: 'Kasse',
		account: 'Konto',
		tax: 'Steuer',
		key: 'BU-Schlüssel',
		receiptNumber: 'Belegfeld 1',
		costCenter: 'Kostenstelle',
		comesIn: 'Einnahmen',
		goesOut: 'Ausgaben',
		more: 'weitere Zeilen:',
		receipts: 'Belege:',
		number: 'Nummer im Kassenbuch',
	},
};

/** The facts about an entry in one language. */
class Facts {
	private readonly words: (typeof SUMMARY_WORDS)[Language];

	constructor(private readonly language: Language) {
		this.words = SUMMARY_WORDS[language];
	}

	simple(body: Simple): string[] {
		const { bewegung, betrag, waehrung, belegtext, gegenkonto, belegNummer, steuersatz } = body;
		const { income, expense } = this.words;
		return [
			`${bewegung === 'AUSGABE' ? expense : income} ${amountIn(this.language, betrag, waehrung)}: ${this.quoted(belegtext)}`,
			...this.where(body),
			...this.labelled('account', gegenkonto),
			this.rate(steuersatz),
			...this.labelled('receiptNumber', belegNummer),
			this.receipts(body),
			...this.labelled('number', body.belegnummer),
		];
	}

	advanced(body: Advanced): string[] {
		const { betrag, waehrung, belegzeilen: lines } = body;
		const { income, expense, neither, comesIn, goesOut, more } = this.words;
		const amount = (of: number) => amountIn(this.language, of, waehrung);
		const [ins, outs] = partition(
			lines.map(({ betrag: one = 0 }) => one),
			(one) => one > 0,
		);
		const isBoth = ins.length > 0 && outs.some((one) => one < 0);
		const texts = uniq(lines.map(({ belegtext }) => belegtext));
		/** The text of all lines, said once. */
		const text = texts.length === 1 ? texts[0] : undefined;
		const hidden = lines.length - MAX_SUMMARY_LINES;
		return compact([
			`${betrag < 0 ? expense : betrag > 0 ? income : neither} ${amount(Math.abs(betrag))}${text ? `: ${this.quoted(text)}` : ''}`,
			...this.where(body),
			isBoth && `${comesIn} ${amount(sum(ins))}, ${goesOut} ${amount(0 - sum(outs))}`,
			...lines
				.slice(0, MAX_SUMMARY_LINES)
				.map(
					(line, i) => `${i + 1}) ${this.line(text ? { ...line, belegtext: undefined } : line, waehrung)}`,
				),
			hidden > 0 && `${more} ${hidden}`,
			this.receipts(body),
		]);
	}

	private line(
		{ betrag = 0, belegtext, gegenkonto, steuersatz = {}, belegNummer, ...line }: Line,
		waehrung: string,
	) {
		const { prozent, buSchluessel } = steuersatz;
		return compact([
			amountIn(this.language, betrag, waehrung),
			belegtext && this.quoted(belegtext),
			...this.labelled('account', gegenkonto),
			prozent !== undefined && this.rate(prozent),
			...this.labelled('key', buSchluessel),
			...this.labelled('receiptNumber', belegNummer),
			...this.labelled('costCenter', compact([line.kostenstelle1, line.kostenstelle2]).join(' / ')),
		]).join(', ');
	}

	private where({ transaktionsdatum, kassenname }: Pick<Simple, 'transaktionsdatum' | 'kassenname'>) {
		return [dayIn(this.language, transaktionsdatum), `${this.words.cashBook} ${this.quoted(kassenname)}`];
	}

	private readonly rate = (percent: number) => `${numberIn(this.language, percent)} % ${this.words.tax}`;

	private receipts({ belegbilder = [] }: Pick<Simple, 'belegbilder'>): string {
		return `${this.words.receipts} ${belegbilder.length}`;
	}

	private quoted(text: string): string {
		const [before, behind] = this.words.quotes;
		return before + harmless(text) + behind;
	}

	private labelled(
		word: 'account' | 'costCenter' | 'key' | 'number' | 'receiptNumber',
		value = '',
	): string[] {
		return value === '' ? [] : [`${this.words[word]} ${harmless(value)}`];
	}
}

export const summaryOfEntry = (body: Simple): Bilingual =>
	bilingual((language) => new Facts(language).simple(body).join(BETWEEN));

export const summaryOfAdvancedEntry = (body: Advanced): Bilingual =>
	bilingual((language) => new Facts(language).advanced(body).join(BETWEEN));
