import { part } from './part.js';
import { pattern } from '#libs/local-engine/text/pattern.js';
import words from './topic-words.json' with { type: 'json' };

const collections = words.collections.join('|');

const numbered = pattern`^ (?:the_)? (?:(?:top|best)_)? (\d{1,3})_
  (?: (?:of_)?(?:the_)?(?:best|top|most|great|good)_ )? (?=\p{L}) (.+) $`;
const ranked = pattern`\b(?:best|top|most|${collections})\b`;
const plural = pattern`^ \d+_ (?!(?:days|years|hours|weeks|months|minutes)\b) \p{L}+s\b`;

const best = pattern`^ (?:the_)? (?:top|best)_ (?!(?:way_to|of|before)\b) (\p{L}.+) $`;
const collection = pattern`^ ((?:\p{L}+_)? (?:${collections})_(?:to|for|of|why|that|when|about)_ .+) $`;

/** The entries that a topic asks to list, and their number: "10 best laptops". Null if the topic is not a list. */
export function readList(text: string) {
  const counted = ranked.test(text) || plural.test(text) ? numbered.exec(text) : null;
  const entries = counted?.[2] ?? best.exec(text)?.[1] ?? collection.exec(text)?.[1];
  if (!entries) return null;
  const count = Number(counted?.[1]);
  return { entries: part(entries) ?? 'what you list', count: count >= 2 && count <= 100 ? count : null };
}
