import { ordinals } from '#libs/local-engine/text/spelled-numbers.js';
import { phrasesByLanguage, wordsOf, type Phrases, type Word } from './phrases.js';
import unspaced from './unspaced-phrases.json' with { type: 'json' };

/** What a question asks about: the whole document, one subject in it, or another question, to be searched as it stands. */
export type Asked =
  | { about: 'whole' }
  | {
      about: 'subject';
      /** The words of the question that name it: "late payment" of "What does the contract say about late payment?". */
      subject: string;
      /** The subject may be the document's own name, as in "Summarise the Paris Agreement". */
      mayBeTitle: boolean;
      /** The question asks for all that the document has on it, as in "Summarise the deposit clause". */
      wantsAll: boolean;
    }
  | { about: 'other' };

/** A longer question is searched as it stands. */
const LONGEST_QUESTION = 240;
/** Words between a marker and its subject: "with respect to", "in Bezug auf". */
const AFTER_MARKER: ReadonlySet<string> = new Set([
  'to',
  'of',
  'auf',
  'a',
  'de',
  'di',
  'met',
  'op',
  'tot',
  'com',
]);

/** Reads a question like "Summarise …" or "What does the document say about …?" in the languages of `phrases.json`. */
export function parseSubject(question: string): Asked {
  if (question.length > LONGEST_QUESTION) return { about: 'other' };
  const unspaced = parseUnspaced(question);
  if (unspaced) return unspaced;
  const words = wordsOf(question);
  const readings = phrasesByLanguage.flatMap((phrases) => {
    const rest = afterCue(words, phrases);
    const asked = rest && readRest(question, rest, phrases);
    return asked ? [asked] : [];
  });
  return readings.sort((a, b) => lengthOf(a) - lengthOf(b))[0] ?? { about: 'other' };
}

/** The words of another language's frame remain in the subject, so the shortest subject is right. */
const lengthOf = (asked: Asked) =>
  asked.about === 'whole' ? 0 : asked.about === 'subject' ? wordsOf(asked.subject).length : 1;

interface Rest {
  before: Word[];
  cue: Word[];
  after: Word[];
}

/** The words before and after the last cue; null without a cue. */
function afterCue(words: Word[], phrases: Phrases): Rest | null {
  const { text, starts } = abstractOf(words, phrases);
  let found: { start: number; end: number } | null = null;
  for (const cue of phrases.cues) {
    const match = cue.exec(text);
    if (!match) continue;
    const [start, end] = [match.index, match.index + match[0].trimEnd().length];
    if (!found || end > found.end || (end === found.end && start < found.start)) found = { start, end };
  }
  if (!found) return null;
  const { start, end } = found;
  return {
    before: words.filter((_, at) => starts[at]! < start),
    cue: words.filter((_, at) => starts[at]! >= start && starts[at]! < end),
    after: words.filter((_, at) => starts[at]! >= end),
  };
}

/** The words with a placeholder for the name of a document or part; `starts` has each word's place in the text. */
function abstractOf(words: Word[], { documents, parts }: Phrases): { text: string; starts: number[] } {
  const starts: number[] = [];
  let text = '';
  for (const word of words) {
    if (text !== '') text += ' ';
    starts.push(text.length);
    text += documents.has(word.text) ? 'DOC' : parts.has(word.text) ? 'PART' : word.text;
  }
  return { text, starts };
}

/** The least share of the frame's words among those around the subject; another language has fewer. */
const MIN_FRAME_SHARE = 0.5;

function readRest(question: string, { before, cue, after }: Rest, phrases: Phrases): Asked | null {
  const all = [...before, ...cue, ...after];
  const named = subjectOf(after, phrases) ?? subjectOf(before, phrases);
  const around = [...before, ...after].filter((word) => !named?.includes(word));
  const known = around.filter(({ text }) => phrases.frame.has(text));
  if (known.length < around.length * MIN_FRAME_SHARE) return null;
  const words = named ?? documentAfterMarker(all, after, phrases);
  if (!words)
    return all.some(({ text }) => phrases.parts.has(text)) ? { about: 'other' } : { about: 'whole' };
  if (words.every(({ text }) => /^\d+$/.test(text) || text === 'one' || ordinals.has(text)))
    return { about: 'other' };
  const text = question.slice(words[0]!.start, words.at(-1)!.end);
  const subject = phrases.suffix ? text.replace(phrases.suffix, '') : text;
  const isMarked = all.some((word) => phrases.markers.has(word.text));
  const isPart = subject !== text || all.some((word) => phrases.parts.has(word.text));
  return {
    about: 'subject',
    subject: subject || text,
    mayBeTitle: !isMarked && !isPart,
    wantsAll: !isMarked || isPart,
  };
}

/** The words that name a subject; null if all words are of the frame. */
function subjectOf(words: Word[], phrases: Phrases): Word[] | null {
  const { frame, markers, determiners, documents, pronouns } = phrases;
  const first = words.findIndex(({ text }) => !frame.has(text));
  if (first < 0) return null;
  const marker = words.slice(0, first).findLastIndex(({ text }) => markers.has(text));
  let start = marker < 0 ? first : marker + 1;
  while (start < first && (determiners.has(words[start]!.text) || AFTER_MARKER.has(words[start]!.text)))
    start += 1;
  const subject = withoutTail(words.slice(start), phrases);
  // "this employment contract" is the document, whatever it is called.
  const isThis = pronouns.has(words[start - 1]?.text ?? '') && documents.has(subject.at(-1)?.text ?? '');
  return isThis && marker < 0 ? null : subject;
}

/** The "report" in "What does the contract say about the report?"; null if the question names one document. */
function documentAfterMarker(all: Word[], after: Word[], phrases: Phrases): Word[] | null {
  const { documents, pronouns, markers } = phrases;
  const marker = after.findIndex(({ text }) => markers.has(text));
  const named = after.slice(marker + 1).filter(({ text }) => documents.has(text));
  const isOther = all
    .slice(0, all.length - after.length + marker)
    .some(({ text }) => documents.has(text) || pronouns.has(text));
  return marker >= 0 && isOther && named.length > 0 ? named : null;
}

/** Removes words at the end that do not belong to the subject: "in the contract", "please", "say", "clause". */
function withoutTail(words: Word[], phrases: Phrases): Word[] {
  const left = [...words];
  const question = left.findIndex(
    ({ text }, at) =>
      at > 0 &&
      phrases.questionWords.has(text) &&
      left.slice(at).every((word) => phrases.frame.has(word.text)),
  );
  if (question > 0) left.length = question;
  for (;;) {
    const count = left.length;
    const last = left.at(-1)!;
    const text = left.map((word) => word.text).join(' ');
    const ending = phrases.endings.map((pattern) => pattern.exec(text)).find((match) => match !== null);
    if (ending) left.length = wordsOf(text.slice(0, ending.index)).length;
    else if (count > 1 && (phrases.tails.has(last.text) || phrases.parts.has(last.text))) left.pop();
    else left.length = beforeDocument(left, phrases);
    if (left.length === count) break;
  }
  return left;
}

/** The number of words before an ending like "in the rental contract"; all of them without one. */
function beforeDocument(words: Word[], { documents, pronouns, determiners, prepositions }: Phrases): number {
  const last = words.at(-1)?.text ?? '';
  if (!documents.has(last) && !pronouns.has(last)) return words.length;
  for (let at = words.length - 1; at > Math.max(0, words.length - 6); at -= 1) {
    const between = words.slice(at + 1, -1).filter(({ text }) => !determiners.has(text));
    if (between.length > 1) break;
    if (prepositions.has(words[at]!.text)) return at;
  }
  return words.length;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const UNSPACED_CUE = new RegExp(unspaced.cues.join('|'), 'u');
const UNSPACED_FRAME = new RegExp(unspaced.frame.toSorted((a, b) => b.length - a.length).join('|'), 'gu');

/** Chinese and Japanese have no spaces between words. */
function parseUnspaced(question: string): Asked | null {
  if (!UNSPACED.test(question)) return null;
  if (!UNSPACED_CUE.test(question)) return { about: 'other' };
  const subject = question
    .replace(UNSPACED_FRAME, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return subject === ''
    ? { about: 'whole' }
    : { about: 'subject', subject, mayBeTitle: true, wantsAll: true };
}
