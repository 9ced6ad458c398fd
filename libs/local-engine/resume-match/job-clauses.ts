import { findDegrees } from '#libs/local-engine/resume/degrees.js';
import { foreignLanguages, phrasesOf } from '#libs/local-engine/resume/languages/languages.js';
import { findSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import type { TextContext } from '#libs/local-engine/resume/skills/is-meant.js';
import { textContext } from '#libs/local-engine/resume/skills/text-context.js';
import data from './job-clauses.json' with { type: 'json' };
import { findEmployer, type Employer } from './employer.js';

export type ClauseImportance = 'required' | 'mentioned' | 'preferred';

/** The job description as a whole. */
export interface Posting extends TextContext {
  employer: Employer;
  /** The English name of its language if that is not supported, otherwise null. */
  unsupported: string | null;
}

/** A clause of a job description, whose skills have the same importance. */
export interface JobClause {
  text: string;
  /** The whole sentence, for quoting. */
  sentence: string;
  importance: ClauseImportance;
  posting: Posting;
}

type Importance = ClauseImportance | 'ignored';

/** Words of headings; the first match decides. */
const headings = data.headings.map(({ importance, words }) => ({
  importance: importance as Importance,
  words: new RegExp(words, 'i'),
}));

const PREFERRED =
  /\b(?:nice to have|preferred|preferably|a (?:big |strong |definite )?plus|bonus|desirable|desired|ideally|advantage(?:ous)?|optional|good to have|helpful|welcome|beneficial|would be great|an asset)\b/i;
const REQUIRED =
  /\b(?:must(?:[- ]have)?|required?|requires|requirement|essential|mandatory|needed|need|minimum|at least|necessary|crucial|key to)\b/i;

const NOT_REQUESTED = new RegExp(data.notRequested.join('|'), 'i');

/** The rest of a clause, from these words on, names something that is not requested. */
const EXCLUSION =
  /\b(?:rather than|instead of|unlike|as opposed to|without (?:any )?(?:need|knowledge|experience))\b.*$/i;

/** A sentence about the company may say whom it looks for: "Acme is looking for an engineer who knows Java". */
const SEEKS =
  /\b(?:(?:is|are|['’]re) (?:looking for|seeking|searching for)|seeks|you (?:have|bring|know|must|need))\b/i;

/** These words say that there is a job, not that the job is about recruiting. */
const HIRING =
  /\b(?:we(?:['’]re| are)|is|are)\s+(?:now\s+|currently\s+|actively\s+)?(?:hiring|recruiting)\b/i;

export const readPosting = (jobDescription: string): Posting => ({
  ...textContext(jobDescription),
  employer: findEmployer(jobDescription),
});

/** The clauses that request something. A clause's own words decide its importance, otherwise its section. */
export function readJobClauses(jobDescription: string): JobClause[] {
  const posting = readPosting(jobDescription);
  const clauses: JobClause[] = [];
  let section: Importance = 'mentioned';
  for (const line of jobDescription.split(/\n+/)) {
    const heading = headingImportance(line, posting);
    // "Nice to have: Go" is a heading for this line only; a heading without content is one for the lines below.
    const content = heading ? line.replace(/^[^:]*:?/, '').trim() : line;
    if (heading && !content.replace(/[\s*_]/g, '')) section = heading;
    const here = heading ?? section;
    for (const sentence of splitSentences(content)) {
      if (here === 'ignored' && !SEEKS.test(sentence)) continue;
      const quote = heading ? line.trim() : sentence;
      for (const text of splitClauses(sentence, posting)) {
        if (isNotRequested(text, posting)) continue;
        const asked = text.replace(EXCLUSION, '').replace(HIRING, '');
        if (asked.trim())
          clauses.push({
            text: asked,
            sentence: quote,
            importance: importanceOf(asked, posting) ?? (here === 'ignored' ? 'mentioned' : here),
            posting,
          });
      }
    }
  }
  return clauses;
}

const foreignOf = ({ language }: Posting) => foreignLanguages.get(language);

const isNotRequested = (text: string, posting: Posting) =>
  NOT_REQUESTED.test(text) || (foreignOf(posting)?.notRequested.test(text) ?? false);

const isPreferred = (text: string, posting: Posting) =>
  PREFERRED.test(text) || (foreignOf(posting)?.preferred.test(text) ?? false);

const isRequired = (text: string, posting: Posting) =>
  REQUIRED.test(text) || (foreignOf(posting)?.required.test(text) ?? false);

function headingImportance(line: string, posting: Posting): Importance | null {
  const heading = /^[\s#*_•-]*([^:.!?]{2,60}?)[?!]?[\s*_]*(:|$)/u.exec(line);
  const words = heading?.[1]?.trim() ?? '';
  if (!words || words.split(/\s+/).length > 7) return null;
  // Without a colon only a short line; a bullet ("- Experience with Java") is never a heading.
  if (!heading?.[2] && line.trim().length > 60) return null;
  const isBullet = /^\s*[-*•]/.test(line);
  const isWhole = heading?.[2] !== ':';
  if (isBullet && isWhole) return null;
  if (isWhole && !/^(?:[\p{Lu}#*]|what|who|nice)/u.test(line.trim())) return null;
  const importance = importanceOfHeading(words, posting);
  if (!importance) return null;
  // "Master's degree required" and "Leadership skills" ask for something themselves.
  if (isWhole && importance !== 'ignored' && asksForSomething(words, posting)) return null;
  // "Experience with Kafka" on a line of its own asks for Kafka.
  if (isWhole && /\b(?:with|in|of|using|and \p{Lu})\b/iu.test(words) && importance === 'required')
    return null;
  return importance;
}

function importanceOfHeading(words: string, posting: Posting): Importance | undefined {
  const foreign = foreignOf(posting);
  if (foreign?.cues.test(words)) return undefined;
  const own = foreign
    ? (['preferred', 'ignored', 'required', 'mentioned'] as const).find((importance) =>
        foreign.headings[importance].test(words),
      )
    : undefined;
  return own ?? headings.find((heading) => heading.words.test(words))?.importance;
}

const asksForSomething = (words: string, posting: Posting) =>
  /\d|\bdegree\b/i.test(words) ||
  findSkills(words, posting).length > 0 ||
  findDegrees(words, false).length > 0;

function splitSentences(line: string): string[] {
  return line
    .split(
      /(?<!\b(?:e\.g|i\.e|etc|incl|inkl|vs|Sr|Jr|Dr|approx|z\. ?B|bzw|ca|ggf|evtl|d\. ?h|u\. ?a|ex|np|min|mind|max|tzw|bijv|Sp|art|Art|Nr|St))(?<=[.!?])\s+(?=[\p{Lu}\d])/u,
    )
    .map((sentence) => sentence.replace(/^[\s\-*•·–—]+/u, '').trim())
    .filter(Boolean);
}

/** Splits a sentence at semicolons, at "but", and between "required" and "preferred". */
function splitClauses(sentence: string, posting: Posting): string[] {
  const parts = sentence
    .split(/;|,?\s+\b(?:but|however|although|while)\b/i)
    .flatMap((part) => (posting.language === 'en' ? [part] : part.split(phrasesOf(posting.language).but)));
  return parts.flatMap((part) =>
    isPreferred(part, posting) && isRequired(part, posting)
      ? part
          .split(',')
          .flatMap((piece) => piece.split(phrasesOf(posting.language).and))
          .filter((piece) => piece.trim())
      : [part],
  );
}

function importanceOf(clause: string, posting: Posting): ClauseImportance | null {
  if (isPreferred(clause, posting)) return 'preferred';
  return isRequired(clause, posting) ? 'required' : null;
}
