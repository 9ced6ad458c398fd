import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { ChevronDown, Images, WifiOff } from 'lucide-react';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import type { RunSummary } from '../../modules/runs/lists/run-summary';
import { Spinner } from '../../shared/ui/spinner';
import { Button } from '../../shared/ui/button';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { StatusIcon } from '../../modules/runs/jobs/job-status';
import { percentText, type DisplayedProgress } from '../../modules/submission/results/displayed-progress';
import { useDisplayedProgresses } from '../../modules/submission/results/use-displayed-progress';
import { dismissedRuns } from '../../modules/runs/state/dismissed-runs';
import { useConnected } from '../../modules/runs/state/runs-context';
import { NotificationSwitch } from './notification-switch';
import { JobEndLiveRegion } from './job-end-live-region';
import { JobTrayRow } from './job-tray-row';
import { RunTrayRow } from './run-tray-row';
import { useTrayJobs, useTrayRuns } from './use-tray-jobs';

/** Delay before an empty tray closes, because a retry removes the old job a moment before it adds the new job. */
const CLOSE_DELAY_MS = 3_000;

/**
 * The user's work at the bottom of the screen: a line that expands to a list, or a badge once all is done. `job-tray-spacer` keeps the tray from covering
 * the end of the page.
 */
export function JobTray() {
  const jobs = useTrayJobs();
  const runs = useTrayRuns();
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const isEmpty = jobs.length + runs.length === 0;
  const isIdle = jobs.every(({ status }) => isEnded(status)) && !runs.some(({ isAtWork }) => isAtWork);
  const tray = useTrayHeight();

  useEffect(() => {
    if (!isEmpty) return;
    const timer = setTimeout(() => setOpen(false), CLOSE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isEmpty]);

  return (
    <>
      <JobEndLiveRegion />
      {!isEmpty && (
        // Handles Escape from any element inside: it closes the list.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <section
          ref={tray}
          aria-label="Your work"
          className="job-tray"
          data-open={open}
          data-badge={!open && isIdle}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !open) return;
            event.stopPropagation();
            setOpen(false);
            toggle.current?.focus();
          }}
        >
          {open && (
            <div id={listId} className="max-h-[min(28rem,60dvh)] animate-fade overflow-y-auto">
              <JobTrayList jobs={jobs} runs={runs} />
            </div>
          )}
          <button
            ref={toggle}
            type="button"
            aria-expanded={open}
            aria-controls={open ? listId : undefined}
            onClick={() => setOpen(!open)}
            className="relative flex min-h-12 w-full items-center gap-3 px-4 text-left text-[0.9375rem] hover:bg-tint"
          >
            <Summary jobs={jobs} runs={runs} />
            <ChevronDown
              aria-hidden="true"
              className={`job-tray-text size-4 shrink-0 text-quiet transition-transform duration-200 ${open ? '' : 'rotate-180'}`}
            />
          </button>
        </section>
      )}
    </>
  );
}

/** Sets the CSS variable for the tray's height, so that the page can leave room for the tray. */
function useTrayHeight() {
  return useCallback((tray: HTMLElement | null) => {
    if (tray === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty('--job-tray-space', `calc(${tray.offsetHeight}px + 1.5rem)`),
    );
    observer.observe(tray);
    return () => {
      observer.disconnect();
      style.removeProperty('--job-tray-space');
    };
  }, []);
}

interface TrayProps {
  jobs: readonly Job[];
  /** The batches and flows. */
  runs: readonly RunSummary[];
}

function JobTrayList({ jobs, runs }: TrayProps) {
  const connected = useConnected();
  const ended = [
    ...jobs.filter(({ status }) => isEnded(status)),
    ...runs.filter(({ isAtWork }) => !isAtWork),
  ];
  return (
    <>
      <div className="flex min-h-12 items-center justify-between gap-3 px-4 pt-1">
        <h2 className="text-lg">Your work</h2>
        {ended.length > 1 && (
          <Button
            variant="quiet"
            size="small"
            className="-mr-2"
            onClick={() => dismissedRuns.add(...ended.map(({ id }) => id))}
          >
            Clear ended
          </Button>
        )}
      </div>
      {!connected && (
        <p className="px-4 pb-3 text-sm text-quiet">
          You are offline. Jobs continue on the server, and this list updates when you reconnect.
        </p>
      )}
      <ul className="border-t border-line">
        {runs.map((run) => (
          <RunTrayRow key={run.id} run={run} />
        ))}
        {jobs.map((job) => (
          <JobTrayRow key={job.id} job={job} />
        ))}
      </ul>
      <NotificationSwitch />
    </>
  );
}

/** Text of the closed tray: the only active job, or the number of active jobs. */
function Summary({ jobs, runs }: TrayProps) {
  const connected = useConnected();
  const active = jobs.filter(({ status }) => !isEnded(status));
  const [only] = active;
  const openRuns = runs.filter(({ isAtWork }) => isAtWork);
  const [openRun] = openRuns;
  const atWork = active.length + openRuns.length;
  // Show a running job if there is any, then other active jobs, then failed jobs.
  const displayed =
    active.find(({ status }) => status === 'running') ??
    only ??
    jobs.find(({ status }) => status === 'failed') ??
    jobs[0];
  const progress = together([
    ...useDisplayedProgresses(active),
    ...openRuns.map(({ percent }) => ({ kind: 'measured' as const, percent, detail: '' })),
  ]);
  return (
    <>
      {!connected ? (
        <WifiOff aria-hidden="true" className="size-4" />
      ) : openRun !== undefined && active.length === 0 ? (
        <Spinner className="size-4 text-live" />
      ) : displayed !== undefined ? (
        <StatusIcon job={displayed} />
      ) : (
        <Images aria-hidden="true" className="size-4 shrink-0 text-quiet" />
      )}
      <span className="sr-only">Your work: </span>
      <span className="job-tray-text min-w-0 flex-1 truncate">
        {!connected && <strong className="font-semibold">Offline. </strong>}
        {atWork === 1
          ? (only ?? openRun)?.title
          : atWork > 1
            ? `${atWork} jobs in progress`
            : endedSummary(jobs) || (runs[0] && `${runs[0].title}, ${runs[0].progress}`)}
      </span>
      {atWork > 0 && (
        <>
          <span className="font-mono text-xs text-quiet">
            {atWork === 1 && only?.status === 'queued' ? queuePosition(only) : percentText(progress)}
          </span>
          <span aria-hidden="true" className="absolute inset-x-0 top-0">
            <ProgressBar
              label="Progress of your work"
              {...progress}
              kind={connected ? progress.kind : 'unknown'}
            />
          </span>
        </>
      )}
    </>
  );
}

/** Mean progress of several jobs. Its kind is `measured` only if the progress of every job is measured. */
function together(progresses: readonly DisplayedProgress[]): DisplayedProgress {
  const known = progresses.filter(({ kind }) => kind !== 'unknown');
  return {
    kind:
      known.length === 0
        ? 'unknown'
        : progresses.every(({ kind }) => kind === 'measured')
          ? 'measured'
          : 'estimated',
    percent: progresses.reduce((sum, { percent }) => sum + percent, 0) / Math.max(1, progresses.length),
    detail: progresses.length === 1 ? progresses[0]!.detail : '',
  };
}

const queuePosition = ({ position }: Job) => (position === null ? 'Waiting' : `No. ${position}`);

function endedSummary(jobs: readonly Job[]): string {
  const count = (status: Job['status']) => jobs.filter((job) => job.status === status).length;
  return [
    [count('failed'), 'failed'],
    [count('succeeded'), 'done'],
    [count('cancelled'), 'cancelled'],
  ]
    .filter(([number]) => number !== 0)
    .map((part) => part.join(' '))
    .join(', ');
}
