import { isEnded, type Job } from '#libs/contract/jobs.js';
import { percentAfter, type Expectation, type Measure } from '#libs/contract/progress.js';
import { formatBytes } from '../../../shared/lib/check-file';
import { formatOrdinal, formatWait } from '../../../shared/lib/format';

/** Progress of a job, as the user sees it. */
export interface DisplayedProgress {
  /** `unknown` if nothing is measured and no estimate is possible. */
  kind: 'measured' | 'estimated' | 'unknown';
  /** From 0 to 100; never decreases. */
  percent: number;
  /** Text with the measured amounts, or with the elapsed and the usual time. */
  detail: string;
}

/** @param secondsSinceStart seconds since the job's first start, by this device's clock; null before the start */
export function displayedProgress(job: Job, secondsSinceStart: number | null): DisplayedProgress {
  const { kind, percent, measure, expectedSeconds } = job.progress;
  if (isEnded(job.status) || secondsSinceStart === null) return { kind: 'unknown', percent, detail: '' };
  const isWaiting = job.status === 'queued';
  const reached = percentAfter(job.progress, secondsSinceStart);
  const attempt = job.attempts > 1 ? `${formatOrdinal(job.attempts)} try. ` : '';
  if (kind === 'measured')
    return { kind, percent: reached, detail: attempt + (measure ? measureText(measure) : '') };
  return {
    kind: expectedSeconds && !isWaiting ? 'estimated' : 'unknown',
    percent: reached,
    detail: attempt + timeText(secondsSinceStart, expectedSeconds),
  };
}

/** Text such as "45%" or "about 45%"; '' if the progress is unknown. */
export const percentText = ({ kind, percent }: DisplayedProgress): string =>
  kind === 'unknown' ? '' : `${kind === 'estimated' ? 'about ' : ''}${Math.round(percent)}%`;

function measureText({ done, total, unit }: Measure): string {
  if (unit === 'bytes') return `${formatBytes(done)} of ${formatBytes(total)}`;
  return `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}`;
}

/** Text such as "12 s, usually 20 to 40 s". */
function timeText(seconds: number, expected: Expectation | null): string {
  const elapsed = formatWait(Math.floor(seconds));
  if (!expected) return `${elapsed} so far`;
  if (seconds <= Math.max(1, expected.to))
    return `${elapsed}, usually ${rangeText(expected, 'less than a second')}`;
  return `${elapsed}, longer than the usual ${rangeText(expected, 'second')}`;
}

/** Text such as "20 to 40 s". @param moment text for durations below a second */
function rangeText({ from, to }: Expectation, moment: string): string {
  if (to < 1) return moment;
  const inMinutes = to >= 90;
  const amount = (seconds: number) => Math.max(1, Math.round(inMinutes ? seconds / 60 : seconds));
  const unit = inMinutes ? 'min' : 's';
  return amount(from) === amount(to) ? `${amount(to)} ${unit}` : `${amount(from)} to ${amount(to)} ${unit}`;
}

/** Explains why a job waits; null if it doesn't wait or if its status explains the wait already. */
export function waitingText({ waiting, status }: Job): string | null {
  if (status !== 'queued' || waiting === null) return null;
  switch (waiting.reason) {
    case 'ahead':
      return `${aheadText(waiting.ahead)} ahead of it`;
    case 'busy':
      return 'Next in the queue. All workers are busy';
    case 'paused':
      return 'An operator paused these jobs. It starts when they are resumed';
    case 'no-worker':
      return 'No worker is available. It starts when one is';
    case 'retry':
      return null;
  }
}

/** Tells premium users how many jobs their job overtook; null if none. */
export function priorityText({ wentAheadOf, status }: Job): string | null {
  if (wentAheadOf === 0 || isEnded(status)) return null;
  return `Premium: ${status === 'queued' ? 'goes' : 'went'} ahead of ${wentAheadOf.toLocaleString('en')}`;
}

/** Text such as "2 premium jobs and 1 of yours". */
function aheadText({ premium, own, others }: NonNullable<Job['waiting']>['ahead']): string {
  const kinds: [count: number, ofThem: string][] = [
    [premium, 'premium'],
    [own, 'of yours'],
    [others, 'of others'],
  ];
  const named = kinds.filter(([count]) => count > 0);
  const parts = named.map(([count, kind], at) => {
    const jobs = at === 0 ? ` ${count === 1 ? 'job' : 'jobs'}` : '';
    const number = count.toLocaleString('en');
    return kind === 'premium' ? `${number} premium${jobs}` : `${number}${jobs} ${kind}`;
  });
  return new Intl.ListFormat('en-GB').format(parts);
}
