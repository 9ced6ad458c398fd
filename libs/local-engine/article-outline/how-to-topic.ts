import { part } from './part.js';
import { pattern } from '#libs/local-engine/text/pattern.js';
import words from './topic-words.json' with { type: 'json' };

/** Verbs that start a task after a subject: "how can small shops compete with chains". */
const verbs = words.verbs.join('|');

const direct = pattern`^ (?:learn(?:ing)?_)? how_
  (?: to | (?:do|can|could|should|would)_(?:i|you|we|one|people|somebody|someone|anyone) )_ (?!not\b) (.+) $`;

/** A how-to with a subject: "How small bakeries can price sourdough fairly". */
const forSomebody = pattern`^ how_ (?!much\b|many\b|long\b|often\b|old\b|far\b|big\b|do\b|does\b|did\b|is\b|are\b|was\b|were\b|has\b|have\b|will\b|would\b|can\b|could\b|should\b|might\b|come\b)
  [^?,;:]{2,60}? _(?:can|could|should|might|must)_(?:(?:still|best|also|finally|actually|really|always|safely|quickly)_)? (?!not\b|be_so\b|have\b) (.+) $
  | ^ how_(?:can|could|should)_ (?!(?:i|you|we|one|people|somebody|someone|anyone|it|this|that|they|there)\b)
  [^?,;:]{2,50}? _ ((?:${verbs})\b .*) $
  | ^ (?:when|where|what)_to_ (.+) $`;

const guide = pattern`^ (?:(?:the|an?|your)_)?
  (?:(?:complete|ultimate|definitive|practical|short|quick|simple|beginner['’]?s?['’]?|step[-\s]by[-\s]step)_)*
  (?:guide|tutorial|walkthrough)_(?:to|on|for|about)_ (.+) $`;

const bestWay = pattern`^ (?:the_)? (?:best|easiest|fastest|cheapest|right|simplest|quickest)_way_to_ (.+) $`;

const inAnotherLanguage = pattern`
  ^ (?: wie_(?:man|kann|macht|baut|schreibt|lernt) | so_gelingt | anleitung | comment | cómo | como | как | كيف )_
  | 如何 | 怎么 | 怎樣 | 怎样 | (?:方法|やり方|作り方) $`;

/** Replaces a task that is too long, or not in English. */
const UNNAMED_TASK = 'do this';

/** The task as words that follow "to", such as "bake bread"; null if the topic is not a how-to guide. */
export function readTask(text: string): string | null {
  const guided = guide.exec(text)?.[1];
  const task =
    direct.exec(text)?.[1] ??
    forSomebody.exec(text)?.slice(1).find(Boolean) ??
    bestWay.exec(text)?.[1] ??
    (guided && `get started with ${guided}`);
  if (task) return part(toThirdPerson(task.replace(/\s*[:–—(].*$/u, ''))) ?? UNNAMED_TASK;
  return inAnotherLanguage.test(text) ? UNNAMED_TASK : null;
}

const thirdPerson: Record<string, string> = words.thirdPerson;

/** "fix my car" becomes "fix their car", as the outline speaks about the reader. "US" stays. */
function toThirdPerson(task: string): string {
  return task.replace(/(?<![\p{L}\p{N}'’-])\p{L}+(?![\p{L}\p{N}'’-])/gu, (word) =>
    word === 'US' ? word : (thirdPerson[word.toLowerCase()] ?? word),
  );
}
