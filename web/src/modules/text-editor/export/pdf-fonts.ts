import ranges from '@fontsource/noto-sans/unicode.json' with { type: 'json' };
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
/** Letters with marks that only formulas have, such as x̂ and v⃗. */
const isMarked = (grapheme: string) => /^[\p{L}\p{N}][\u0300-\u036f\u20d0-\u20ff]+$/u.test(grapheme);
const isEastAsian = (grapheme: string) =>
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u303f\uff00-\uffef]/u.test(
    grapheme,
  );

/** @param list ranges as in CSS, such as `U+0-FF,U+131` */
function isWithin(list: string): (grapheme: string) => boolean {
  const spans = list.split(',').map((range) => {
    const [from = '', to = from] = range.replaceAll('U+', '').split('-');
    return [parseInt(from, 16), parseInt(to, 16)] as const;
  });
  return (grapheme) => {
    const code = grapheme.codePointAt(0) ?? 0;
    return !isEmoji(grapheme) && spans.some(([from, to]) => code >= from && code <= to);
  };
}

/** The subsets of a family by their Unicode ranges. Latin, the last one, is first, since ranges overlap. */
const subsetsOf = (family: string, faces: readonly Face[]): Font[] =>
  Object.entries(ranges)
    .reverse()
    .filter(([subset]) => family === 'noto-sans' || subset !== 'devanagari')
    .map(([subset, list]) => ({ name: `${family}-${subset}`, faces, mayHave: isWithin(list) }));

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
/**
 * Scripts with a font of their own. Myanmar and the others that fontkit does not shape are left to the print dialog.
 * The names are those of Unicode, in lower case.
 */
const SCRIPTS = [
  'armenian',
  'bengali',
  'ethiopic',
  'georgian',
  'gujarati',
  'gurmukhi',
  'kannada',
  'khmer',
  'lao',
  'malayalam',
  'oriya',
  'sinhala',
  'tamil',
  'telugu',
  'thai',
] as const;
/** Signs that Unicode counts to no script. */
const CURRENCY: Partial<Record<string, string>> = { thai: '฿' };
const fontOf = (script: (typeof SCRIPTS)[number]) => `noto-sans-${script}-${script}`;
const scripts = SCRIPTS.map((script): Font => {
  const letters = new RegExp(
    `[\\p{scx=${script[0]!.toUpperCase()}${script.slice(1)}}${CURRENCY[script] ?? ''}]`,
    'u',
  );
  return { name: fontOf(script), faces: UPRIGHT, mayHave: (grapheme) => letters.test(grapheme) };
});
/** The languages of scripts that have no spaces between words. */
const UNSPACED = new Map([
  [fontOf('khmer'), 'km'],
  [fontOf('lao'), 'lo'],
  [fontOf('thai'), 'th'],
]);

const symbols: Font[] = [
  {
    name: 'noto-sans-math-latin',
    faces: REGULAR,
    mayHave: (grapheme) => isSymbol(grapheme) || isMarked(grapheme),
  },
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

async function eastAsianPartFonts(): Promise<Font[]> {
  const { eastAsianParts } = await import('./east-asian-parts');
  return eastAsianParts.map(({ name, ranges }) => ({ name, faces: UPRIGHT, mayHave: isWithin(ranges) }));
}

const otherFonts = (text: string): Font[] => [
  ...rightToLeft,
  ...scripts,
  ...symbols,
  ...signs,
  ...eastAsianFonts(text),
];

/** The font of all texts that have no special character. */
export const BASE_FONT = 'noto-sans-latin';

export const fileOf = (font: string, face: Face): string => `${font}-${face}.woff`;

/** The file of a font for each face, in the order of {@link FACES}. Fonts without italic or bold use their other faces. */
export function filesOf(name: string): [string, string, string, string] {
  const faces = [...sans, ...mono, ...otherFonts('')].find((font) => font.name === name)?.faces ?? UPRIGHT;
  const [normal, bold] = faces;
  const file = (face: Face, instead: Face = '400-normal') =>
    fileOf(name, faces.includes(face) ? face : instead);
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
  // Bullets and signs of Word's fonts of symbols.
  '\uf0a7': '•',
  '\uf0b7': '•',
  '\uf0d8': '➢',
  '\uf0e0': '→',
  '\uf0fc': '✓',
};

/** Box drawings as ASCII, which keeps the columns of a drawing in a font of fixed width. */
const boxDrawing = (character: string): string | undefined => {
  if (!/[\u2500-\u257f]/.test(character)) return undefined;
  if (/[─━┄┅┈┉╌╍═╴╶╸╺╼╾]/.test(character)) return '-';
  return /[│┃┆┇┊┋╎╏║╵╷╹╻╽╿]/.test(character) ? '|' : '+';
};

/** Format characters that draw nothing, and whose meaning a PDF does not have. */
const IGNORED =
  /[\u0080-\u009f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffc]|\u034f/gu;
const INVISIBLE = /\u200c|\u200d|[\ufe00-\ufe0f]/u;

const windows = new TextDecoder('windows-1252');
/** Replaces control characters, as of a wrongly decoded text, by the signs of Windows in their places. */
const withWindowsSigns = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => windows.decode(Uint8Array.of(control.charCodeAt(0))));

const graphemes = (text: string): string[] =>
  Array.from(
    new Intl.Segmenter('en').segment(withWindowsSigns(text).normalize('NFC').replace(IGNORED, '')),
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
    const fonts = [...families, ...otherFonts(text)];
    // Line ends and tabs draw nothing.
    const drawn = graphemes(text).filter((unit) => !/^[\n\t]+$/.test(unit));
    const assigned = this.assigned[style];
    await this.assign(new Set(drawn), fonts, assigned);
    const rare = drawn.filter((unit) => isEastAsian(unit) && !assigned.has(unit));
    if (rare.length > 0) await this.assign(new Set(rare), await eastAsianPartFonts(), assigned);
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
    return runs.map((run) => {
      const language = UNSPACED.get(run.font);
      return language === undefined ? run : { ...run, text: breakable(run.text, language) };
    });
  }
}

/** The vowel AM of Thai and Lao after other marks, as HarfBuzz writes it: fontkit would put its ring on top of them. */
const withRingFirst = (text: string): string =>
  text
    .replace(/([\u0e31\u0e34-\u0e37\u0e47-\u0e4e]+)\u0e33/g, '\u0e4d$1\u0e32')
    .replace(/([\u0eb1\u0eb4-\u0eb7\u0ebb\u0ec8-\u0ecd]+)\u0eb3/g, '\u0ecd$1\u0eb2');

/** The text as it was before the fonts' runs wrote the vowel AM in another way. */
export const withWholeVowels = (text: string): string =>
  text
    .replace(/\u0e4d([\u0e31\u0e34-\u0e37\u0e47-\u0e4e]+)\u0e32/g, '$1\u0e33')
    .replace(/\u0ecd([\u0eb1\u0eb4-\u0eb7\u0ebb\u0ec8-\u0ecd]+)\u0eb2/g, '$1\u0eb3');

/** Puts a zero-width space before words, at which lines can break. */
const breakable = (text: string, language: string): string =>
  Array.from(
    new Intl.Segmenter(language, { granularity: 'word' }).segment(text),
    ({ segment, index, isWordLike }) => (isWordLike && index > 0 ? '\u200b' : '') + withRingFirst(segment),
  ).join('');

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
