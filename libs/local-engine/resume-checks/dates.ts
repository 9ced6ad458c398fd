import { findDateRanges, monthOf, type DateRange } from '#libs/local-engine/resume/date-ranges.js';
import { findSections } from '#libs/local-engine/resume/sections.js';
import {
  count,
  good,
  improve,
  improveIf,
  note,
  type Checked,
  type CheckGroup,
  type Finding,
} from './finding.js';

/** Longer gaps are reported, in months. */
const GAP = 6;

export function checkDates({ resume: { lines }, now }: Checked): CheckGroup {
  const ranges = findDateRanges(lines);
  if (ranges.length === 0) {
    return {
      title: 'Dates',
      findings: [
        improve(
          'No spans of time such as “Mar 2019 – Present” were found: give each position its first and last month.',
        ),
      ],
    };
  }
  const work = findSections(lines).filter(({ kind }) => kind === 'experience');
  const positions = work.length > 0 ? work.flatMap((section) => findDateRanges(section.lines)) : [];
  return {
    title: 'Dates',
    findings: [
      note(`${count(ranges.length, 'span')} of time found.`),
      checkStyles(ranges),
      ...checkFuture(ranges, now),
      ...checkBackwards(ranges),
      ...(positions.length > 1 ? [checkOrder(positions, now), checkGaps(positions, now)] : []),
    ],
  };
}

function checkStyles(ranges: DateRange[]): Finding {
  const styles = Array.from(new Set(ranges.flatMap((range) => range.styles)));
  if (styles.length === 1) return good('All are written in one way.');
  const examples = styles.flatMap(
    (style) => ranges.find((range) => range.styles.includes(style))?.line ?? [],
  );
  return improve(
    `Dates are written in ${styles.length} ways (like ${styles.join(', ')}): keep to one, with months.`,
    unique(examples),
  );
}

function checkFuture(ranges: DateRange[], now: Date): Finding[] {
  const month = monthOf(now);
  // A period that ends in a bare year ends in its last month, which may be in the future this year.
  const future = ranges.filter(
    ({ start, end, styles }) =>
      start > month ||
      (end !== null &&
        end > month &&
        (styles.at(-1) !== '2020' || Math.floor(end / 12) > now.getUTCFullYear())),
  );
  return improveIf(linesOf(future), 'These dates lie in the future: mark them as expected, or correct them.');
}

function checkBackwards(ranges: DateRange[]): Finding[] {
  const backwards = ranges.filter(({ start, end }) => end !== null && end < start);
  return improveIf(linesOf(backwards), 'These spans end before they begin.');
}

function checkOrder(positions: DateRange[], now: Date): Finding {
  const ends = positions.map(({ end }) => end ?? monthOf(now) + 1);
  const late = positions.filter((_, index) => index > 0 && (ends[index] ?? 0) > (ends[index - 1] ?? 0));
  return late.length > 0
    ? improve(
        'Positions are not ordered from the newest to the oldest; these are newer than the one before.',
        linesOf(late),
      )
    : good('Positions are ordered from the newest to the oldest.');
}

function checkGaps(positions: DateRange[], now: Date): Finding {
  const sorted = positions.toSorted((a, b) => a.start - b.start);
  const gaps: DateRange[] = [];
  let until = -Infinity;
  let longest = 0;
  for (const range of sorted) {
    const gap = range.start - until - 1;
    if (Number.isFinite(gap) && gap > GAP) {
      gaps.push(range);
      longest = Math.max(longest, gap);
    }
    until = Math.max(until, range.end ?? monthOf(now));
  }
  return gaps.length > 0
    ? improve(
        `Time between positions without work or study named here (the longest ${count(longest, 'month')}), before these. Be ready to say what you did, or name it.`,
        linesOf(gaps),
      )
    : good(`No time of more than ${GAP} months between positions.`);
}

const unique = <T>(list: readonly T[]) => Array.from(new Set(list));
const linesOf = (ranges: readonly DateRange[]) => unique(ranges.map(({ line }) => line));
