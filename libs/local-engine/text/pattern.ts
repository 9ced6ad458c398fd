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
