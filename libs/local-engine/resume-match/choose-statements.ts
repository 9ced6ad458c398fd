import { employerName } from './employer.js';
import { linesOf, type Resume, type ResumeLine } from '#libs/local-engine/resume/resume.js';
import { sectionKind } from '#libs/local-engine/resume/sections.js';
import { oneLine } from '#libs/local-engine/text/markdown-text.js';
import { evidenceOf, findRequests } from './compare.js';
import { readJobClauses } from './job-clauses.js';
import jobTitles from './job-titles.json' with { type: 'json' };
import { findOriginalText } from './original-text.js';
import { findPlacedStatements, type PlacedStatement } from './placed-statements.js';
import { addressesModel } from './prompt-injection.js';
import { createResumeEvidence } from './resume-evidence.js';

/** A statement of a resume that shows something that a job asks for. */
export interface ChosenStatement extends PlacedStatement {
  /** Requested skills, names and terms that it shows, by weight, with the words of the job description. */
  shows: { name: string; quote: string }[];
}

/** The parts of a resume that answer a job description. */
export interface Selection {
  /** By weight; statements of the excluded text are last. */
  statements: ChosenStatement[];
  /** Requests that no statement shows; `listed` if the resume names them elsewhere. */
  missing: { name: string; quote: string; listed: boolean }[];
  /** The applicant's name, if the resume's first line is one. */
  name: string | null;
  /** The title of the position, with the words that name it. */
  role: { title: string; quote: string } | null;
  /** The employer's name in the job description. */
  employer: string | null;
}

const MOST_STATEMENTS = 12;
const MOST_REQUESTS = 3;

/** @param exclude a text; statements that it has come after the others */
export function chooseStatements(resume: Resume, jobDescription: string, exclude = ''): Selection {
  const own = findOriginalText(resume.pages, jobDescription);
  const requests = findRequests(readJobClauses(jobDescription), own.context.language);
  const whole = createResumeEvidence(own);
  const shown = new Set<string>();
  const excluded = wordsOf(exclude);
  const statements = findPlacedStatements(linesOf(own.pages))
    .filter(({ text }) => !addressesModel(text))
    .map((statement) => {
      const evidence = createResumeEvidence({ ...own, pages: [statement.text], keywordLines: new Set() });
      const found = requests.filter((request) => evidenceOf(request, evidence) !== null);
      for (const { name } of found) shown.add(name);
      return {
        ...statement,
        shows: found.slice(0, MOST_REQUESTS).map(({ name, quote }) => ({ name, quote: oneLine(quote) })),
        weight: found.reduce((sum, { weight }) => sum + weight, 0),
        isExcluded: excluded.includes(wordsOf(statement.text)),
      };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => Number(a.isExcluded) - Number(b.isExcluded) || b.weight - a.weight)
    .slice(0, MOST_STATEMENTS)
    .map(({ weight: _, isExcluded: __, ...statement }) => statement);
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
    employer: employerName(jobDescription),
  };
}

/** The words of a text in lower case, separated and surrounded by single spaces. */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const NAME = /^\p{Lu}[\p{L}\p{M}.'’-]*(?: (?:\p{L}{2,3} )?\p{Lu}[\p{L}\p{M}.'’-]*){1,3}$/u;

function nameIn(first: ResumeLine | undefined): string | null {
  const text = oneLine(first?.text ?? '');
  return text.length <= 60 && NAME.test(text) && sectionKind(text) === null ? text : null;
}

const TITLED =
  /^[ \t#*_-]{0,20}(?:job title|position|role|title)[ *_]{0,4}:[ \t*_]{0,20}(\S.{1,78}?)[ \t*_.]{0,20}$/im;
const SOUGHT = new RegExp(
  String.raw`\b(?:looking for|look for|seeking|seeks?|hiring|recruiting|searching for)\s+(?:an?|our (?:next|new|first))\s+((?:[\p{L}/&+#.-]{1,20}[ ]){0,4}?(?:${[...jobTitles.titles, ...jobTitles.alsoProducts].join('|')}))\b`,
  'iu',
);

/** The title of the position, if the description names it plainly. */
function roleIn(jobDescription: string): Selection['role'] {
  const found = TITLED.exec(jobDescription) ?? SOUGHT.exec(jobDescription);
  const title = oneLine(found?.[1] ?? '');
  return found === null || title === '' ? null : { title, quote: oneLine(found[0]) };
}
