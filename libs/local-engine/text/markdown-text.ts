/** Control characters, also bidirectional ones. */
const controlCharacters = /[^\P{Cc}\s]|[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** Removes control characters and lone surrogates; keeps line breaks. */
export const plainText = (text: string) => text.toWellFormed().replace(controlCharacters, '');

/** {@link plainText} in one line. */
export const oneLine = (text: string) => plainText(text).replace(/\s+/gu, ' ').trim();

/**
 * Escapes text for the middle of a Markdown line. Only characters with a meaning there are escaped, so that the source
 * stays readable.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]<>|~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/(?<=^|\s)#/g, '\\#');
}

/**
 * A text as inline code, such as a file name. Unlike escaped text, it never becomes a link: Markdown renderers link addresses such as
 * `www.example.com` even if their characters are escaped.
 */
export function inlineCode(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

export function capitalise(text: string): string {
  // "iPhone" and "eBay" stay as they are.
  return /^\p{Ll}(?!\p{Lu})/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
