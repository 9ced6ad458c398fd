/**
 * A pattern that may be spread over lines: white space in it means nothing, and `_` stands for white space in the
 * text. Letters match in either case.
 */
export function pattern(parts: TemplateStringsArray, ...values: string[]): RegExp {
  return new RegExp(
    String.raw(parts, ...values)
      .replace(/\s+/g, '')
      .replaceAll('_', String.raw`\s+`),
    'iu',
  );
}
