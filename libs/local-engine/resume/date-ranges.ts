import data from './months.json' with { type: 'json' };
import type { ResumeLine } from './resume.js';

/** The format of a date; a resume should use one. */
export type DateStyle = 'Jan 2020' | 'January 2020' | '01/2020' | '2020-01' | '2020';

/** A period such as "Mar 2019 – Present". Months count from January of year 0. */
export interface DateRange {
  start: number;
  /** Its last month; null for "Present". */
  end: number | null;
  styles: DateStyle[];
  text: string;
  line: ResumeLine;
}

/** Months in the order of the year, by language; the index within a list is the month. */
const longNames = indexMonths(data.long);
const shortNames = indexMonths(data.short);

function indexMonths(lists: Record<string, string[]>): Map<string, number> {
  return new Map(Object.values(lists).flatMap((names) => names.map((name, month) => [name, month] as const)));
}

const longestFirst = (words: Iterable<string>) =>
  Array.from(words)
    .sort((a, b) => b.length - a.length)
    .join('|');

const month = String.raw`(?:${longestFirst([...longNames.keys(), ...shortNames.keys()])})\.?`;
const year = String.raw`(?:19|20)\d\d`;
const date = String.raw`(?:${month}(?:,|\s+de)?\s+${year}|${month}\s*['’]\d\d|(?:\d{1,2}[/.])?\d{1,2}[/.]${year}|${year}-(?:0[1-9]|1[0-2])|${year})`;
const RANGE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${date})\s*(?:${data.until.join('|')})\s*(${date}|${longestFirst(data.now)})(?![\p{L}\p{N}])|(?<=(?:^|[|,;·(–—])\s*)(?:${data.since.join('|')})\s+(${date})(?!\d)`,
  'giu',
);

export function findDateRanges(lines: readonly ResumeLine[]): DateRange[] {
  return lines.flatMap((line) =>
    Array.from(line.text.matchAll(RANGE), ([text, from, to = '', since = '']) => {
      const start = readDate(from ?? since, 0);
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
  const year = Number(/\d{4}/.exec(text)?.[0] ?? yearOf(/['’](\d\d)$/.exec(text)?.[1] ?? ''));
  const name = /\p{L}+/u.exec(text)?.[0].toLowerCase();
  if (name) {
    const [long, short] = [longNames.get(name), shortNames.get(name)];
    // "May" is the long and the short form.
    const styles: DateStyle[] =
      long !== undefined && short !== undefined ? [] : [short === undefined ? 'January 2020' : 'Jan 2020'];
    return { month: year * 12 + (long ?? short ?? monthOfYear), styles };
  }
  const number = /^(?:\d{1,2}[/.])?(\d{1,2})[/.]/.exec(text)?.[1] ?? /^\d{4}-(\d\d)$/.exec(text)?.[1];
  if (number) {
    const styles: DateStyle[] = [text.includes('-') ? '2020-01' : '01/2020'];
    return { month: year * 12 + Math.min(12, Math.max(1, Number(number))) - 1, styles };
  }
  return { month: year * 12 + monthOfYear, styles: ['2020'] };
}

/** The year of two digits: '98 is 1998, '09 is 2009. */
const yearOf = (digits: string) => (Number(digits) > 50 ? 1900 : 2000) + Number(digits);

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
