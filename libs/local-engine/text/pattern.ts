/**
 * A case-insensitive pattern in free-spacing mode: white space is ignored, and `_` matches white space.
 */
export function pattern(parts: TemplateStringsArray, ...values: string[]): RegExp {
  return new RegExp(
    String.raw(parts, ...values)
      .replace(/\s+/g, '')
      .replaceAll('_', String.raw`\s+`),
    'iu',
  );
}

/** A case-insensitive pattern for whole words, in any script. @param source alternatives of a regular expression */
export const wholeWords = (source: string, flags = 'iu'): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${source})(?![\p{L}\p{N}])`, flags);
