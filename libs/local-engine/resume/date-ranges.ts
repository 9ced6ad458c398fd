import type { ResumeLine } from './resume.js';

/** The format of a date; a resume should use one. */
export type DateStyle = 'Jan 2020' | 'January 2020' | '01/2020' | '2020';

/** A period such as "Mar 2019 – Present". Months count from January of year 0. */
export interface DateRange {
  start: number;
  /** Its last month; null for "Present". */
  end: number | null;
  styles: DateStyle[];
  text: string;
  line: ResumeLine;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
const date = String.raw`(?:${month},?\s+(?:19|20)\d\d|\d{1,2}[/.](?:19|20)\d\d|(?:19|20)\d\d)`;
const RANGE = new RegExp(
  String.raw`\b(${date})\s*(?:-|–|—|−|to|until|through)\s*(${date}|present|current|now|today|ongoing)\b`,
  'giu',
);

export function findDateRanges(lines: readonly ResumeLine[]): DateRange[] {
  return lines.flatMap((line) =>
    Array.from(line.text.matchAll(RANGE), ([text, from = '', to = '']) => {
      const start = readDate(from, 0);
      const end = /\d/.test(to) ? readDate(to, 11) : null;
      return {
        start: start.month,
        end: end && end.month,
        styles: [...start.styles, ...(end?.styles ?? [])],
        text,
        line,
      };
    }),
  );
}

/** @param monthOfYear the month of a bare year: 0 at the start of a period, 11 at its end */
function readDate(text: string, monthOfYear: number): { month: number; styles: DateStyle[] } {
  const year = Number(/\d{4}/.exec(text)?.[0]);
  const name = /\p{L}+/u.exec(text)?.[0];
  if (name) {
    const index = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
    // "May" is both.
    const styles: DateStyle[] =
      index === 4 ? [] : [/^(?:...|sept)$/i.test(name) ? 'Jan 2020' : 'January 2020'];
    return { month: year * 12 + index, styles };
  }
  const number = /^(\d{1,2})[/.]/.exec(text)?.[1];
  if (number)
    return { month: year * 12 + Math.min(12, Math.max(1, Number(number))) - 1, styles: ['01/2020'] };
  return { month: year * 12 + monthOfYear, styles: ['2020'] };
}

/** The month of a date, as {@link DateRange} counts them. */
export const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();

/** Months covered by the periods; overlapping ones count once. */
export function monthsCovered(ranges: readonly DateRange[], now: Date): number {
  const spans = ranges
    .map(({ start, end }) => ({ start, end: end ?? monthOf(now) }))
    .sort((a, b) => a.start - b.start);
  let covered = 0;
  let until = -Infinity;
  for (const { start, end } of spans) {
    covered += Math.max(0, end - Math.max(start, until + 1) + 1);
    until = Math.max(until, end);
  }
  return covered;
}
