import nlp from 'compromise';
import { shorten } from '#libs/local-engine/text/markdown-text.js';
import { pattern } from '#libs/local-engine/text/pattern.js';
import { seemsEnglish } from '#libs/local-engine/text/seems-english.js';
import { countabilityOf } from '#libs/local-engine/text/english-nouns.js';
import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import { titleCase } from './title-case.js';

/** The grammatical form of a keyword, which decides the title patterns. Texts are unescaped. */
export type Keyword =
  /** "houseplants": takes a verb in the plural. */
  | { form: 'plural'; text: string }
  /** "running", "music": takes no article, and a verb in the singular. */
  | { form: 'mass'; text: string }
  /** The same in more words: "grief after a loss", "buying a house". It cannot stand before another noun. */
  | { form: 'massPhrase'; text: string }
  /** "electric car": takes an article, or stands before another noun; a thing that people get. */
  | { form: 'one'; text: string }
  /** "headache", "house on a budget": takes an article. */
  | { form: 'count'; text: string }
  /** "Kubernetes", "remote work": fits after a preposition. */
  | { form: 'name'; text: string }
  /** "save money": fits after "how to". */
  | { form: 'task'; text: string }
  /** "why do cats purr?", without its question mark. */
  | { form: 'question'; text: string }
  /** "best laptops", "dogs vs cats": fits before a colon only. */
  | { form: 'label'; text: string }
  /** Another language, or too long for a sentence: put in quotation marks. */
  | { form: 'quoted'; text: string; rightToLeft: boolean };

const MAX_QUOTED_LENGTH = 90;
const MAX_PART_LENGTH = 60;

const question = pattern`^ (?:what|why|when|where|who|whose|which|how|is|are|can|could|do|does|did|should|will|would)_\S+_\S`;
const listing = pattern`^ (?:the_)? (?:best|top|cheapest|worst|greatest|most|\d+)\b | \b(?:vs?\.?|versus)\s | [,:;] | \s[/&+]\s | ^ (?:my|our|your|this|these|that|i|we)_`;

/** Verbs that start a task and are rarely nouns: "travel insurance" is no task, "save money" is one. */
const taskVerbs = new Set(
  `compare negotiate hire host survive cope apply freeze roast grill brew sew declutter refinance avoid bake become boost bring build buy choose clean cook create decorate develop earn find fix get grow handle improve
  increase install keep learn lose make manage meditate organize organise overcome pay prepare prevent quit read reduce
  remove repair save sell set speak stay stop teach use wash wear write`.split(/\s+/),
);
/** Verbs that a word in -ing follows: "start running" is a task, "invoice factoring" and "note taking" are none. */
const gerundVerbs = new Set(
  'avoid begin consider enjoy keep practice practise quit start stop try'.split(' '),
);
const determiners = new Set(
  'a an the your my our their his her this these that those more less better'.split(' '),
);
/** Words in -ing that are things, not activities. */
const things = new Set(
  `building wedding evening morning ceiling clothing spring string ring king wing thing nothing something everything
  anything sibling offspring pudding earring beijing sterling darling duckling dumpling shilling wellbeing being`.split(
    /\s+/,
  ),
);
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

/** What follows these words describes the noun before them. */
const TAIL =
  /^(?:of|for|in|on|at|with|without|after|before|during|from|to|by|under|about|as|near|against|between|through|into|over|while|when|that|who|which|if|because|among|around|across|beyond|inside|outside|since|until|versus|vs|per|and|or|is|are|was|were|does|do|can)$/i;

/** Countable nouns that are also used without an article: "postpartum depression". */
const alsoMass = new Set('depression engagement flow'.split(' '));

function formOfPhrase(phrase: string): PhraseForm {
  const words = phrase.split(' ');
  const [first = '', second = ''] = words.map((word) => word.toLowerCase());
  const isBeforeGerund = second.endsWith('ing') && !things.has(second);
  if (isBeforeGerund && gerundVerbs.has(first)) return 'task';
  const tags = tagsOf(phrase);
  if (
    words.length === 2 &&
    first.endsWith('ing') &&
    !things.has(first) &&
    countabilityOf(second) === null &&
    isPlural(second, tags.last)
  ) {
    return 'label';
  }
  if (tags.first.has('Gerund') && !things.has(first) && !isCompound(words)) {
    return words.length > 1 ? 'massPhrase' : 'mass';
  }
  const isVerb =
    tags.first.has('Verb') &&
    !tags.first.has('Participle') &&
    countabilityOf(first) === null &&
    words[0] === first &&
    !ones.has(first) &&
    !isBeforeGerund &&
    !TAIL.test(second);
  if (
    words.length > 1 &&
    (taskVerbs.has(first) ||
      (tags.first.has('Verb') && determiners.has(second)) ||
      (isVerb && !/(?:ed|ing|s)$/.test(first)))
  )
    return 'task';
  // "The future of work" and "her first marathon" have their article.
  if (determiners.has(first)) return 'name';
  const tail = words.findIndex((word, index) => index > 0 && TAIL.test(word));
  const core = tail < 0 ? words : words.slice(0, tail);
  const headWord = core.at(-1) ?? '';
  // Mixed case, digits or signs: a proper name.
  if (
    /^\p{Ll}*\p{Lu}|[\d#@.+]|\p{Extended_Pictographic}/u.test(headWord) &&
    !/^\p{Lu}\p{Ll}+$/u.test(headWord)
  ) {
    return 'name';
  }
  const isPhrase = tail >= 0;
  const head = headWord.toLowerCase();
  // The grammatical number of a proper name is unknown.
  if (ones.has(head) && !tagsOf(core.join(' ').toLowerCase()).last.has('ProperNoun'))
    return isPhrase ? 'count' : 'one';
  const headTags = tagsOf(core.join(' ')).last;
  if (headTags.has('ProperNoun') || headTags.has('Acronym') || singularNames.has(head)) return 'name';
  const isSingular = countabilityOf(head);
  if (isSingular === null && isPlural(head, headTags) && headWord === head) return 'plural';
  if (
    isSingular === 'mass' ||
    alsoMass.has(head) ||
    headTags.has('Uncountable') ||
    (/(?:ness|ism|ology|ware|care|tion|ing)$/.test(head) && isSingular !== 'count')
  )
    return isPhrase ? 'massPhrase' : 'mass';
  if (isSingular === 'count' && headWord === head) return 'count';
  // A word of English that is no noun: "sustainable".
  if (isEnglishWord(head) && headWord === head) return 'label';
  return isPhrase ? 'label' : 'name';
}

/** "Swimming pool", "cleaning products": something for an activity. */
const isCompound = (words: string[]) =>
  words.length === 2 &&
  !/^(?:learning|using|teaching|writing|studying|speaking|playing|loving)$/i.test(words[0]!) &&
  (ones.has(words[1]!.toLowerCase()) || countabilityOf(words[1]!) === 'count');

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

/** Frequent countable nouns; any other word gets no article. */
const ones = new Set(
  `animal apartment app band bathroom bedroom bicycle bike blog boat book brand budget business cabin camera campaign car
  career cat channel chatbot city class classroom club company computer conference course cruise dashboard database diet
  dog domain drone ebook engine event factory family farm festival film flight forest garage garden gift guitar habit
  hobby holiday home hospital hotel house houseplant island itinerary job journal kitchen laptop lawyer library logo
  manager marathon mattress meeting mentor microphone mortgage museum network newsletter office passport pension pet phone
  piano planner podcast portfolio printer profile project puppy recipe relationship restaurant resume robot routine
  school server shop smartphone smartwatch sofa spreadsheet startup store strategy student studio suitcase tablet tattoo
  vaccine visa teacher team telescope tent tool toy trip truck tutor university van vegetable video website wedding workout workshop`.split(
    /\s+/,
  ),
);

/** Singular names that end in "s". */
const singularNames = new Set(
  'aws canvas css jenkins kubernetes los mars netflix pandas paris postgres rails redis sas tailwindcss texas wales windows'.split(
    ' ',
  ),
);
