import { findDateRanges } from '#libs/local-engine/resume/date-ranges.js';
import { BULLET, isBullet, type Resume, type ResumeLine } from '#libs/local-engine/resume/resume.js';
import { findSections, sectionKind, type SectionKind } from '#libs/local-engine/resume/sections.js';

/** One bullet, or one line of the work history in a resume without bullets. */
export interface Statement {
  text: string;
  words: number;
  line: ResumeLine;
}

const NARRATIVE_SECTIONS: ReadonlySet<SectionKind> = new Set([
  'experience',
  'projects',
  'volunteering',
  'awards',
]);

/** The longest statement, in characters. */
const LONGEST = 800;

/** The bullets of a resume with their continuation lines, or the sentences of its work history. */
export function findStatements({ lines }: Pick<Resume, 'lines'>): Statement[] {
  const bullets = lines.some(isBullet);
  const narrative = findSections(lines)
    .filter(({ kind }) => NARRATIVE_SECTIONS.has(kind))
    .flatMap((section) => section.lines);
  return bullets
    ? fromBullets(narrative.some(isBullet) ? narrative : lines)
    : fromLines(narrative.length > 0 ? narrative : lines);
}

function fromBullets(lines: readonly ResumeLine[]): Statement[] {
  const statements: Statement[] = [];
  let open = false;
  for (const line of lines) {
    if (isBullet(line)) {
      statements.push(toStatement(line, line.text.replace(BULLET, '')));
      open = true;
      continue;
    }
    const last = statements.at(-1);
    // A bullet continues in lower case or after an unfinished line; a title, a date or a heading ends it.
    const runsOn =
      open &&
      last &&
      last.text.length < LONGEST &&
      !sectionKind(line.text) &&
      findDateRanges([line]).length === 0 &&
      !/[.!]$/.test(last.text) &&
      /^[\p{Ll}\d(&]/u.test(line.text);
    if (runsOn) statements[statements.length - 1] = toStatement(last.line, `${last.text} ${line.text}`);
    else open = false;
  }
  return statements;
}

/** The lines that are longer than titles and places, and are no position with its dates. */
const fromLines = (lines: readonly ResumeLine[]) =>
  lines
    .filter((line) => line.text.split(/\s+/).length >= 6 && !isDatedPosition(line))
    .map((line) => toStatement(line, line.text));

/** True for dates among names, "Staff Nurse, Mater Hospital, 2019 – 2021", and false for a sentence with dates. */
function isDatedPosition(line: ResumeLine): boolean {
  const ranges = findDateRanges([line]);
  if (ranges.length === 0) return false;
  const rest = ranges.reduce((text, range) => text.replace(range.text, ' '), line.text);
  const words = rest.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const capitals = words.filter((word) => /^\P{L}*\p{Lu}/u.test(word)).length;
  return capitals * 2 >= words.length;
}

const toStatement = (line: ResumeLine, text: string): Statement => ({
  line,
  text,
  words: text.split(/\s+/).length,
});
