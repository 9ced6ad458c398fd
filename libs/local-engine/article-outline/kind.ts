import { readSides } from './comparison-topic.js';
import { readTask } from './how-to-topic.js';
import { readList } from './list-topic.js';
import { quote, UNQUOTED } from './part.js';
import { pattern } from '#libs/local-engine/text/pattern.js';

/**
 * The kind of article, with the parts of the topic that its outline repeats. The parts are escaped for Markdown and fit
 * into sentences: `task` after "to", `topic` and `question` as nouns.
 */
export type Kind =
  | { form: 'how-to'; task: string }
  | { form: 'comparison'; first: string; others: string; all: string }
  | { form: 'list'; entries: string; count: number | null }
  | { form: 'question'; question: string }
  | { form: 'explainer' | 'opinion' | 'story' | 'announcement' | 'general'; topic: string };

const opinion = pattern`\b(?: should | pros_and_cons | worth_it | case_(?:for|against) | in_defen[cs]e_of
  | my_(?:opinion|view|take) | arguments?_(?:for|against) | overrated | underrated )\b`;

/** Topics that ask for an explanation. The first group that matched is the subject. */
const explainer = pattern`
  ^ what_(?:is|are|was|were)_ (.+) $
  | ^ (?:an?_)? (?:introduction_to|basics_of|(?:the_)?meaning_of|understanding)_ (.+) $
  | ^ (.+?) ,?_explained\b`;

/** Explanations worded like questions: "How bees make honey", "Why remote work fails", "What makes a good manager". */
const explaining = pattern`^ (?:how|why|what|where|when|who|which)_
  (?!(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|might|may|must|much|many|long|often|old|far|big|come|else)\b) (?!.*[?？؟]) \S .* $`;

/** Stories worded like how-to guides: "How I learned to cook", "How Netflix changed television". */
const narrative = pattern`^ how_ (?:(?:i|we|my|our)\b | .+_(?:changed|became|began|built|lost|won|saved|conquered|invented|discovered|survived|shaped|learned|went|grew|made|came|took|fell|rose|ended|started)\b )`;

const explainerInAnotherLanguage = pattern`
  ^ (?: was_ist | was_sind | qu['’]est-ce | qué_es | o_que_é | cos['’]è | что_такое | ما_ه[ويى] ) (?:\s|$)
  | 什么是 | 是什么 | 什麼是 | とは`;

const question = pattern`
  ^ (?: why | how | when | where | who | which | what | whose
      | warum | wieso | weshalb | pourquoi | por_qué | perché | почему | لماذا )_
  | 为什么 | 為什麼 | なぜ | どうして
  | \S \s* [?？؟] \s* $`;

const story = pattern`
  \b(?:story|history|biography|life|rise|fall|journey|legend|memoir|tale)_of\b
  | ^ (?:a|the|my|our)_(?:day|night|summer|winter|year|story|journey)\b`;

const announcement = pattern`\b(?: announc(?:es?|ed|ing|ement) | launch(?:es|ed|ing)? | releas(?:es|ed)
  | unveil(?:s|ed|ing)? | introduc(?:es|ing) | press_release | opens_(?:its|an?|the|in) | acquires | joins
  | now_available )\b`;

/** @param topic one line of plain text; the first form that matches decides its kind */
export function recogniseKind(topic: string): Kind {
  const text = topic.replace(/[\s?？!！.。]+$/u, '');
  const quoted = quote(topic);

  const sides = readSides(text);
  if (sides) return { form: 'comparison', ...sides };
  const list = readList(text);
  if (list) return { form: 'list', ...list };
  const task = readTask(text);
  if (task) return { form: 'how-to', task };
  if (opinion.test(text)) return { form: 'opinion', topic: quoted };
  const subject = explainer.exec(text)?.slice(1).find(Boolean);
  if (subject) return { form: 'explainer', topic: quote(subject) };
  if (explainerInAnotherLanguage.test(text)) return { form: 'explainer', topic: quoted };
  if (narrative.test(text) && !isQuestion(topic)) return { form: 'story', topic: quoted };
  if (explaining.test(text) && !isQuestion(topic)) return { form: 'explainer', topic: quoted };
  if (question.test(topic))
    return { form: 'question', question: quoted === UNQUOTED ? 'your question' : quoted };
  if (story.test(text)) return { form: 'story', topic: quoted };
  if (announcement.test(text)) return { form: 'announcement', topic: quoted };
  return { form: 'general', topic: quoted };
}

const isQuestion = (topic: string) => /[?？؟]\s*$/u.test(topic);
