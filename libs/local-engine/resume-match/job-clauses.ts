import { findDegrees } from '#libs/local-engine/resume/degrees.js';
import { findSkills } from '#libs/local-engine/resume/skills/find-skills.js';

export type ClauseImportance = 'required' | 'mentioned' | 'preferred';

/** A clause of a job description, whose skills have the same importance. */
export interface JobClause {
  text: string;
  /** The whole sentence, for quoting. */
  sentence: string;
  importance: ClauseImportance;
}

const headings: [RegExp, ClauseImportance | 'ignored'][] = [
  [
    /nice[- ]to[- ]have|preferred|bonus|desirable|desired|pluses|good to have|extra credit|would be great|it'?s a plus|advantageous/i,
    'preferred',
  ],
  [
    /benefits|perks|what we offer|we offer|why (?:join|work)|about us|about the company|^about (?!you\b|the\b|this\b|your\b)|who we are|our company|equal opportunity|compensation|salary|how to apply|our values|what you(?:'|’)?ll get/i,
    'ignored',
  ],
  [
    /requirements?|qualifications?|must[- ]haves?|required|essential|what you(?:'|’)?ll need|what you need|you have|you(?:'|’)?ll have|who you are|what we(?:'|’)?re looking for|looking for|skills|experience|minimum|about you|you bring/i,
    'required',
  ],
  [
    /responsibilit|what you(?:'|’)?ll do|the role|duties|your tasks|job description|about the (?:job|role|position)|day to day|you will/i,
    'mentioned',
  ],
];

const PREFERRED =
  /\b(?:nice to have|preferred|preferably|a (?:big |strong |definite )?plus|bonus|desirable|desired|ideally|advantage(?:ous)?|optional|good to have|helpful|welcome|beneficial|would be great|an asset)\b/i;
const REQUIRED =
  /\b(?:must(?:[- ]have)?|required?|requires|requirement|essential|mandatory|needed|need|minimum|at least|necessary|crucial|key to)\b/i;

const NOT_REQUESTED: RegExp[] = [
  /\bno\b[^,;]*\b(?:experience|knowledge|degree|background|skills?|certificat\w+|licen[cs]e)\b[^,;]*\b(?:required|needed|necessary|expected)\b/i,
  /(?:\b(?:not|never)|n[’']t)\s+(?:be\s+)?(?:strictly\s+)?(?:required|needed|necessary|expected|essential|a must|mandatory|need|require|use|using)\b/i,
  /\bno\s+(?:need|prior|previous|longer)\b/i,
  /^\W*no\s+[\w+#/. -]+\s+(?:required|needed|necessary)\b/i,
];

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
        if (NOT_REQUESTED.some((words) => words.test(text))) continue;
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
  const found = headings.find(([pattern]) => pattern.test(words));
  if (!found) return null;
  // "Master's degree required" and "Leadership skills" ask for something themselves.
  if (isWhole && found[1] !== 'ignored' && asksForSomething(words)) return null;
  // "Experience with Kafka" on a line of its own asks for Kafka.
  if (isWhole && /\b(?:with|in|of|using|and \p{Lu})\b/iu.test(words) && found[1] === 'required') return null;
  return found[1];
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
