import { addressesModel } from '#libs/local-engine/resume-match/prompt-injection.js';
import { findPlacedStatements } from '#libs/local-engine/resume-match/placed-statements.js';
import { textBlocks } from '#libs/local-engine/resume-checks/text-blocks.js';
import { createQuoteFinder, type FoundQuote } from '#libs/local-engine/text/find-quote.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import { findSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import { tokenise } from '#libs/local-engine/resume/tokens.js';
import { findWorkEntries } from '#libs/local-engine/resume/work-entries.js';
import { oneLine } from '#libs/local-engine/text/markdown-text.js';
import { createResumeFacts } from '../resume-facts.js';
import words from './judge-claims.json' with { type: 'json' };

/** A sentence that a model wrote about the applicant, with the quotations that the model gave as proof. */
export interface Claim {
  text: string;
  resume_quotes: string[];
  job_quote: string | null;
}

/** A claim whose quotations support it, with these quotations. */
export interface GroundedClaim {
  text: string;
  /** Empty for a sentence about the job alone. */
  resume: FoundQuote[];
  job: string | null;
  /** The position in the resume that the first quotation belongs to; null if unknown. See {@link findPlacedStatements}. */
  position: string | null;
}

export type Judgement = { grounded: GroundedClaim } | { problems: string[] };

/** A `bullet` is about the applicant; a `sentence` may be about the job alone. */
export type ClaimKind = 'bullet' | 'sentence';

const LONGEST_CLAIM = 500;
const LONGEST_QUOTE = 400;
const MOST_QUOTES = 4;
const FEWEST_QUOTED_WORDS = 2;
const FIRST_PERSON = /\b(?:I|me|my|mine|myself|we|our|us)\b/i;

export interface Material {
  resume: Resume;
  jobDescription: string;
  kind: ClaimKind;
}

/** The quotation in the spelling of the job description, on one line; null if the job description does not contain it. */
export const findQuote = ({ quote, jobDescription }: { quote: string; jobDescription: string }) =>
  createQuoteFinder([jobDescription])(quote)?.text ?? null;

/**
 * Accepts claims whose quotations prove them: every quotation is in the resume; every number, skill and name of the claim is in
 * the quoted lines, and so are most of its words. Words that claim rank, effect or mastery need a similar word there.
 */
export function judge({
  resume: { pages, lines },
  jobDescription,
  kind,
  claims,
}: Material & { claims: Claim[] }): Judgement[] {
  const inResume = createQuoteFinder(pages);
  const inJob = createQuoteFinder([jobDescription]);
  const blocks = textBlocks(lines).map(({ text, lineAt }) => ({ text: oneLine(text), line: lineAt(0) }));
  const entries = findWorkEntries(lines);
  const statements = findPlacedStatements(lines);

  /** The resume lines that contain a quotation, and the lines that name the position they belong to. */
  function around({ text }: FoundQuote): string[] {
    const own = blocks.filter((block) => block.text.includes(text) || text.includes(block.text));
    const about = own.flatMap(({ line }) => {
      const entry = entries.find((one) => one.lines.includes(line));
      return entry?.lines.slice(0, 3).map((one) => one.text) ?? [];
    });
    return [text, ...own.map((block) => block.text), ...about];
  }

  const positionOf = ({ text }: FoundQuote) =>
    statements.find((one) => one.text.includes(text) || text.includes(one.text))?.position ?? null;

  return claims.map((claim) => {
    const text = oneLine(claim.text).replace(/^[-*•]\s+/, '');
    if (text === '' || text.length > LONGEST_CLAIM) return { problems: ['It is empty or too long.'] };
    const job =
      claim.job_quote === null ? null : (inJob(claim.job_quote.slice(0, LONGEST_QUOTE))?.text ?? null);
    const problems: string[] = [];
    const resume: FoundQuote[] = [];
    for (const quote of claim.resume_quotes.slice(0, MOST_QUOTES)) {
      const found = inResume(quote.slice(0, LONGEST_QUOTE));
      if (!found || tokenise(quote).length < FEWEST_QUOTED_WORDS)
        problems.push(`“${quote}” is not in the resume.`);
      else if (around(found).some(addressesModel)) problems.push(`“${quote}” says nothing about the person.`);
      else resume.push(found);
    }
    const isOfJob = kind === 'sentence' && resume.length === 0 && job !== null && !FIRST_PERSON.test(text);
    if (resume.length === 0 && !isOfJob) {
      return { problems: [...problems, 'No words of the resume are quoted for it.'] };
    }
    const evidence = (isOfJob ? [job] : resume.flatMap(around)).join('\n');
    problems.push(...unsupported(text, evidence));
    return problems.length > 0
      ? { problems }
      : { grounded: { text, resume, job, position: resume[0] ? positionOf(resume[0]) : null } };
  });
}

function unsupported(text: string, evidence: string): string[] {
  if (addressesModel(text)) return ['It addresses a model.'];
  const facts = createResumeFacts({ text: evidence, pages: [evidence] }).unsupportedFacts(text, 'rewriting');
  if (facts.length > 0) {
    return facts.map(({ start, end }) => `“${text.slice(start, end)}” is not in the quoted words.`);
  }
  const has = new Set(tokenise(evidence).map(({ lower }) => lower));
  const bold = tokenise(text).filter(({ lower }) =>
    STRONG_WORDS.some((group) => group.has(lower) && ![...group].some((word) => has.has(word))),
  );
  if (bold.length > 0) return bold.map((word) => `“${word.text}” claims more than the quoted words.`);
  return isMostlyIn(text, evidence) ? [] : ['Most of its words are not in the quoted words.'];
}

/** True if at least two words of the text, and at least half, are in the evidence. Connecting words are ignored. */
function isMostlyIn(text: string, evidence: string): boolean {
  const stems = new Set(tokenise(evidence).map(({ stem }) => stem));
  const skills = findSkills(text);
  const meaningful = tokenise(text).filter(({ lower }) => lower.length > 2 && !CONNECTING.has(lower));
  const supported = meaningful.filter(
    ({ stem, start, end }) =>
      // Skills count as supported: they were checked before, and the evidence may use another name for a skill.
      stems.has(stem) || skills.some((skill) => skill.start <= start && end <= skill.end),
  );
  return supported.length >= 2 && supported.length * 2 >= meaningful.length;
}

/** Groups of words that claim rank, effect or mastery. A word is supported by any word of the same group. */
const STRONG_WORDS = words.strongWords.map((group) => new Set(group));
/** Words that claim nothing, such as "with". */
const CONNECTING = new Set(words.connecting);
