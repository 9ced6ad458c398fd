import { escapeMarkdown, oneLine, shorten } from '#libs/local-engine/text/markdown-text.js';

/** Replaces a topic that is too long for a sentence. */
export const UNQUOTED = 'your topic';

/** The longest part of a topic within a sentence, in letters. */
const LONGEST_PART = 70;

/** A part of the topic, escaped, for the middle of a sentence; null when it is too long. */
export function part(text: string, longest = LONGEST_PART): string | null {
  const line = oneLine(text);
  if (!line || shorten(line, longest) !== line || /[.!?]\s/u.test(line)) return null;
  return escapeMarkdown(line);
}

/** In quotation marks, so that words of any language fit. */
export function quote(text: string): string {
  const short = part(text);
  return short ? `“${short.replaceAll('“', '‘').replaceAll('”', '’')}”` : UNQUOTED;
}
