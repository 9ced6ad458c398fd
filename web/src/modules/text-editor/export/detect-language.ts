/** The ISO 639-1 code of the text's language; undefined if it is not recognised. */
export async function detectLanguage(text: string): Promise<string | undefined> {
  const { eld } = await import('eld/extrasmall');
  const found = eld.detect(text);
  return found.isReliable() ? found.language : undefined;
}
