import type { Nodes } from 'mdast';
import type { Content } from 'pdfmake/interfaces';
import { directionOf, isRightToLeft } from '../../../shared/markdown/direction';
import { bidiLines, hasRightToLeft } from './bidi-lines';
import type { FormulaPicture } from './draw-formulas';
import { FormulaFont } from './formula-font';
import type { InlineText, TextStyle } from './parse-for-export';
import { ARABIC_FONT, type FontRun, type PdfFonts } from './pdf-fonts';
import type { StructureElement } from './pdf-structure';

/** The numbers of the faces in use, by font. */
export type UsedFaces = Map<string, Set<number>>;

/** Width of a text in a face of size 1. */
export type TextWidth = (text: string, font: string, face: number) => number;

export const ACCENT = '#C23B1C';
const HIGHLIGHT = '#FFF2A8';
export const CODE_BACKGROUND = '#F3EEE5';
/** Widths are sums, which are not exact. */
const TOLERANCE = 0.5;
/** pdfmake's size of superscripts and subscripts. */
const SCRIPT_SIZE = 0.58;

/**
 * A word, with its no-break spaces, which can be wider than a line. Lines break anywhere between East Asian characters; pdfmake
 * would break characters of two code units and letters with marks apart.
 */
const WORD =
  /((?:[^\s\u200b\u3000-\u303f\uff00-\uffef\ud800-\udfff\p{M}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|[\u00a0\u2007\u202f])+)/u;
/** The widest letters are narrower, in the size of the font. */
const WIDEST = 1.2;

/** The text of a formula that is drawn: a letter, so that lines break as at a word. */
const GLYPH = 'x';

const familyOf = ({ code }: TextStyle) => (code === true ? 'mono' : 'sans');

const faceOf = ({ bold, italics }: TextStyle) => (bold === true ? 1 : 0) + (italics === true ? 2 : 0);

/** What a block inherits from the blocks around it. */
export interface BlockContext {
  /** The element of the structure tree that has the block. */
  element: StructureElement;
  /** Width of a line in points. */
  width: number;
  fontSize: number;
  /** Direction of blocks without a letter. */
  isRightToLeft: boolean;
  isInQuotation: boolean;
}

/** The direction of a block, as on the page: that of its first letter, within a quotation that of most. Formulas do not count. */
export function runsRightToLeft(texts: readonly InlineText[], context: BlockContext): boolean {
  const words = texts.map(({ text, tex }) => (tex === undefined ? text : '')).join('');
  if (!context.isInQuotation) return isRightToLeft(words) ?? context.isRightToLeft;
  const most = directionOf(words);
  return most === undefined ? context.isRightToLeft : most === 'rtl';
}

/** A text with its element of the structure tree. */
type TaggedText = InlineText & {
  element: StructureElement;
  /** Name of the font of the formula, if it is drawn. */
  formula?: string;
};

/** A style with the font of one run. */
type RunStyle = Omit<TaggedText, 'text'> & Omit<FontRun, 'text'>;

/** Adds an element for each text to the element of its block. If glyphs are not in reading order, the elements also get the text. */
function tagTexts(texts: readonly InlineText[], block: StructureElement, isReordered: boolean): TaggedText[] {
  let link: { url: string; element: StructureElement } | null = null;
  return texts.map((text, index) => {
    const { link: url, code, note, tex } = text;
    if (url === undefined) link = null;
    else if (link?.url !== url) {
      const end = texts.findIndex((other, at) => at > index && other.link !== url);
      const words = texts.slice(index, end < 0 ? undefined : end).map((other) => other.text);
      link = { url, element: block.child('Link', { contents: words.join('') }) };
    }
    const type = (tex !== undefined && 'Formula') || (code && 'Code') || (note !== undefined && 'Reference');
    const element = (link?.element ?? block).child(type || (isReordered ? 'Span' : null), {
      ...(tex !== undefined ? { alt: text.text } : isReordered && { actualText: text.text }),
    });
    return { ...text, element };
  });
}

const linkTo = (link: string | undefined) =>
  link !== undefined ? { link, color: ACCENT, decoration: 'underline' as const } : {};

interface FlowOptions {
  codeBackground?: string | null;
  isCode?: boolean;
}

/** Converts the texts of blocks to pdfmake's: their fonts, directions, long words and formulas. */
export class PdfTextWriter {
  /** True if the width of a word decides whether it must be broken, and `widthOf` is not given. */
  needsWidths = false;
  /** Fonts of the formulas in lines, by name. */
  readonly formulas = new Map<string, FormulaFont>();

  constructor(
    private readonly drawnFormulas: ReadonlyMap<Nodes, FormulaPicture>,
    private readonly fonts: PdfFonts,
    private readonly used: UsedFaces,
    private readonly widthOf?: TextWidth,
  ) {}

  /** A text with its alignment. pdfmake breaks lines, but orders words from left to right only. */
  flow(
    texts: InlineText[],
    context: BlockContext,
    { codeBackground = CODE_BACKGROUND, isCode = false }: FlowOptions = {},
  ): { text: Content[]; alignment?: 'right' } {
    const words = texts.map(({ text }) => text).join('');
    const isRight = !isCode && runsRightToLeft(texts, context);
    const isBidirectional = isRight || hasRightToLeft(words);
    const tagged = tagTexts(texts, context.element, isBidirectional).map((text) => ({
      ...text,
      ...this.formulaFont(text, context),
    }));
    if (!isBidirectional) return { text: this.inline(tagged, codeBackground, context) };
    const lines = bidiLines(
      tagged.map((style) => ({ text: style.formula === undefined ? style.text : GLYPH, style })),
      {
        direction: isRight ? 'rtl' : 'ltr',
        width: context.width - TOLERANCE,
        fontsOf: (text, style) =>
          this.runsOf(text, style).map(({ text: run, ...font }) => ({
            text: run,
            style: { ...style, ...font },
          })),
        measure: (text, style: RunStyle) => this.measure(text, style, context.fontSize),
      },
    );
    return {
      text: lines.flatMap((line, index): Content[] => [
        ...(index > 0 ? ['\n'] : []),
        ...line.map(({ text, style }) => ({
          ...this.piece(text, style, codeBackground),
          noWrap: true,
        })),
      ]),
      ...(isRight && { alignment: 'right' as const }),
    };
  }

  /** The font of a formula that is drawn and fits into a line. */
  private formulaFont({ math }: InlineText, { width, fontSize }: BlockContext): { formula?: string } {
    const picture = math && this.drawnFormulas.get(math);
    if (!picture) return {};
    const font = new FormulaFont(picture);
    if (font.widthOfString(GLYPH, fontSize) > width - TOLERANCE) return {};
    const formula = `formula ${this.formulas.size}`;
    this.formulas.set(formula, font);
    return { formula };
  }

  private runsOf(text: string, style: Omit<TaggedText, 'text'>): FontRun[] {
    const { formula } = style;
    return formula === undefined ? this.fonts.runs(text, familyOf(style)) : [{ font: formula, text: GLYPH }];
  }

  private measure(text: string, style: RunStyle, fontSize: number): number {
    const formula = this.formulas.get(style.font);
    if (formula) return formula.widthOfString(text, fontSize);
    const isSmall = style.note !== undefined || style.sup === true || style.sub === true;
    return (this.widthOf?.(text, style.font, faceOf(style)) ?? 0) * fontSize * (isSmall ? SCRIPT_SIZE : 1);
  }

  inline(texts: TaggedText[], codeBackground: string | null, context: BlockContext): Content[] {
    return texts.flatMap(({ text: words, ...style }) =>
      this.divideAtLongWords(words, style, context).flatMap(({ text, isLong }) =>
        this.runsOf(text, style).map(({ text: run, ...font }) => ({
          ...this.piece(run, { ...style, ...font }, codeBackground),
          ...(isLong && { wordBreak: 'break-all' as const }),
        })),
      ),
    );
  }

  /** Divides a text into words that are wider than a line, and what is between them. */
  private divideAtLongWords(text: string, style: Omit<TaggedText, 'text'>, context: BlockContext) {
    if (style.formula !== undefined) return [{ text, isLong: false }];
    const pieces: { text: string; isLong: boolean }[] = [];
    for (const part of text.split(WORD).filter((one) => one !== '')) {
      const isLong = this.isLong(part, style, context);
      const last = pieces.at(-1);
      if (last && !last.isLong && !isLong) last.text += part;
      else pieces.push({ text: part, isLong });
    }
    return pieces;
  }

  private isLong(word: string, style: Omit<TaggedText, 'text'>, { width, fontSize }: BlockContext): boolean {
    if (!WORD.test(word) || word.length * fontSize * WIDEST <= width) return false;
    this.needsWidths ||= this.widthOf === undefined;
    const widths = this.fonts
      .runs(word, familyOf(style))
      .map(({ text, ...font }) => this.measure(text, { ...style, ...font }, fontSize));
    return widths.reduce((sum, one) => sum + one, 0) > width - TOLERANCE;
  }

  private piece(text: string, style: RunStyle, codeBackground: string | null) {
    const { element, font, bold, italics, strike, code, link, note, sup, sub, underline, highlight } = style;
    const background = highlight ? { background: HIGHLIGHT } : {};
    if (style.formula !== undefined)
      return { element, text, font, lineHeight: 1, ...background, ...linkTo(link) };
    this.used.set(font, (this.used.get(font) ?? new Set()).add(faceOf(style)));
    return {
      element,
      text,
      font,
      bold,
      italics,
      // Its lines are higher than those of the other fonts.
      ...(font === ARABIC_FONT && { lineHeight: 1.1 }),
      ...(strike && { decoration: 'lineThrough' as const }),
      ...(underline && { decoration: 'underline' as const }),
      ...((note !== undefined || sup) && { sup: true }),
      ...(sub && { sub: true }),
      ...background,
      ...(code && codeBackground !== null && { background: codeBackground }),
      ...linkTo(link),
    };
  }
}
