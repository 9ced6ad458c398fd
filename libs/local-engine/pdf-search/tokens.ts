/**
 * Estimates a model's tokens of a text: a quarter per Latin character, one per Chinese, Japanese or Korean character,
 * and a half per character of other scripts.
 */
export function approximateTokens(text: string): number {
  const dense =
    text.match(/[\u1100-\u11ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]/gu)?.length ?? 0;
  const other = text.match(/[\u0370-\u10ff\u1200-\u1dff]/gu)?.length ?? 0;
  return Math.ceil((text.length - dense - other) / 4 + dense + other / 2);
}

/** True if at least half of the letters are Latin. */
export function isInLatinLetters(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length >= letters.length / 2;
}
