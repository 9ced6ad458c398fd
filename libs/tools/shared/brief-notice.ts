import { avoidedWordsIn, wordsToAvoid, type Brief } from '#libs/contract/brief.js';
import labels from './brief-labels.json' with { type: 'json' };

const list = (words: readonly string[]) =>
  new Intl.ListFormat('en-GB').format(words.map((word) => `“${word}”`));

/** A notice that lists the words to avoid that the text contains; null if there are none. */
export function avoidedNotice(content: string, brief: Brief): string | null {
  const found = avoidedWordsIn(content, wordsToAvoid(brief));
  return found.length === 0
    ? null
    : `${list(found)} ${found.length === 1 ? 'is' : 'are'} still in the text, though your brief avoids ${found.length === 1 ? 'it' : 'them'}.`;
}

const names: Partial<Record<keyof Brief, string>> = labels.inNotice;

/** A notice that lists the brief's fields that have no effect without an AI service; null if there are none. */
export function unusedNotice(brief: Brief): string | null {
  const unused = (Object.keys(names) as (keyof Brief)[]).filter((field) => brief[field]);
  if (unused.length === 0) return null;
  const given = new Intl.ListFormat('en-GB').format(unused.map((field) => names[field]!));
  return `The rules of this server do not follow what your brief says of ${given}; an AI service does.`;
}

export const joinNotices = (...notices: (string | null)[]): string | null =>
  notices.filter((notice) => notice !== null).join(' ') || null;
