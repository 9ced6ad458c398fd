const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long' });
const utcDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const dayOfYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const minuteOfDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const secondOfDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const minute = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** Formats a day as "December 1". */
export const formatDay = (iso: string) => day.format(new Date(iso));

/** Formats a day that the server counts in UTC, such as `2026-12-01`, as "December 1". */
export const formatUtcDay = (day: string) => utcDay.format(new Date(day));

/** Formats a date as "Nov 21, 2026". */
export const formatDate = (iso: string) => dayOfYear.format(new Date(iso));

/** Formats a time as "Nov 21, 2026, 8:05 AM". */
export const formatTime = (iso: string) => minuteOfDay.format(new Date(iso));

/** Formats a time as "Nov 21, 2026, 8:05:12 AM". */
export const formatExact = (iso: string) => secondOfDay.format(new Date(iso));

/** Formats the time of a day as "8:05 AM". */
export const formatMinute = (milliseconds: number) => minute.format(milliseconds);

/** Formats a number as "2nd". */
export const formatOrdinal = (count: number) => `${count}${suffixes[ordinals.select(count)] ?? 'th'}`;

/** Formats a duration as "40 s", or as "2 min" from 90 seconds. */
export const formatWait = (seconds: number) =>
  seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;

/** Formats a duration as "0.4 s", "40 s", "12 min", "3 h" or "2 days". */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** Text such as "2nd in the queue, about 40 s". */
export function formatQueuePosition(position: number | null, etaSeconds: number | null): string {
  if (position === null) return 'In the queue';
  const text = position === 1 ? 'Next in the queue' : `${formatOrdinal(position)} in the queue`;
  return etaSeconds === null ? text : `${text}, about ${formatWait(etaSeconds)}`;
}

/** Text such as "1 credit" or "2 credits". The plural is formed with an s. */
export const formatCount = (count: number, noun: string) =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
