import { shorten } from '#libs/contract/text.js';
import { escapeMarkdown, oneLine } from '#libs/local-engine/text/markdown-text.js';

/** Stands for a topic that is too long to be quoted in a sentence. */
export const UNQUOTED = 'your topic';

/** Maximum length of a part of a topic within a sentence, in characters. */
const LONGEST_PART = 70;

/** Escapes a part of the topic for the middle of a sentence. Null if the part is empty, too long or several sentences. */
export function part(text: string, longest = LONGEST_PART): string | null {
  const line = oneLine(text);
  if (!line || shorten(line, longest) !== line || /[.!?]\s/u.test(line)) return null;
  return escapeMarkdown(line);
}

/** Puts a text in quotation marks, so that words of any language fit into an English sentence. */
export function quote(text: string): string {
  const short = part(text);
  return short ? `“${short.replaceAll('“', '‘').replaceAll('”', '’')}”` : UNQUOTED;
}
