import { z } from 'zod';
import { parseData } from '#libs/contract/parse-data.js';
import { wholeWords } from '#libs/local-engine/text/pattern.js';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

/** The source of a regular expression for whole words, without regard to case. */
const words = z.string().transform((source) => wholeWords(source));

const phrasesShape = {
  /** Common words that no other supported language shares, or few. They tell the language of a text. */
  functionWords: z.array(z.string()),
  or: words,
  /** "or similar": what stands before is an example. */
  orSimilar: words,
  and: words,
  but: words,
  /** "such as", "e.g.". */
  examples: words,
  /** "no", "without". */
  denial: words,
  /** "want to learn", "interested in". */
  wish: words,
  /** "led a team", "hired two": leadership without the word. */
  leadership: words,
};

const foreignSchema = z.strictObject({
  ...phrasesShape,
  name: z.string(),
  /** Endings of inflected words, the longest first. */
  suffixes: z.array(z.string()),
  /** True if nouns are written as one word: "Finanzbuchhaltung". */
  hasCompounds: z.boolean().default(false),
  /** Terms that are part of unrelated words, as "messen" is of "angemessen". */
  notCompound: z.array(z.string()).default([]),
  /** Names of products, in lower case, that are everyday words of this language. */
  everyday: z.array(z.string()),
  /** What the skills of skills.json are called. */
  skills: z.record(z.string(), z.array(z.string())),
  /** Words of a posting's headings. */
  headings: z.strictObject({ preferred: words, ignored: words, required: words, mentioned: words }),
  preferred: words,
  required: words,
  /** "not required". */
  notRequested: words,
  /** "experience with": a request follows. */
  cues: words,
  /** Nouns that name no skill, such as "company". */
  emptyHeads: z.array(z.string()),
  /** Capitalised words and initials that name no skill. */
  notNamed: z.array(z.string()),
  numbers: z.record(z.string(), z.number()),
  years: z.strictObject({ word: z.string(), experience: words, notExperience: words }),
  /** A university degree of any level. */
  degree: words,
  /** "or equivalent". */
  equivalent: words,
});

export type ForeignLanguage = z.infer<typeof foreignSchema>;

const foreign = {
  de: parseData('de.json', foreignSchema, de),
  es: parseData('es.json', foreignSchema, es),
  fr: parseData('fr.json', foreignSchema, fr),
  it: parseData('it.json', foreignSchema, it),
  nl: parseData('nl.json', foreignSchema, nl),
  pl: parseData('pl.json', foreignSchema, pl),
  pt: parseData('pt.json', foreignSchema, pt),
};

export type ForeignCode = keyof typeof foreign;
/** The languages of job descriptions and resumes that are compared, by ISO 639-1 code. */
export type ResumeLanguage = 'en' | ForeignCode;

export const foreignLanguages: ReadonlyMap<string, ForeignLanguage> = new Map(Object.entries(foreign));

const english = parseData('en.json', z.strictObject(phrasesShape), en);

/** Words that requests and evidence share in every language. */
export type Phrases = Pick<ForeignLanguage, keyof typeof phrasesShape>;
export const phrasesOf = (language: ResumeLanguage): Phrases =>
  language === 'en' ? english : foreign[language];

const SHORTEST_STEM = 4;

/** The stem of a word in lower case: without its inflection. */
export function stemIn({ suffixes }: ForeignLanguage, lower: string): string {
  const word = lower.replaceAll('ß', 'ss').replaceAll('ł', 'l');
  const suffix = suffixes.find(
    (ending) => word.length - ending.length >= SHORTEST_STEM && word.endsWith(ending),
  );
  return suffix ? word.slice(0, -suffix.length) : word;
}

/** The languages that resumes may have, for messages: "Dutch, English, French … and Spanish". */
export const supportedLanguages = new Intl.ListFormat('en', { type: 'conjunction' }).format(
  ['English', ...Array.from(foreignLanguages.values(), ({ name }) => name)].sort(),
);
