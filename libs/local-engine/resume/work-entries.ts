import { findDateRanges, type DateRange } from './date-ranges.js';
import { BULLET, isBullet, type ResumeLine } from './resume.js';
import { findSections } from './sections.js';

/** A dated position of a resume: the lines about it, and its periods. */
export interface WorkEntry {
  lines: ResumeLine[];
  ranges: DateRange[];
}

/** Lines of an entry above its dates: the position, the employer, the place. */
const MOST_LINES_ABOVE = 3;
const LONGEST_TITLE = 80;

/** The positions in the work history; without a heading for it, those outside of education and volunteering. */
export function findWorkEntries(lines: readonly ResumeLine[]): WorkEntry[] {
  const work = workLines(lines);
  const dated = work.flatMap((line, at) => (isDated(line) ? [at] : []));
  const [first] = dated;
  if (first === undefined) return [];
  const above = Math.min(first, MOST_LINES_ABOVE);
  const starts = dated.map((at, index) => startOf(work, at, (dated[index - 1] ?? -1) + 1, above));
  return starts.map((start, index) => {
    const own = work.slice(start, starts[index + 1]);
    return { lines: own, ranges: findDateRanges([work[dated[index] ?? 0]!]) };
  });
}

/** True if a line has the dates of a position; dates within a bullet are not. */
const isDated = (line: ResumeLine) => !isBullet(line) && findDateRanges([line]).length > 0;

/** The first line of an entry. Its title is at most as many lines above the dates as the title of the first entry. */
function startOf(work: readonly ResumeLine[], at: number, earliest: number, above: number): number {
  let start = at;
  while (start > earliest && at - start < above && isTitle(work[start - 1]!, work[start - 2])) start -= 1;
  return start;
}

function isTitle({ text }: ResumeLine, before: ResumeLine | undefined): boolean {
  if (BULLET.test(text) || text.length > LONGEST_TITLE || /[.;]$/.test(text)) return false;
  // The line may be the end of a bullet that wraps.
  const wraps = before !== undefined && BULLET.test(before.text) && !/[.;]$/.test(before.text);
  return /^[\p{Lu}\d]/u.test(text) && !(wraps && text.split(/\s+/).length > 6);
}

function workLines(lines: readonly ResumeLine[]): readonly ResumeLine[] {
  const sections = findSections(lines);
  const work = sections.filter(({ kind }) => kind === 'experience').flatMap((section) => section.lines);
  if (work.length > 0) return work;
  const other = new Set(
    sections
      .filter(({ kind }) => kind === 'education' || kind === 'volunteering')
      .flatMap((section) => section.lines),
  );
  return lines.filter((line) => !other.has(line));
}
