import { z } from 'zod';
import { parseData } from '#libs/contract/parse-data.js';
import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import data from './degrees.json' with { type: 'json' };
import type { ResumeLine } from './resume.js';
import { findSections, type SectionKind } from './sections.js';

/** Levels of education from the lowest; a higher one includes those below. */
export const degreeLevels = [
  'school',
  'vocational',
  'associate',
  'bachelor’s',
  'master’s',
  'doctorate',
] as const;

export const degreeNames: Record<(typeof degreeLevels)[number], string> = {
  school: 'school-leaving certificate',
  vocational: 'vocational qualification',
  associate: 'associate degree',
  'bachelor’s': 'bachelor’s degree',
  'master’s': 'master’s degree',
  doctorate: 'doctorate',
};

/** A degree that a text names. Some count as either of two levels, such as a Diplom or a Laurea. */
export interface DegreeMention {
  /** Index in {@link degreeLevels}. */
  lowest: number;
  highest: number;
  start: number;
}

const BACHELOR = degreeLevels.indexOf('bachelor’s');
const MASTER = degreeLevels.indexOf('master’s');
const DOCTORATE = degreeLevels.indexOf('doctorate');

const patternsSchema = z.strictObject({
  lowest: z.enum(degreeLevels),
  /** The lowest one without it. */
  highest: z.enum(degreeLevels).optional(),
  isCaseSensitive: z.boolean().default(false),
  /** Sources of regular expressions, each for whole words. */
  patterns: z.array(z.string()),
});

/** `degrees` mean nothing else; `initials` mean other things too: "Boston, MA", "MS Office", "Baltimore, MD". */
const tables = parseData(
  'degrees.json',
  z.strictObject({ degrees: z.array(patternsSchema), initials: z.array(patternsSchema) }),
  data,
);

const compile = ({
  lowest,
  highest = lowest,
  isCaseSensitive,
  patterns,
}: z.infer<typeof patternsSchema>) => ({
  lowest: degreeLevels.indexOf(lowest),
  highest: degreeLevels.indexOf(highest),
  words: new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${patterns.join('|')})(?![\p{L}\p{N}])`,
    isCaseSensitive ? 'gu' : 'giu',
  ),
});
const degrees = tables.degrees.map(compile);
const initials = tables.initials.map(compile);

/** The degrees that a text names. @param isEducation true for a text about education, where initials are degrees */
export function findDegrees(text: string, isEducation: boolean): DegreeMention[] {
  const found: DegreeMention[] = [];
  for (const { lowest, highest, words } of degrees) {
    for (const { index, 0: match } of text.matchAll(words)) {
      if (!isOtherMaster(text, index, match)) found.push({ lowest, highest, start: index });
    }
  }
  for (const { lowest, highest, words } of initials) {
    for (const { index, 0: match } of text.matchAll(words)) {
      if (isDegree(text, index, index + match.length, isEducation))
        found.push({ lowest, highest, start: index });
    }
  }
  // "Diplom-Ingenieur (FH)" is no university degree.
  const limited = found.filter(({ lowest, highest }) => lowest === highest);
  return found.filter(
    (mention) =>
      mention.lowest === mention.highest || !limited.some(({ start }) => Math.abs(start - mention.start) < 3),
  );
}

/** "Scrum Master's" and "choir master's" are no degrees. */
const isOtherMaster = (text: string, at: number, match: string) =>
  /^master/i.test(match) &&
  /\b(?:scrum|web|post|quiz|station|choir|concert|harbou?r|toast|head|grand|past)[- ]?$/i.test(
    text.slice(0, at),
  );

function isDegree(text: string, start: number, end: number, isEducation: boolean): boolean {
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (
    /^\s*(?:office|word|excel|access|teams|sql|windows|project|visio|powerpoint|outlook|exchange|dynamics|azure|[Oo]ffice)\b/i.test(
      after,
    )
  )
    return false;
  if (/^\s*\d{5}\b/.test(after)) return false;
  // "BA/BS", "BS or MS degree", "MA in History", "BA (Hons)".
  if (
    /^\s*(?:\/|or|and|,)\s*(?:B\.?[AS]|M\.?[AS]|BSc|MSc|Ph\.?D|MBA|M\.?D|associate|bachelor|master|equivalent)/i.test(
      after,
    )
  )
    return true;
  if (/(?:B\.?[AS]|M\.?[AS]|BSc|MSc|Ph\.?D|MBA)\.?\s*(?:\/|or|and|,)\s*$/i.test(before)) return true;
  if (
    /^\s*(?:degree|in\s+(?:\p{Lu}|an?\b|the\b|related|any)|\(hons|hons\b|honou?rs)/iu.test(after) &&
    !/\b(?:in|near)\s+$/i.test(before)
  )
    return true;
  const town = /([\p{L}.'’-]+),\s*$/u.exec(before)?.[1];
  if (town !== undefined) {
    // "History, MA" names a subject, "Boston, MA" a place, "Jane Doe, MA" a person.
    if (isEducation) return isEnglishWord(town.toLowerCase()) || /['’]/.test(town);
    return false;
  }
  return (
    isEducation &&
    (/(?:^|[|•·(–—:-]\s*|\d{4}\s+)$/.test(before) || /^\s*(?:[,(–—:-]|of\b|\p{Lu}\p{Ll}+)/u.test(after))
  );
}

/** Sections without degrees of the applicant. */
const OTHER_SECTIONS: ReadonlySet<SectionKind> = new Set([
  'experience',
  'projects',
  'publications',
  'references',
  'volunteering',
]);
/** The number of lines at the top that have the name and title. */
const TOP = 3;
const UNFINISHED =
  /\b(?:expected|anticipated|in progress|candidate|ongoing|pursuing|studying (?:for|towards?)|working towards?|enrolled|not completed|incomplete|unfinished|discontinued|dropped out|without (?:a )?degree|abandoned|present|current(?:ly)?|laufend|abgebrochen|angestrebt|voraussichtlich|en cours|en curso|in corso|em curso|cursando|w trakcie|lopend)\b/i;

export interface ResumeDegree extends DegreeMention {
  line: ResumeLine;
  isUnfinished: boolean;
}

/** The degrees of the applicant. Degrees of others, in the work history or among the references, do not count. */
export function findResumeDegrees(lines: readonly ResumeLine[], now: Date): ResumeDegree[] {
  const sections = findSections(lines);
  const education = new Set(
    sections.filter(({ kind }) => kind === 'education').flatMap((section) => section.lines),
  );
  const other = new Set(
    sections.filter(({ kind }) => OTHER_SECTIONS.has(kind)).flatMap((section) => section.lines),
  );
  const hasEducation = education.size > 0;
  return lines.flatMap((line, index) => {
    const isTop = index < TOP;
    const isBullet = /^[•·▪◦●○■*–—-]\s/u.test(line.text);
    if (!isTop && other.has(line) && (hasEducation || isBullet || isReference(sections, line))) return [];
    const mentions = findDegrees(line.text, education.has(line) || (!hasEducation && !isBullet && !isTop));
    if (isTop && mentions.length === 0) mentions.push(...titlesOf(line.text));
    const isUnfinished = UNFINISHED.test(line.text) && !isPast(line.text, now);
    return mentions.map((mention) => ({ ...mention, line, isUnfinished }));
  });
}

const isReference = (sections: ReturnType<typeof findSections>, line: ResumeLine) =>
  sections.some((section) => section.kind === 'references' && section.lines.includes(line));

/** True if an expected date, as in "Expected May 2019", has passed. */
function isPast(text: string, now: Date): boolean {
  const year = Number(/\b(?:expected|anticipated)\b\D{0,20}((?:19|20)\d\d)/i.exec(text)?.[1]);
  return year > 0 && year < now.getUTCFullYear();
}

/** Titles before and after a name: "Dr. Jane Doe", "Jane Doe, MA". */
function titlesOf(text: string): DegreeMention[] {
  const title = /^\s*(?:(?:prof|univ)\.?[-\s]*)*(dr|mag|dipl)\.\s?(?:\p{Lu}|\()/iu
    .exec(text)?.[1]
    ?.toLowerCase();
  if (title) {
    const lowest = title === 'dr' ? DOCTORATE : title === 'mag' ? MASTER : BACHELOR;
    return [{ lowest, highest: Math.max(lowest, MASTER), start: 0 }];
  }
  const after =
    /^\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3},\s*(BA|BS|MA|MS|MD|JD)\s*(?:$|[|,•·–—-])/u.exec(text);
  if (!after || / \d{5}/.test(text)) return [];
  const level = { BA: BACHELOR, BS: BACHELOR, MA: MASTER, MS: MASTER }[after[1]!] ?? DOCTORATE;
  return [{ lowest: level, highest: level, start: 0 }];
}
