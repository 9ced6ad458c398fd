/** What this folder uses of fontkit 2.0.4, which publishes no types. */
declare module 'fontkit' {
  export interface FontkitFont {
    hasGlyphForCodePoint(code: number): boolean;
    unitsPerEm: number;
    layout(text: string): { advanceWidth: number; glyphs: { id: number }[] };
    GDEF?: { markGlyphSetsDef?: { coverage: Coverage[] } | null };
    _layoutEngine?: {
      engine?: { GSUBProcessor: LayoutProcessor | null; GPOSProcessor: LayoutProcessor | null };
    };
  }

  /** A table of glyphs. */
  export type Coverage = object;

  export interface Glyph {
    id: number;
    isMark: boolean;
    codePoints: number[];
    features: Record<string, boolean>;
    shaperInfo?: { syllable?: number } | null;
  }

  export interface GlyphIterator {
    cur: Glyph | null;
    /** The flags of the current lookup. */
    options: object;
    shouldIgnore(glyph: Glyph): boolean;
  }

  /** Applies the features of the table GSUB or GPOS. */
  export interface LayoutProcessor {
    table: {
      lookupList: {
        length: number;
        get(index: number): { flags: { flags: { useMarkFilteringSet: boolean } }; markFilteringSet: number };
      };
    };
    currentFeature: string | null;
    glyphIterator?: GlyphIterator;
    match<T>(
      at: number,
      sequence: T[],
      isMatch: (item: T, glyph: Glyph) => boolean,
      matched?: number[],
    ): number[] | boolean;
    coverageIndex(coverage: Coverage, glyph: number): number;
    applyFeatures(features: string[], glyphs: Glyph[], positions: object[] | null): void;
    applyLookup(type: number, table: object): boolean;
    /** Only of GPOS. */
    applyAnchor?(mark: object, anchor: object | null, base: number): void;
  }

  export function create(bytes: Uint8Array): FontkitFont;
}
