import type { Coverage, FontkitFont, Glyph, GlyphIterator, LayoutProcessor } from 'fontkit';

/** Features of Indic scripts and Khmer that form letters within one syllable. */
const SYLLABLE_FEATURES = new Set<string | null>(
  'nukt akhn rphf rkrf pref blwf abvf half pstf vatu cjct init pres abvs blws psts haln'.split(' '),
);

const corrected = new WeakSet<FontkitFont>();

/**
 * Corrects how fontkit 2.0.4 shapes texts, as OpenType requires and HarfBuzz does. Without this, Bengali, Gurmukhi, Kannada,
 * Khmer, Lao and Telugu have wrong forms of letters, or fontkit throws.
 */
export function correctShaping(font: FontkitFont): void {
  if (corrected.has(font)) return;
  corrected.add(font);
  const { GSUBProcessor: substitution, GPOSProcessor: positioning } = font._layoutEngine?.engine ?? {};
  for (const processor of [substitution, positioning]) {
    if (!processor) continue;
    correctMatches(processor);
    filterMarks(processor, font.GDEF?.markGlyphSetsDef?.coverage ?? []);
  }
  if (substitution) correctWordStarts(substitution);
  if (positioning) skipMissingAnchors(positioning);
}

/** fontkit reads the glyphs before the current one in the wrong order, and beyond the syllable. */
function correctMatches(processor: LayoutProcessor) {
  const match = processor.match.bind(processor);
  processor.match = (at, sequence, isMatch, matched) => {
    if (sequence.length === 0) return matched ?? true;
    const ordered = at < 0 ? sequence.toReversed() : sequence;
    const syllable = SYLLABLE_FEATURES.has(processor.currentFeature)
      ? processor.glyphIterator?.cur?.shaperInfo?.syllable
      : undefined;
    if (syllable === undefined) return match(at, ordered, isMatch, matched);
    const isMatchInside: typeof isMatch = (item, glyph) =>
      glyph.shaperInfo?.syllable === syllable && isMatch(item, glyph);
    return match(at, ordered, isMatchInside, matched);
  };
}

/** Some lookups see only certain marks, which fontkit does not know. */
function filterMarks(processor: LayoutProcessor, sets: readonly Coverage[]) {
  const { lookupList } = processor.table;
  const visible = new Map<object, Coverage>();
  for (let index = 0; index < lookupList.length; index += 1) {
    const { flags, markFilteringSet } = lookupList.get(index);
    const set = flags.flags.useMarkFilteringSet ? sets[markFilteringSet] : undefined;
    if (set !== undefined) visible.set(flags, set);
  }
  if (visible.size === 0) return;
  let iterator: GlyphIterator | undefined;
  Object.defineProperty(processor, 'glyphIterator', {
    get: () => iterator,
    set: (next: GlyphIterator) => {
      iterator = next;
      const shouldIgnore = next.shouldIgnore.bind(next);
      next.shouldIgnore = (glyph) => {
        const marks = visible.get(next.options);
        const isHidden = marks !== undefined && glyph.isMark && processor.coverageIndex(marks, glyph.id) < 0;
        return isHidden || shouldIgnore(glyph);
      };
    },
  });
}

/**
 * fontkit gives the form for the start of a word to each syllable of Indic scripts, where it applies `init` together with `pres`.
 * The `init` of Arabic is a stage of its own: letters have it within words too, after letters that do not join.
 */
function correctWordStarts(substitution: LayoutProcessor) {
  const applyFeatures = substitution.applyFeatures.bind(substitution);
  substitution.applyFeatures = (features, glyphs, positions) => {
    if (features.includes('init') && features.includes('pres'))
      glyphs.forEach(({ features }, index) => {
        if (isInWord(glyphs[index - 1])) delete features['init'];
      });
    applyFeatures(features, glyphs, positions);
  };
}

const isInWord = (glyph: Glyph | undefined) =>
  glyph?.codePoints.some((code) => /[\p{L}\p{M}]/u.test(String.fromCodePoint(code))) ?? false;

/** A letter may have no place for a mark in one table, but in the next one. fontkit throws. */
function skipMissingAnchors(positioning: LayoutProcessor) {
  const applyAnchor = positioning.applyAnchor!.bind(positioning);
  const applyLookup = positioning.applyLookup.bind(positioning);
  let isAnchored = true;
  positioning.applyAnchor = (mark, anchor, base) => {
    isAnchored = anchor !== null;
    if (isAnchored) applyAnchor(mark, anchor, base);
  };
  positioning.applyLookup = (type, table) => {
    const isApplied = applyLookup(type, table) && isAnchored;
    isAnchored = true;
    return isApplied;
  };
}
