import nlp from 'compromise';
import { findDegrees } from '#libs/local-engine/resume/degrees.js';
import { findSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import { hasProductForm, LONGEST_WORD } from '#libs/local-engine/resume/skills/named-products.js';
import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import { isOfEmployer } from './employer.js';
import type { JobClause, Posting } from './job-clauses.js';
import jobTitles from './job-titles.json' with { type: 'json' };
import words from './requested-names.json' with { type: 'json' };

const MOST_WORDS = 4;

/** A request follows these words. */
const CUE =
  /\b(?:experience|experienced|expertise|knowledge|familiarity|familiar|proficiency|proficient|fluency|fluent|competen(?:ce|cy|t)|understanding|background|exposure|skilled|versed|comfortable|command|grasp|mastery|training|certified|certification|qualified|hands[- ]on|ability|trained)\s+(?:(?:working|developing|building|designing|using|writing)\s+)?(?:with|in|of|on|using|to use)\b|\b(?:such as|e\.g\.,?|including|stack:|tools?:|technologies:|skills:|tools like|libraries like|frameworks like|knowledge of)\s/giu;

const SEPARATOR =
  /[,;()[\]•|]|\s[–—-]\s|\/(?=\p{Lu})|(?<=\p{L}{3})\/|\b(?:and\/or|and|or|as well as|such as|like|including|e\.g\.?|etc\.?|for|with|using|via|from|to|in|on|at|by|across|within|that|which|who|while|when|through|into|under|plus)\b/iu;

/** Words that are not part of a skill's name. */
const SMALL = new Set('and or in with of for on at to as is are using the a an like'.split(' '));

/** Words that describe the name after them. */
const LEADING = new Set(words.leading);

/** Last words of phrases that name no skill. */
const EMPTY_HEADS = new Set(words.emptyHeads);

const TITLE_WORDS = new RegExp(
  String.raw`\b(?:${[...jobTitles.titles, ...jobTitles.ranks].join('|')})s?$`,
  'i',
);

/** Words and initials in capitals that name no skill. */
export const NOT_NAMED: ReadonlySet<string> = new Set(words.notNamed);

/** The products, methods and subjects that a clause in English asks for, without known skills; recognised by their form and the words around them. */
export function namesIn({ text, importance, posting }: JobClause): string[] {
  if (OFFER.test(text) || findDegrees(text, false).length > 0 || /\bdegree\b/i.test(text)) return [];
  const blanked = withoutSkills(text, posting);
  const names: string[] = [];
  const isList = isListOfNames(text);
  const isShort = importance !== 'mentioned' && text.split(/\s+/).length <= MOST_WORDS;
  const phrases = phrasesOf(blanked, isShort);
  for (const [index, { phrase, isAsked, isFirst }] of phrases.entries()) {
    const words = trimmed(phrase, isFirst);
    if (words.length === 0 || words.length > MOST_WORDS || words.some((word) => word.length > LONGEST_WORD))
      continue;
    const name = words.join(' ');
    if (isOfEmployer(name, posting.employer)) continue;
    const isMeant = isAsked || isList || !isCommonWord(name) || isAmongProducts(phrases, index);
    if (isMeant && isProduct(words, isFirst)) names.push(...productIn(words));
    else if (isAsked && isNounPhrase(words)) names.push(name.charAt(0).toUpperCase() + name.slice(1));
  }
  return Array.from(new Set(names));
}

const OFFER =
  /^\W*(?:we offer|we provide|we['’]ll give|you(?:['’]ll)? get|you will get|you receive|enjoy|perks|benefits|apply|send|call)\b/i;

const isCommonWord = (name: string) =>
  !name.includes(' ') && isEnglishWord(name.toLowerCase()) && !hasProductForm(name);

/** True if the item before or after is a product by its form. */
const isAmongProducts = (phrases: readonly Phrase[], index: number) =>
  [phrases[index - 1], phrases[index + 1]].some(
    (item) => item !== undefined && trimmed(item.phrase, false).some(hasProductForm),
  );

/** True if a text has at least three items of few words each. */
function isListOfNames(text: string): boolean {
  const items = text.split(/[,;•|/]|\band\b|\bor\b/).filter((item) => item.trim());
  return items.length >= 3 && text.split(/\s+/).length / items.length <= 2.5;
}

interface Phrase {
  phrase: string;
  /** True after words such as "experience with". */
  isAsked: boolean;
  /** True at the start of the clause, where any word has a capital. */
  isFirst: boolean;
}

/** The word before a phrase is searched within this many characters. */
const LONGEST_GAP = 60;

/** The parts between separators. A cue's request reaches to the end of its list. */
function phrasesOf(text: string, isAsked: boolean): Phrase[] {
  const found: Phrase[] = [];
  const cues = Array.from(text.matchAll(CUE));
  const pieces = [
    { from: 0, isAsked },
    ...cues.map(({ index, 0: cue }) => ({ from: index + cue.length, isAsked: true })),
  ];
  for (const [index, { from, isAsked: asked }] of pieces.entries()) {
    const end = cues[index]?.index ?? text.length;
    let inList = asked;
    let at = from;
    for (const phrase of text.slice(from, Math.max(from, end)).split(new RegExp(SEPARATOR, 'giu'))) {
      const before = text.slice(from, at);
      const gap = /(?:^|[\s,;()/])(\S*)\s*$/u.exec(before.slice(-LONGEST_GAP))?.[1] ?? '';
      // A preposition or a relative clause ends the list.
      if (
        /^(?:for|with|using|via|from|to|in|on|at|by|across|within|that|which|who|while|when|through|into|under)$/i.test(
          gap,
        )
      )
        inList = false;
      // "Experience in a hotel" names a place.
      if (/^\s*(?:an?|our|the)\s/i.test(phrase) && /\b(?:in|of)\s*$/i.test(text.slice(0, at))) inList = false;
      found.push({ phrase, isAsked: inList, isFirst: from === 0 && before.trim() === '' });
      at = text.indexOf(phrase, at) + phrase.length;
      const separator = SEPARATOR.exec(text.slice(at));
      at += separator?.index === 0 ? separator[0].length : 0;
    }
  }
  return found;
}

function trimmed(phrase: string, isFirst: boolean): string[] {
  const words = phrase
    .replace(/[“”"!?:*_]+/g, ' ')
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}.]+|[^\p{L}\p{N}+#]+$/gu, ''))
    .filter(Boolean);
  while (/^(?:the|an?)$/i.test(words[0] ?? '')) words.shift();
  // "Strong Customer Authentication" is one name.
  const isName = /^\p{Lu}/u.test(words[1] ?? '');
  while (words.length > 0 && LEADING.has(words[0]!.toLowerCase())) {
    if (isName && !isFirst && /^\p{Lu}/u.test(words[0]!)) break;
    words.shift();
  }
  return words;
}

/** The first run of capitalised words: "Core Web Vitals" in "strong Core Web Vitals scores". */
function productIn(words: string[]): string[] {
  const runs: string[][] = [[]];
  for (const word of words) {
    if (/^[\p{Lu}\d.]/u.test(word) || hasProductForm(word)) runs.at(-1)!.push(word);
    else runs.push([]);
  }
  return runs
    .map((run) => run.join(' '))
    .filter((name) => /\p{L}{2}/u.test(name) && !isNoProduct(name) && !isNumbered(name))
    .slice(0, 1);
}

const isProduct = (words: string[], isFirst: boolean) =>
  words.some(
    (word, index) =>
      (hasProductForm(word) ||
        (/^\p{Lu}/u.test(word) && !(isFirst && index === 0 && isEnglishWord(word.toLowerCase())))) &&
      !isNoProduct(word),
  ) &&
  !TITLE_WORDS.test(words.join(' ')) &&
  !/\b(?:head|vp|director|chief|president) of\b/i.test(words.join(' '));

function isNoProduct(name: string): boolean {
  if (
    name.split(' ').every((word) => NOT_NAMED.has(word.toLowerCase()) || EMPTY_HEADS.has(word.toLowerCase()))
  )
    return true;
  if (TITLE_WORDS.test(name) || /^\d|^(?:401|403)/.test(name)) return true;
  return !hasProductForm(name) && nlp(name).has('^(#Place|#Date|#WeekDay|#Month|#Demonym)+$');
}

/** "Grades 3" and "Level II" are no products. */
const isNumbered = (name: string) => {
  const [word = '', number] = name.split(' ');
  return number !== undefined && /^(?:\d+|I{1,3}|IV|V)$/.test(number) && isEnglishWord(word.toLowerCase());
};

/** True if at most three words end with a noun that is specific enough to be requested. */
function isNounPhrase(words: string[]): boolean {
  const head = words.at(-1)?.toLowerCase() ?? '';
  if (words.length > 3 || EMPTY_HEADS.has(head) || head.length < 3) return false;
  if (
    words.some(
      (word) =>
        /\d|['’]/.test(word) ||
        /^(?:not|no|you|we|they|it|will|can|should|our|your|their|his|her)$/i.test(word),
    )
  )
    return false;
  const terms = nlp(words.join(' ')).json({ terms: { tags: true } }) as { terms: { tags: string[] }[] }[];
  const tags = terms.flatMap((sentence) => sentence.terms.map((term) => new Set(term.tags)));
  const last = tags.at(-1);
  const isNoun = (last?.has('Noun') ?? false) || (last?.has('Gerund') ?? false);
  return (
    isNoun &&
    !last?.has('Pronoun') &&
    !tags.some((tag) => tag.has('Adverb') || tag.has('Pronoun') || tag.has('Modal'))
  );
}

/** Replaces known skills, and words that belong to them ("CI/CD pipelines", "edge caching"), by separators. */
function withoutSkills(text: string, posting: Posting): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of findSkills(text, posting)) {
    const before = text
      .slice(from, start)
      .replace(/(?<![\p{L}\p{N}])[\p{L}\p{N}-]+ $/u, (word) =>
        SMALL.has(word.trim().toLowerCase()) ? word : '',
      );
    const after =
      /^(?: (?!(?:and|or|in|with|for|on|at|to|as|is|are|of)\b)\p{Ll}[\p{L}-]*){1,2}/u.exec(
        text.slice(end),
      )?.[0] ?? '';
    rest += `${before},`;
    from = Math.max(from, end + after.length);
  }
  return rest + text.slice(from);
}
