/** A file's own name as one line of text, without folders; empty where nothing is left. */
export const plainFileName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    // Joiners stay: they hold emoji together, and are part of Persian spelling.
    .replace(/[[\p{Cc}\p{Cf}\s]--[\u200c\u200d]]+/gv, ' ')
    .trim();
