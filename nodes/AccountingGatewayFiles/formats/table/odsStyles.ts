import type { Attributes } from './parts';

const MAX_ODS_STYLE_NAME = 255;
/** Styles of a kind that are kept. */
const MAX_KEPT_STYLES = 1_000;

/** The kinds of formats that numbers of money have. */
const NUMBER_STYLES = /^(?:number|currency)-style$/;

/** What is odd about the styles of an OpenDocument spreadsheet: those of sheets, of cells and of numbers (ISO/IEC 26300-3, 16). */
export class Styles {
	private readonly hiddenSheets = new Names();
	private readonly struckOut = new Names();
	/** Formats of numbers, and styles of cells with such a format. */
	private readonly misleadingFormats = new Names();
	private readonly misleading = new Names();

	/** The style that is being read, or the format. */
	private style = '';
	private format?: { name: string; isMisleading: boolean; hasMinus: boolean; isMapped: boolean };
	private textIn?: string;

	open(name: string, attributes: Attributes): void {
		if (name === 'style') {
			const { name: style = '', 'parent-style-name': parent, 'data-style-name': format } = attributes;
			this.style = style;
			this.struckOut.set(style, this.struckOut.has(parent));
			const isMisleading =
				format === undefined ? this.misleading.has(parent) : this.misleadingFormats.has(format);
			this.misleading.set(style, isMisleading);
		}
		if (name === 'table-properties' && attributes.display === 'false')
			this.hiddenSheets.set(this.style, true);
		const line = attributes['text-line-through-style'];
		if (name === 'text-properties' && line !== undefined) this.struckOut.set(this.style, line !== 'none');
		if (NUMBER_STYLES.test(name))
			this.format = { name: attributes.name ?? '', isMisleading: false, hasMinus: false, isMapped: false };
		if (this.format) this.openInFormat(this.format, name, attributes);
	}

	text(part: string): void {
		if (!this.format) return;
		if (this.textIn === 'embedded-text' && /[.,]/.test(part)) this.format.isMisleading = true;
		if (this.textIn === 'text' && /[-\u2212]/.test(part)) this.format.hasMinus = true;
	}

	close(name: string): void {
		this.textIn = undefined;
		if (!this.format || !NUMBER_STYLES.test(name)) return;
		const { name: format, isMisleading, hasMinus, isMapped } = this.format;
		this.format = undefined;
		this.misleadingFormats.set(format, isMisleading || (hasMinus && !isMapped));
	}

	hidesSheet(style?: string): boolean {
		return this.hiddenSheets.has(style);
	}

	strikesOut(style?: string): boolean {
		return this.struckOut.has(style);
	}

	/**
	 * Whether it shows another number than the cell has: in thousands, with a separator that only looks like one, or with a minus for what
	 * is positive.
	 */
	misleads(style?: string): boolean {
		return this.misleading.has(style);
	}

	/** A format refers to others by conditions; it is itself for what none of them is for. */
	private openInFormat(
		format: NonNullable<Styles['format']>,
		name: string,
		{ condition = '', ...attributes }: Attributes,
	): void {
		if (name === 'text' || name === 'embedded-text') this.textIn = name;
		if (name === 'number' && Number(attributes['display-factor'] ?? 1) !== 1) format.isMisleading = true;
		if (name !== 'map') return;
		format.isMapped = true;
		const isForPositive = !condition.includes('<');
		if (isForPositive && this.misleadingFormats.has(attributes['apply-style-name']))
			format.isMisleading = true;
	}
}

/** Names of styles, which are a file's. */
class Names {
	private readonly names = new Set<string>();

	set(name: string, isSo: boolean): void {
		const kept = name.slice(0, MAX_ODS_STYLE_NAME);
		if (!isSo) this.names.delete(kept);
		else if (this.names.size < MAX_KEPT_STYLES) this.names.add(kept);
	}

	has(name = ''): boolean {
		return this.names.has(name.slice(0, MAX_ODS_STYLE_NAME));
	}
}
