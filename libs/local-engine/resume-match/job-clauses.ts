import { findDegrees } from '#libs/local-engine/resume/degrees.js';
import { findSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import data from './job-clauses.json' with { type: 'json' };

export type ClauseImportance = 'required' | 'mentioned' | 'preferred';

/** A clause of a job description, whose skills have the same importance. */
export interface JobClause {
  text: string;
  /** The whole sentence, for quoting. */
  sentence: string;
  importance: ClauseImportance;
}

/** Words of headings; the first match decides. */
const headings = data.headings.map(({ importance, words }) => ({
  importance: importance as ClauseImportance | 'ignored',
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

/** These words say that there is a job, not that the job is about recruiting. */
const HIRING =
  /\b(?:we(?:['’]re| are)|is|are)\s+(?:now\s+|currently\s+|actively\s+)?(?:hiring|recruiting)\b/i;

/** The clauses that request something. A clause's own words decide its importance, otherwise its section. */
export function readJobClauses(jobDescription: string): JobClause[] {
  const clauses: JobClause[] = [];
  let section: ClauseImportance | 'ignored' = 'mentioned';
  for (const line of jobDescription.split(/\n+/)) {
    const heading = headingImportance(line);
    // "Nice to have: Go" is a heading for this line only; a heading without content is one for the lines below.
    const content = heading ? line.replace(/^[^:]*:?/, '').trim() : line;
    if (heading && !content.replace(/[\s*_]/g, '')) section = heading;
    const here = heading ?? section;
    if (here === 'ignored') continue;
    for (const sentence of splitSentences(content)) {
      const quote = heading ? line.trim() : sentence;
      for (const text of splitClauses(sentence)) {
        if (NOT_REQUESTED.test(text)) continue;
        const asked = text.replace(EXCLUSION, '').replace(HIRING, '');
        if (asked.trim())
          clauses.push({ text: asked, sentence: quote, importance: importanceOf(asked) ?? here });
      }
    }
  }
  return clauses;
}

function headingImportance(line: string): ClauseImportance | 'ignored' | null {
  const heading = /^[\s#*_•-]*([^:.!?]{2,60}?)[\s*_]*(:|$)/u.exec(line);
  const words = heading?.[1]?.trim() ?? '';
  if (!words || words.split(/\s+/).length > 7) return null;
  // Without a colon only a short line; a bullet ("- Experience with Java") is never a heading.
  if (!heading?.[2] && line.trim().length > 60) return null;
  const isBullet = /^\s*[-*•]/.test(line);
  const isWhole = heading?.[2] !== ':';
  if (isBullet && isWhole) return null;
  if (isWhole && !/^(?:[\p{Lu}#*]|what|who|nice)/u.test(line.trim())) return null;
  const importance = headings.find((heading) => heading.words.test(words))?.importance;
  if (!importance) return null;
  // "Master's degree required" and "Leadership skills" ask for something themselves.
  if (isWhole && importance !== 'ignored' && asksForSomething(words)) return null;
  // "Experience with Kafka" on a line of its own asks for Kafka.
  if (isWhole && /\b(?:with|in|of|using|and \p{Lu})\b/iu.test(words) && importance === 'required')
    return null;
  return importance;
}

const asksForSomething = (words: string) =>
  /\d|\bdegree\b/i.test(words) || findSkills(words).length > 0 || findDegrees(words, false).length > 0;

function splitSentences(line: string): string[] {
  return line
    .split(/(?<!\b(?:e\.g|i\.e|etc|incl|vs|Sr|Jr|Dr|approx))(?<=[.!?])\s+(?=[\p{Lu}\d])/u)
    .map((sentence) => sentence.replace(/^[\s\-*•·–—]+/u, '').trim())
    .filter(Boolean);
}

/** Splits a sentence at semicolons, at "but", and between "required" and "preferred". */
function splitClauses(sentence: string): string[] {
  const parts = sentence.split(/;|,?\s+\b(?:but|however|although|while)\b/i);
  return parts.flatMap((part) =>
    PREFERRED.test(part) && REQUIRED.test(part)
      ? part.split(/,|\band\b/i).filter((piece) => piece.trim())
      : [part],
  );
}

function importanceOf(clause: string): ClauseImportance | null {
  if (PREFERRED.test(clause)) return 'preferred';
  return REQUIRED.test(clause) ? 'required' : null;
}
