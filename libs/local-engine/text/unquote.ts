const PAIRS = ['""', "''", '“”', '‘’', '«»', '„“', '「」'];

/** Removes one pair of quotation marks around the whole text. */
export function unquote(text: string): string {
  const inner = text.trim();
  const closing = PAIRS.find(([opening]) => opening === inner.charAt(0))?.charAt(1);
  const isQuoted =
    closing && inner.length > 2 && inner.endsWith(closing) && !inner.slice(1, -1).includes(closing);
  return isQuoted ? inner.slice(1, -1).trim() : inner;
}
