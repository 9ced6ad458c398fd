/** What a job description says of the things that a passage of it names. */
export type Stance = 'required' | 'mentioned' | 'preferred';

/** A clause of a job description: what is said of one thing, or of several alike. */
export interface JobClause {
  text: string;
  /** The sentence that it is part of, for quoting. */
  sentence: string;
  stance: Stance;
}

const headings: [RegExp, Stance | 'ignored'][] = [
  [
    /nice[- ]to[- ]have|preferred|bonus|desirable|desired|pluses|good to have|extra credit|would be great|it'?s a plus|advantageous/i,
    'preferred',
  ],
  [
    /benefits|perks|what we offer|we offer|why (?:join|work)|about us|about the company|who we are|our company|equal opportunity|compensation|salary|how to apply|our values|what you(?:'|’)?ll get/i,
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

const NOT_ASKED: RegExp[] = [
  /\bno\b[^,;]*\b(?:experience|knowledge|degree|background|skills?|certificat\w+|licen[cs]e)\b[^,;]*\b(?:required|needed|necessary|expected)\b/i,
  /(?:\b(?:not|never)|n[’']t)\s+(?:be\s+)?(?:strictly\s+)?(?:required|needed|necessary|expected|essential|a must|mandatory|need|require|use|using)\b/i,
  /\bno\s+(?:need|prior|previous|longer)\b/i,
  /^\W*no\s+[\w+#/. -]+\s+(?:required|needed|necessary)\b/i,
];

/** From these words on, a clause names what is not asked for. */
const FROM_HERE_NOT =
  /\b(?:rather than|instead of|unlike|as opposed to|without (?:any )?(?:need|knowledge|experience))\b.*$/i;

/** The clauses of a job description that ask for something, with the stance of their section or of their own words. */
export function readJobClauses(jobDescription: string): JobClause[] {
  const clauses: JobClause[] = [];
  let section: Stance | 'ignored' = 'mentioned';
  for (const line of jobDescription.split(/\n+/)) {
    const heading = headingStance(line);
    // "Nice to have: Go" is a heading for this line; a bare heading asks for nothing and holds for what follows.
    const content = heading ? line.replace(/^[^:]*:?/, '').trim() : line;
    if (heading && !content.replace(/[\s*_]/g, '')) section = heading;
    const here = heading ?? section;
    if (here === 'ignored') continue;
    for (const sentence of splitSentences(content)) {
      const quote = heading ? line.trim() : sentence;
      for (const text of splitClauses(sentence)) {
        if (NOT_ASKED.some((words) => words.test(text))) continue;
        const asked = text.replace(FROM_HERE_NOT, '');
        if (asked.trim()) clauses.push({ text: asked, sentence: quote, stance: stanceOf(asked) ?? here });
      }
    }
  }
  return clauses;
}

function headingStance(line: string): Stance | 'ignored' | null {
  const heading = /^[\s#*_•-]*([^:.!?]{2,60}?)[\s*_]*(:|$)/u.exec(line);
  const words = heading?.[1]?.trim() ?? '';
  if (!words || words.split(/\s+/).length > 7) return null;
  // Without a colon only a line that says nothing else; a bullet ("- Experience with Java") never is a heading.
  if (!heading?.[2] && line.trim().length > 60) return null;
  const isBullet = /^\s*[-*•]/.test(line);
  const isWhole = heading?.[2] !== ':';
  if (isBullet && isWhole) return null;
  if (isWhole && !/^(?:[\p{Lu}#*]|what|who|nice)/u.test(line.trim())) return null;
  const found = headings.find(([pattern]) => pattern.test(words));
  if (!found) return null;
  // "Experience with Kafka" on a line of its own asks for Kafka.
  if (isWhole && /\b(?:with|in|of|using|and \p{Lu})\b/iu.test(words) && found[1] === 'required') return null;
  return found[1];
}

function splitSentences(line: string): string[] {
  return line
    .split(/(?<!\b(?:e\.g|i\.e|etc|incl|vs|Sr|Jr|Dr|approx))(?<=[.!?])\s+(?=[\p{Lu}\d])/u)
    .map((sentence) => sentence.replace(/^[\s\-*•·–—]+/u, '').trim())
    .filter(Boolean);
}

/** A sentence falls apart where what is said changes: at semicolons, at "but", and between "required" and "preferred". */
function splitClauses(sentence: string): string[] {
  const parts = sentence.split(/;|,?\s+\b(?:but|however|although|while)\b/i);
  return parts.flatMap((part) =>
    PREFERRED.test(part) && REQUIRED.test(part)
      ? part.split(/,|\band\b/i).filter((piece) => piece.trim())
      : [part],
  );
}

function stanceOf(clause: string): Stance | null {
  if (PREFERRED.test(clause)) return 'preferred';
  return REQUIRED.test(clause) ? 'required' : null;
}
