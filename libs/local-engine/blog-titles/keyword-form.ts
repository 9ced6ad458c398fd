import nlp from 'compromise';
import { shorten } from '#libs/contract/text.js';
import { pattern } from '#libs/local-engine/text/pattern.js';
import { seemsEnglish } from '#libs/local-engine/text/seems-english.js';
import { countabilityOf } from '#libs/local-engine/text/english-nouns.js';
import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import { titleCase } from './title-case.js';
import words from './words.json' with { type: 'json' };

/** The grammatical form of a keyword, which decides the title patterns. Texts are unescaped. */
export type Keyword =
  /** "houseplants": takes a plural verb. */
  | { form: 'plural'; text: string }
  /** "running", "music": takes no article and a singular verb. */
  | { form: 'mass'; text: string }
  /** "grief after a loss", "buying a house": a mass noun in several words, which cannot precede another noun. */
  | { form: 'massPhrase'; text: string }
  /** "electric car": a thing to buy or own; takes an article, or precedes another noun. */
  | { form: 'one'; text: string }
  /** "headache", "house on a budget": other countable things; takes an article. */
  | { form: 'count'; text: string }
  /** "Kubernetes", "remote work": fits after a preposition. */
  | { form: 'name'; text: string }
  /** "save money": fits after "how to". */
  | { form: 'task'; text: string }
  /** "why do cats purr?", without its question mark. */
  | { form: 'question'; text: string }
  /** "best laptops", "dogs vs cats": fits only before a colon. */
  | { form: 'label'; text: string }
  /** In another language, or too long for a sentence: needs quotation marks. */
  | { form: 'quoted'; text: string; rightToLeft: boolean };

const MAX_QUOTED_LENGTH = 90;
const MAX_PART_LENGTH = 60;

const question = pattern`^ (?:what|why|when|where|who|whose|which|how|is|are|can|could|do|does|did|should|will|would)_\S+_\S`;
const listing = pattern`^ (?:the_)? (?:best|top|cheapest|worst|greatest|most|\d+)\b | \b(?:vs?\.?|versus)\s | [,:;] | \s[/&+]\s | ^ (?:my|our|your|this|these|that|i|we)_`;

/** Verbs that start a task and are rarely nouns, such as "save" ("save money"), but not "travel" ("travel insurance"). */
const taskVerbs = new Set(words.taskVerbs);
/** Verbs before a word in -ing, such as "start" in "start running". "invoice factoring" and "note taking" are no tasks. */
const verbsBeforeGerund = new Set(words.verbsBeforeGerund);
const determiners = new Set(words.determiners);
/** Words in -ing that are things, not activities. */
const nounsInIng = new Set(words.nounsInIng);
/** Countable nouns that are also used without an article: "postpartum depression". */
const alsoMassNouns = new Set(words.alsoMassNouns);
const countableNouns = new Set(words.countableNouns);
/** Singular names that end in "s". */
const singularNames = new Set(words.singularNames);

/** Recognises the grammatical form of a keyword, and converts the keyword to title case. */
export function formOf(keyword: string): Keyword {
  const asks = /[?？؟]\s*$/u.test(keyword);
  const bare = keyword.replace(/[\s?!？！؟。.]+$/u, '').replace(/^an?\s+(?=\S)/iu, '') || keyword;
  const howTo = /^how\s+to\s+(\S.*)$/iu.exec(bare)?.[1];
  const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(bare);
  const isLong = shorten(bare, MAX_PART_LENGTH) !== bare || /[.!?]\s/u.test(bare);
  if (rightToLeft || isLong || !seemsEnglish(bare) || !/\p{Script=Latin}/u.test(bare)) {
    return { form: 'quoted', text: shorten(asks ? `${bare}?` : bare, MAX_QUOTED_LENGTH), rightToLeft };
  }
  const text = titleCase(bare);
  if (howTo) return { form: 'task', text: titleCase(howTo) };
  if (asks || question.test(bare)) return { form: 'question', text };
  if (listing.test(bare)) return { form: 'label', text };
  return { form: formOfPhrase(bare), text };
}

type PhraseForm = 'plural' | 'mass' | 'massPhrase' | 'one' | 'count' | 'name' | 'task' | 'label';

/** Words that end a noun and begin its description: "house on a budget". */
const TAIL =
  /^(?:of|for|in|on|at|with|without|after|before|during|from|to|by|under|about|as|near|against|between|through|into|over|while|when|that|who|which|if|because|among|around|across|beyond|inside|outside|since|until|versus|vs|per|and|or|is|are|was|were|does|do|can)$/i;

function formOfPhrase(phrase: string): PhraseForm {
  const words = phrase.split(' ');
  const [first = '', second = ''] = words.map((word) => word.toLowerCase());
  const isBeforeGerund = second.endsWith('ing') && !nounsInIng.has(second);
  if (isBeforeGerund && verbsBeforeGerund.has(first)) return 'task';
  const tags = tagsOf(phrase);
  if (
    words.length === 2 &&
    first.endsWith('ing') &&
    !nounsInIng.has(first) &&
    countabilityOf(second) === null &&
    isPlural(second, tags.last)
  ) {
    return 'label';
  }
  if (tags.first.has('Gerund') && !nounsInIng.has(first) && !isCompound(words)) {
    return words.length > 1 ? 'massPhrase' : 'mass';
  }
  const isVerb =
    tags.first.has('Verb') &&
    !tags.first.has('Participle') &&
    countabilityOf(first) === null &&
    words[0] === first &&
    !countableNouns.has(first) &&
    !isBeforeGerund &&
    !TAIL.test(second);
  if (
    words.length > 1 &&
    (taskVerbs.has(first) ||
      (tags.first.has('Verb') && determiners.has(second)) ||
      (isVerb && !/(?:ed|ing|s)$/.test(first)))
  )
    return 'task';
  // "The future of work" and "her first marathon" need no other article.
  if (determiners.has(first)) return 'name';
  const tail = words.findIndex((word, index) => index > 0 && TAIL.test(word));
  const core = tail < 0 ? words : words.slice(0, tail);
  const headWord = core.at(-1) ?? '';
  // A word with mixed case, digits or signs is a proper name.
  if (
    /^\p{Ll}*\p{Lu}|[\d#@.+]|\p{Extended_Pictographic}/u.test(headWord) &&
    !/^\p{Lu}\p{Ll}+$/u.test(headWord)
  ) {
    return 'name';
  }
  const isPhrase = tail >= 0;
  const head = headWord.toLowerCase();
  // A proper name is not counted as a common noun.
  if (countableNouns.has(head) && !tagsOf(core.join(' ').toLowerCase()).last.has('ProperNoun'))
    return isPhrase ? 'count' : 'one';
  const headTags = tagsOf(core.join(' ')).last;
  if (headTags.has('ProperNoun') || headTags.has('Acronym') || singularNames.has(head)) return 'name';
  const isSingular = countabilityOf(head);
  if (isSingular === null && isPlural(head, headTags) && headWord === head) return 'plural';
  if (
    isSingular === 'mass' ||
    alsoMassNouns.has(head) ||
    headTags.has('Uncountable') ||
    (/(?:ness|ism|ology|ware|care|tion|ing)$/.test(head) && isSingular !== 'count')
  )
    return isPhrase ? 'massPhrase' : 'mass';
  if (isSingular === 'count' && headWord === head) return 'count';
  // An English word that is not a noun, such as "sustainable", fits only before a colon.
  if (isEnglishWord(head) && headWord === head) return 'label';
  return isPhrase ? 'label' : 'name';
}

/** True for a thing for an activity, such as "swimming pool" or "cleaning products". */
const isCompound = (words: string[]) =>
  words.length === 2 &&
  !/^(?:learning|using|teaching|writing|studying|speaking|playing|loving)$/i.test(words[0]!) &&
  (countableNouns.has(words[1]!.toLowerCase()) || countabilityOf(words[1]!) === 'count');

const isPlural = (head: string, tags: Set<string>) =>
  tags.has('Plural') ||
  (/s$/.test(head) &&
    [head.slice(0, -1), head.replace(/es$/, ''), head.replace(/ies$/, 'y')].some(
      (singular) => singular !== head && countabilityOf(singular) !== null,
    ));

function tagsOf(phrase: string): { first: Set<string>; last: Set<string> } {
  const terms = nlp(phrase).json({ terms: { tags: true } }) as { terms: { tags: string[] }[] }[];
  const all = terms.flatMap((sentence) => sentence.terms.map(({ tags }) => new Set(tags)));
  return { first: all[0] ?? new Set(), last: all.at(-1) ?? new Set() };
}
