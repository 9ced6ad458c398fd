import nlp from 'compromise';
import { findSkills } from '#libs/resume/skills/find-skills.js';
import { tokenise } from '#libs/resume/tokens.js';
import type { JobClause } from './job-lines.js';

/** A word or phrase that a job description keeps coming back to, and that is no known skill. */
export interface Term {
  name: string;
  /** The stems of its words, in order. */
  stems: string[];
  mentions: number;
  quote: string;
}

/** Terms that count, at most: they are weaker signs than skills. */
const MOST = 8;

/** Words that every job description has. */
const COMMON = new Set(
  tokenise(
    `ability able about applicant areas background benefit business candidate career client clients colleague company country customer daily day days
     degree department description detail duties duty employee employer environment equivalent everyday example excellent experience expert expertise
     familiarity field focus full fulltime good great group growth high help hour hours idea individual industry job join knowledge level life list location
     manager member month needs new offer office opportunity organization others part people person plus position practice preferred problem product
     proficiency program project qualification quality range report requirement responsibilities responsibility result role salary senior service shift site
     skill skills solution staff standard strong success support system task team teams thing time today tool tools type understanding user variety way ways
     week weekend work worker workplace world year years you your we our us they etc junior lead basis culture impact passion mission best right
     various multiple other related relevant similar key core large small own real first next top deep solid proven hands minimum required`,
  ).map(({ stem }) => stem),
);

/** The terms of a job description by how often it names them. */
export function findTerms(clauses: readonly JobClause[]): Term[] {
  const found = new Map<string, Term>();
  for (const { text, sentence } of clauses) {
    for (const phrase of nounPhrases(withoutSkills(text))) {
      const words = tokenise(phrase).filter(({ stem }) => stem.length > 2 && !/^\d/.test(stem));
      if (words.length === 0 || words.length > 3 || words.some(({ stem }) => COMMON.has(stem))) continue;
      const stems = words.map(({ stem }) => stem);
      const key = stems.join(' ');
      const term = found.get(key);
      if (term) term.mentions += 1;
      else found.set(key, { name: phrase.toLowerCase(), stems, mentions: 1, quote: sentence });
    }
  }
  return Array.from(found.values())
    .filter(({ mentions, stems }) => mentions >= (stems.length > 1 ? 2 : 3))
    .sort((a, b) => b.mentions * b.stems.length - a.mentions * a.stems.length)
    .slice(0, MOST);
}

function nounPhrases(text: string): string[] {
  return (
    nlp(text).match('#Adjective? #Noun+').not('(#Pronoun|#Determiner|#Value|#Date)').out('array') as string[]
  ).map((phrase) => phrase.replace(/^[^\p{L}]+|[^\p{L}\p{N}+#]+$/gu, ''));
}

function withoutSkills(text: string): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of findSkills(text)) {
    rest += `${text.slice(from, start)}, `;
    from = end;
  }
  return rest + text.slice(from);
}
