import nlp from 'compromise';
import { shorten } from '#libs/local-engine/text/markdown-text.js';
import { pattern } from '#libs/local-engine/text/pattern.js';
import { seemsEnglish } from '#libs/local-engine/text/seems-english.js';
import { titleCase } from './title-case.js';

/** The grammatical form of a keyword, which decides the title patterns. Texts are unescaped. */
export type Keyword =
  /** "houseplants": takes a verb in the plural. */
  | { form: 'plural'; text: string }
  /** "running", "music": takes no article, and a verb in the singular. */
  | { form: 'mass'; text: string }
  /** "electric car": takes an article, or stands before another noun. */
  | { form: 'one'; text: string }
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
  `avoid bake become boost bring build buy choose clean cook create decorate develop earn find fix get grow handle improve
  increase install keep learn lose make manage meditate organize organise overcome pay prepare prevent quit read reduce
  remove repair save sell set speak stay stop teach train use wash wear write`.split(/\s+/),
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

function formOfPhrase(phrase: string): 'plural' | 'mass' | 'one' | 'name' | 'task' {
  const words = phrase.split(' ');
  const [first = '', second = ''] = words.map((word) => word.toLowerCase());
  const tags = tagsOf(phrase);
  if (tags.first.has('Gerund') && !things.has(first)) return 'mass';
  if (words.length > 1 && (taskVerbs.has(first) || (tags.first.has('Verb') && determiners.has(second))))
    return 'task';
  const lastWord = words.at(-1) ?? '';
  // Mixed case, digits or signs: a proper name.
  if (
    /^\p{Ll}*\p{Lu}|[\d#@.+]|\p{Extended_Pictographic}/u.test(lastWord) &&
    !/^\p{Lu}\p{Ll}+$/u.test(lastWord)
  ) {
    return 'name';
  }
  const last = lastWord.toLowerCase();
  // The grammatical number of a proper name is unknown.
  if (ones.has(last) && !tagsOf(phrase.toLowerCase()).last.has('ProperNoun')) return 'one';
  if (tags.last.has('ProperNoun') || tags.last.has('Acronym') || singularNames.has(last)) return 'name';
  if (tags.last.has('Plural') && lastWord === last) return 'plural';
  return tags.last.has('Uncountable') ? 'mass' : 'name';
}

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
  teacher team telescope tent tool toy trip truck tutor university van vegetable video website wedding workout workshop`.split(
    /\s+/,
  ),
);

/** Singular names that end in "s". */
const singularNames = new Set(
  'aws canvas css jenkins kubernetes los mars netflix pandas paris postgres rails redis sas tailwindcss texas wales windows'.split(
    ' ',
  ),
);
