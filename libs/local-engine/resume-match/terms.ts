import nlp from 'compromise';
import { withoutSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import { tokenise, type Token } from '#libs/local-engine/resume/tokens.js';
import type { JobRequest } from './comparison.js';
import type { JobClause } from './job-clauses.js';
import words from './terms.json' with { type: 'json' };

/** Few, since a repeated term is weaker evidence of a request than a known skill. */
const MAX_TERMS = 8;

/** Words that most job descriptions have. */
const COMMON = new Set(words.common);

const isCommon = ({ lower }: Token) =>
  COMMON.has(lower) || COMMON.has(lower.replace(/e?s$/, '')) || COMMON.has(lower.replace(/s$/, ''));

/** A request with the stems of its words. */
interface Term extends JobRequest {
  stems: string[];
}

/** The words and phrases that a job description repeats, and that are no known skills. */
export function findTerms(clauses: readonly JobClause[]): Term[] {
  const found = new Map<string, Term>();
  const read = new Map<string, Token[][]>();
  for (const { text, sentence, posting } of clauses) {
    if (posting.language !== 'en' || posting.unsupported !== null) continue;
    const phrases = read.get(text) ?? nounPhrases(withoutSkills(text, posting)).flatMap(endings);
    read.set(text, phrases);
    for (const words of phrases) {
      const stems = words.map(({ stem }) => stem);
      const key = stems.join(' ');
      const term = found.get(key);
      const name = words.map(({ lower }) => lower).join(' ');
      if (term) term.mentions += 1;
      else {
        const anyOf = [{ term: name }];
        found.set(key, { name, anyOf, stems, importance: 'term', mentions: 1, quote: sentence });
      }
    }
  }
  const frequent = Array.from(found.values()).filter(
    ({ mentions, stems }) => mentions >= (stems.length > 1 ? 2 : 3),
  );
  return frequent
    .filter((term) => !frequent.some((other) => isWithin(term, other)))
    .sort((a, b) => b.mentions * b.stems.length - a.mentions * a.stems.length)
    .slice(0, MAX_TERMS);
}

/** A phrase and its endings, since its first words may only be adjectives. */
function endings(phrase: string): Token[][] {
  const words = tokenise(phrase);
  return words
    .map((_, index) => words.slice(index))
    .filter(
      (rest) =>
        rest.length <= 3 &&
        rest.every((word) => word.stem.length > 2 && !/^\d/.test(word.stem) && !isCommon(word)),
    );
}

const isWithin = (term: Term, other: Term) =>
  other.stems.length > term.stems.length &&
  ` ${other.stems.join(' ')} `.includes(` ${term.stems.join(' ')} `);

function nounPhrases(text: string): string[] {
  return (
    nlp(text).match('#Adjective? #Noun+').not('(#Pronoun|#Determiner|#Value|#Date)').out('array') as string[]
  ).map((phrase) => phrase.replace(/^[^\p{L}]+|[^\p{L}\p{N}+#]+$/gu, ''));
}
