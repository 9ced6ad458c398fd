import type { Resume, ResumeLine } from '#libs/local-engine/resume/resume.js';
import { sectionKind } from '#libs/local-engine/resume/sections.js';
import { oneLine } from '#libs/local-engine/text/markdown-text.js';
import { evidenceOf, findRequests } from './compare.js';
import { readJobClauses } from './job-clauses.js';
import { findOriginalText } from './original-text.js';
import { findPlacedStatements, type PlacedStatement } from './placed-statements.js';
import { createResumeEvidence } from './resume-evidence.js';

/** A statement of a resume that shows something a job asks for. */
export interface ChosenStatement extends PlacedStatement {
  /** What it shows, the weightiest first, with the words of the job description. */
  shows: { name: string; quote: string }[];
}

/** What of a resume answers a job description. */
export interface Selection {
  /** The weightiest first, those of a text that is there already last. */
  statements: ChosenStatement[];
  /** What the job asks for and no statement shows; `listed` where the resume names it elsewhere. */
  missing: { name: string; quote: string; listed: boolean }[];
  /** The person's name as the resume's first line; null where that is no name. */
  name: string | null;
  /** The title of the position, with the words that name it. */
  role: { title: string; quote: string } | null;
}

const MOST_STATEMENTS = 12;
const MOST_SHOWN = 3;

/** @param exclude a text whose lines of the resume come after the others */
export function chooseStatements(resume: Resume, jobDescription: string, exclude = ''): Selection {
  const own = findOriginalText(resume.pages, jobDescription);
  const requests = findRequests(readJobClauses(jobDescription));
  const whole = createResumeEvidence(own);
  const shown = new Set<string>();
  const known = wordsOf(exclude);
  const statements = findPlacedStatements(linesOf(own.pages))
    .filter(({ text }) => !addressesReader(text))
    .map((statement) => {
      const evidence = createResumeEvidence({ ...own, pages: [statement.text], keywordLines: new Set() });
      const found = requests.filter((request) => evidenceOf(request, evidence) !== null);
      for (const { name } of found) shown.add(name);
      return {
        ...statement,
        shows: found.slice(0, MOST_SHOWN).map(({ name, quote }) => ({ name, quote: oneLine(quote) })),
        weight: found.reduce((sum, { weight }) => sum + weight, 0),
        isKnown: known.includes(wordsOf(statement.text)),
      };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => Number(a.isKnown) - Number(b.isKnown) || b.weight - a.weight)
    .slice(0, MOST_STATEMENTS)
    .map(({ weight: _, isKnown: __, ...statement }) => statement);
  return {
    statements,
    missing: requests
      .filter(({ name }) => !shown.has(name))
      .map((request) => ({
        name: request.name,
        quote: oneLine(request.quote),
        listed: evidenceOf(request, whole) !== null,
      })),
    name: nameIn(resume.lines[0]),
    role: roleIn(jobDescription),
  };
}

/** The words of a text alone, between spaces: what two texts have in common that differ in their marks. */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const ADDRESSES_READER =
  /\b(?:ignore|disregard|forget|override)\b[^.]{0,60}\b(?:instructions?|rules|prompts?|above|previous)\b|\b(?:system|assistant) (?:message|prompt)\b|\b(?:AI|LLM|assistant|chatbot)\s*[:,]\s|\blanguage models?\b[^.]{0,40}\b(?:must|should|please|give|say|write|rate)\b|\b(?:perfect|ideal|best) (?:candidate|match|fit)\b|\bgive (?:a |the )?(?:full )?score\b/i;

/** Whether words speak to whoever reads the resume by machine, in place of saying something about the person. */
export const addressesReader = (text: string): boolean => ADDRESSES_READER.test(text);

const linesOf = (pages: readonly string[]): ResumeLine[] =>
  pages.flatMap((page, index) =>
    page
      .split('\n')
      .map((text) => text.trim())
      .filter(Boolean)
      .map((text, position) => ({ page: index + 1, line: position + 1, text })),
  );

const NAME = /^\p{Lu}[\p{L}\p{M}.'’-]*(?: (?:\p{L}{2,3} )?\p{Lu}[\p{L}\p{M}.'’-]*){1,3}$/u;

function nameIn(first: ResumeLine | undefined): string | null {
  const text = oneLine(first?.text ?? '');
  return text.length <= 60 && NAME.test(text) && sectionKind(text) === null ? text : null;
}

const TITLED =
  /^[ \t#*_-]{0,20}(?:job title|position|role|title)[ *_]{0,4}:[ \t*_]{0,20}(\S.{1,78}?)[ \t*_.]{0,20}$/im;
const SOUGHT =
  /\b(?:looking for|look for|seeking|seeks?|hiring|recruiting|searching for)\s+(?:an?|our (?:next|new|first))\s+((?:[\p{L}/&+#.-]{1,20}[ ]){0,4}?(?:engineer|developer|programmer|manager|designer|analyst|architect|director|officer|specialist|coordinator|assistant|consultant|nurse|teacher|technician|scientist|administrator|representative|associate|supervisor|accountant|recruiter|writer|editor|clerk|driver|chef|cook|adviser|advisor|therapist|physician|planner|electrician|mechanic|carer|cashier|translator|researcher|pharmacist|paralegal|lawyer|baker))\b/iu;

/** The title of the position, where the description names it plainly. */
function roleIn(jobDescription: string): Selection['role'] {
  const found = TITLED.exec(jobDescription) ?? SOUGHT.exec(jobDescription);
  const title = oneLine(found?.[1] ?? '');
  return found === null || title === '' ? null : { title, quote: oneLine(found[0]) };
}
