/** About a long sentence: screen readers cannot pause in an alternative text. */
const MAX_CHARACTERS = 200;

/**
 * Text in place of a diagram: its description or title (Mermaid's `accDescr` and `accTitle`), or else the start of its code.
 * https://mermaid.js.org/config/accessibility.html
 */
export function diagramAlt(code: string): string {
  const own =
    /^[^\S\n]*accDescr\s*(?::(.+)|\{([^}]+)\})/m.exec(code) ?? /^[^\S\n]*accTitle\s*:(.+)/m.exec(code);
  const characters = Array.from((own?.[1] ?? own?.[2] ?? code).replace(/\s+/g, ' ').trim());
  const end = characters.length > MAX_CHARACTERS ? '…' : '';
  return `Diagram: ${characters.slice(0, MAX_CHARACTERS).join('')}${end}`;
}
