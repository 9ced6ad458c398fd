import ranges from '@fontsource/noto-sans/unicode.json';
import { languageOf } from './language-of';

/** The characters of a font file, as fontkit reads them. */
export interface GlyphSet {
  hasGlyphForCodePoint(code: number): boolean;
}

export type LoadFont = (file: string) => Promise<GlyphSet>;

export const FACES = ['400-normal', '700-normal', '400-italic', '700-italic'] as const;
export type Face = (typeof FACES)[number];

/** A font of one file for each face, such as `noto-sans-greek`. */
interface Font {
  name: string;
  faces: readonly Face[];
  /** False if the font certainly lacks the character, so that its file need not be loaded. */
  mayHave: (grapheme: string) => boolean;
}

const UPRIGHT: readonly Face[] = ['400-normal', '700-normal'];
const REGULAR: readonly Face[] = ['400-normal'];

const isEmoji = (grapheme: string) => /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u.test(grapheme);
/** Anything but letters and box drawings, and the letters of mathematics. */
const isSymbol = (grapheme: string) =>
  !isEmoji(grapheme) && /^[^\p{L}\p{M}\u2500-\u257f]|^[\u2100-\u214f\u{1d400}-\u{1d7ff}]/u.test(grapheme);
const isEastAsian = (grapheme: string) =>
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\u3000-\u303f\uff00-\uffef]/u.test(grapheme);

/** The subsets of a family by their Unicode ranges. Latin, the last one, is first, since ranges overlap. */
const subsetsOf = (family: string, faces: readonly Face[]): Font[] =>
  Object.entries(ranges)
    .reverse()
    .filter(([subset]) => family === 'noto-sans' || subset !== 'devanagari')
    .map(([subset, list]) => {
      const spans = list.split(',').map((range) => {
        const [from = '', to = from] = range.replaceAll('U+', '').split('-');
        return [parseInt(from, 16), parseInt(to, 16)] as const;
      });
      return {
        name: `${family}-${subset}`,
        faces,
        mayHave: (grapheme) => {
          const code = grapheme.codePointAt(0) ?? 0;
          return !isEmoji(grapheme) && spans.some(([from, to]) => code >= from && code <= to);
        },
      };
    });

const sans = subsetsOf('noto-sans', FACES);
const mono = subsetsOf('noto-sans-mono', UPRIGHT);
export const ARABIC_FONT = 'amiri-arabic';

const rightToLeft: Font[] = [
  {
    name: 'noto-sans-hebrew-hebrew',
    faces: UPRIGHT,
    mayHave: (grapheme) => /\p{Script=Hebrew}/u.test(grapheme),
  },
  // With the digits and punctuation that Arabic shares. Amiri draws each letter by one glyph, from which viewers copy the same
  // letter. Other fonts draw dots apart or several letters by one glyph.
  {
    name: ARABIC_FONT,
    faces: UPRIGHT,
    mayHave: (grapheme) => /\p{scx=Arabic}/u.test(grapheme),
  },
];
const thai: Font = {
  name: 'noto-sans-thai-thai',
  faces: UPRIGHT,
  mayHave: (grapheme) => /\p{Script=Thai}/u.test(grapheme),
};
const symbols: Font[] = [
  { name: 'noto-sans-math-latin', faces: REGULAR, mayHave: isSymbol },
  { name: 'noto-sans-symbols-symbols', faces: UPRIGHT, mayHave: isSymbol },
  { name: 'noto-sans-symbols-2-symbols', faces: REGULAR, mayHave: isSymbol },
  { name: 'noto-emoji-emoji', faces: UPRIGHT, mayHave: (grapheme) => /\p{Emoji}/u.test(grapheme) },
];

/** Signs that only the parts of the Japanese font have into which browsers load it. */
const signs: Font[] = [
  { name: 'noto-sans-jp-57', faces: UPRIGHT, mayHave: (grapheme) => /^[▁-█]$/.test(grapheme) },
  { name: 'noto-sans-jp-58', faces: UPRIGHT, mayHave: (grapheme) => grapheme === '℮' },
  { name: 'noto-sans-jp-59', faces: UPRIGHT, mayHave: (grapheme) => grapheme === '‰' },
  { name: 'noto-sans-jp-113', faces: UPRIGHT, mayHave: (grapheme) => grapheme === '※' },
];

const eastAsian = {
  ja: 'noto-sans-jp-japanese',
  zh: 'noto-sans-sc-chinese-simplified',
  ko: 'noto-sans-kr-korean',
} as const;

/** The fonts of Chinese, Japanese and Korean. The language's own is first, since they draw some characters differently. */
function eastAsianFonts(text: string): Font[] {
  const language = languageOf(text);
  const names = Object.entries(eastAsian).sort(
    ([one], [other]) => Number(other === language) - Number(one === language),
  );
  return names.map(([, name]) => ({ name, faces: UPRIGHT, mayHave: isEastAsian }));
}

/** The font of all texts that have no special character. */
export const BASE_FONT = 'noto-sans-latin';

export const fileOf = (font: string, face: Face): string => `${font}-${face}.woff`;

/** The file of a font for each face, in the order of {@link FACES}. Fonts without italic or bold use their other faces. */
export function filesOf(name: string): [string, string, string, string] {
  const faces = [...sans, ...mono, ...rightToLeft, thai, ...symbols, ...signs, ...eastAsianFonts('')].find(
    (font) => font.name === name,
  )?.faces;
  const [normal, bold] = faces ?? REGULAR;
  const file = (face: Face, instead: Face = '400-normal') =>
    fileOf(name, faces?.includes(face) ? face : instead);
  return [
    file('400-normal'),
    file('700-normal'),
    file('400-italic', normal),
    file('700-italic', bold ?? normal),
  ];
}

/** Characters that all fonts lack, and others in their place that look similar. */
const SUBSTITUTES: Record<string, string> = {
  '\u2011': '-',
  '\u2012': '–',
  '\u2043': '-',
  '▪': '•',
  '‣': '•',
  '‽': '?!',
  '℗': 'Ⓟ',
  '℞': 'Rx',
};

/** Box drawings as ASCII, which keeps the columns of a drawing in a font of fixed width. */
const boxDrawing = (character: string): string | undefined => {
  if (!/[\u2500-\u257f]/.test(character)) return undefined;
  if (/[─━┄┅┈┉╌╍═╴╶╸╺╼╾]/.test(character)) return '-';
  return /[│┃┆┇┊┋╎╏║╵╷╹╻╽╿]/.test(character) ? '|' : '+';
};

/** Format characters that draw nothing, and whose meaning a PDF does not have. */
const IGNORED = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const INVISIBLE = /\u200c|\u200d|[\ufe00-\ufe0f]/u;

const graphemes = (text: string): string[] =>
  Array.from(
    new Intl.Segmenter('en').segment(text.normalize('NFC').replace(IGNORED, '')),
    ({ segment }) => segment,
  );

export interface FontRun {
  font: string;
  text: string;
  sup?: boolean;
  sub?: boolean;
}

/** Distributes texts over the embedded fonts. */
export class PdfFonts {
  /** Characters that no font has. */
  readonly missing = new Set<string>();
  private readonly assigned = { sans: new Map<string, string>(), mono: new Map<string, string>() };
  private readonly glyphs = new Map<string, Promise<GlyphSet>>();

  constructor(private readonly load: LoadFont) {}

  /** Finds the fonts of all characters of a text. Loads a font's file only if the text may need it. */
  async prepare(text: string, style: 'sans' | 'mono' = 'sans'): Promise<void> {
    const families = style === 'mono' ? [...mono, ...sans] : sans;
    const fonts = [...families, ...rightToLeft, thai, ...symbols, ...signs, ...eastAsianFonts(text)];
    // Line ends and tabs draw nothing.
    const drawn = graphemes(text).filter((unit) => !/^[\n\t]+$/.test(unit));
    await this.assign(new Set(drawn), fonts, this.assigned[style]);
  }

  private async assign(units: Set<string>, fonts: readonly Font[], assigned: Map<string, string>) {
    const left = new Set([...units].filter((unit) => !assigned.has(unit)));
    for (const { name, mayHave } of fonts) {
      const candidates = [...left].filter(mayHave);
      if (candidates.length === 0) continue;
      const glyphs = await this.glyphsOf(name);
      for (const unit of candidates) {
        if (!hasGlyphs(glyphs, unit)) continue;
        assigned.set(unit, name);
        left.delete(unit);
      }
    }
    const parts = new Set([...left].flatMap((unit) => partsOf(unit)?.characters ?? []));
    if (parts.size > 0) await this.assign(parts, fonts, assigned);
  }

  private glyphsOf(name: string): Promise<GlyphSet> {
    const glyphs = this.glyphs.get(name) ?? this.load(fileOf(name, '400-normal'));
    this.glyphs.set(name, glyphs);
    return glyphs;
  }

  /** Splits a prepared text by font. Characters that no font has become `?` and are added to `missing`. */
  runs(text: string, style: 'sans' | 'mono' = 'sans'): FontRun[] {
    const assigned = this.assigned[style];
    const runs: FontRun[] = [];
    const add = (run: FontRun) => {
      const last = runs.at(-1);
      if (last?.font === run.font && last.sup === run.sup && last.sub === run.sub) last.text += run.text;
      else runs.push(run);
    };
    const addUnit = (unit: string, script: Pick<FontRun, 'sup' | 'sub'> = {}) => {
      const font = assigned.get(unit);
      const isSpace = /^\s+$/.test(unit);
      if (isSpace) return add({ font: spaceFont(runs.at(-1)?.font) ?? font ?? BASE_FONT, text: unit });
      if (font !== undefined) return add({ font, text: unit, ...script });
      const parts = partsOf(unit);
      if (parts !== null) return parts.characters.forEach((part) => addUnit(part, parts.script));
      if (INVISIBLE.test(unit) && unit.length === 1) return;
      this.missing.add(unit);
      add({ font: BASE_FONT, text: '?' });
    };
    graphemes(text).forEach((unit) => addUnit(unit));
    return runs.map((run) => (run.font === thai.name ? { ...run, text: breakableThai(run.text) } : run));
  }
}

/** Puts a zero-width space between words, since Thai has no spaces at which lines could break. */
const breakableThai = (text: string): string =>
  Array.from(new Intl.Segmenter('th', { granularity: 'word' }).segment(text), ({ segment }) => segment).join(
    '\u200b',
  );

/** A space belongs to the text before it, but the spaces of symbols have other widths. */
const spaceFont = (before: string | undefined): string | undefined =>
  symbols.some(({ name }) => name === before) ? undefined : before;

function hasGlyphs(glyphs: GlyphSet, unit: string): boolean {
  return Array.from(unit).every(
    (character) =>
      glyphs.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ||
      (INVISIBLE.test(character) && unit.length > 1),
  );
}

/** What to write in place of a unit that no font has; null if there is nothing. */
function partsOf(unit: string): { characters: string[]; script?: Pick<FontRun, 'sup' | 'sub'> } | null {
  const substitute = SUBSTITUTES[unit] ?? boxDrawing(unit);
  if (substitute !== undefined) return { characters: Array.from(substitute) };
  const characters = Array.from(unit);
  if (characters.length > 1) return { characters };
  const compatible = unit.normalize('NFKC');
  if (compatible === unit) return null;
  return { characters: Array.from(compatible), script: scriptOf(unit) };
}

/** The style of superscripts and subscripts, such as ⁶ and ₂, which Unicode has as compatibility characters. */
function scriptOf(unit: string): Pick<FontRun, 'sup' | 'sub'> {
  if (/[\u2070-\u207f\u02b0-\u02b8]/.test(unit)) return { sup: true };
  return /[\u2080-\u209c]/.test(unit) ? { sub: true } : {};
}
