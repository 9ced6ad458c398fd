import { foldLetters } from '#libs/local-engine/text/fold-letters.js';
import data from './follow-ups.json' with { type: 'json' };

const NUMBERED_LINE = /^\s{0,8}\d{1,2}[.)]\s+(\S.*)$/;
const BULLET = /^\s{0,8}[-*•]\s+(\S.*)$/;
const QUOTED = /^\s{0,3}>\s?(\S.*)$/;
/** "(a)", "2." or "•" before an item within a line. */
const INLINE = /(?:^|\s)(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|[•▪–])\s+/giu;
const PAGE_MARK = /\s*\[pp?\.[^\]]{1,40}\]/gu;
const LONGEST_ITEM = 200;

/** The items of the list in an answer: numbered lines, bullets, quotations, or the list inside its only quotation. */
export function itemsOf(answer: string): string[] {
  const lines = answer.split('\n');
  for (const form of [NUMBERED_LINE, BULLET, QUOTED]) {
    const items = lines.flatMap((line) => form.exec(line)?.[1] ?? []).map(plainItem);
    if (items.length > 1) return items;
    if (form !== QUOTED || items.length === 0) continue;
    const parts = items[0]!.split(INLINE).filter((part) => /\p{L}/u.test(part));
    const starts = items[0]!.match(INLINE)?.length ?? 0;
    // Text before the first item is the list's title.
    if (starts > 1) return parts.slice(-starts).map((part) => part.trim());
  }
  return [];
}

const plainItem = (text: string) =>
  text
    .replace(PAGE_MARK, '')
    .replace(/\\(?=[\p{P}\p{S}])|\*\*|^[“"]|[”"]$/gu, '')
    .trim();

/** The words for each place in several languages, without accents; -1 is the last. */
export const ordinalForms = Object.entries(data.ordinals).map(
  ([place, names]) => [Number(place), names] as const,
);

const NAMES = ordinalForms.map(
  ([place, names]) =>
    [
      place,
      new RegExp(
        String.raw`(?:\b(?:the|der|die|das|den|dem|le|la|l|el|il|lo|o|a|de|het)\s+)?\b(?:${names})(?:\s+(?:${data.items})\b|(?=\s*[?.!]?\s*$))(?:\s+(?:one|of (?:these|those|them))\b)?`,
        'u',
      ),
    ] as const,
);
const NUMBERED = new RegExp(String.raw`\b${data.numbered}(?!\d)`, 'u');

/** A question that names an item of the last answer's list, such as "the second one", with the item in place of its number. */
export function withListedItem(question: string, answer: string): { text: string; item: string } | null {
  const folded =
    question.toLowerCase().length === foldLetters(question).length
      ? foldLetters(question)
      : question.toLowerCase();
  const named = NAMES.map(([place, form]) => ({ place, match: form.exec(folded) })).find(
    ({ match }) => match,
  );
  const numbered = named ? null : NUMBERED.exec(folded);
  const place = named?.place ?? Number(numbered?.[1] ?? 0);
  const match = named?.match ?? numbered;
  if (!match) return null;
  const item = itemsOf(answer)
    .at(place > 0 ? place - 1 : place)
    ?.slice(0, LONGEST_ITEM);
  if (!item) return null;
  const text = `${question.slice(0, match.index)}${item}${question.slice(match.index + match[0].length)}`;
  return { text, item };
}
