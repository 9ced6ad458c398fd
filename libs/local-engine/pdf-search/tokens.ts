/**
 * About how many tokens a model counts for a text: a quarter of a token for each character of an alphabet, one for
 * each Chinese, Japanese or Korean character, half a one for those of other scripts. Tokenisers differ, and budgets
 * leave room for that.
 */
export function approximateTokens(text: string): number {
  const dense =
    text.match(/[\u1100-\u11ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]/gu)?.length ?? 0;
  const other = text.match(/[\u0370-\u10ff\u1200-\u1dff]/gu)?.length ?? 0;
  return Math.ceil((text.length - dense - other) / 4 + dense + other / 2);
}
