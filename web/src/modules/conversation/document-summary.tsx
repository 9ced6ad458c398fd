import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import type { DocumentSummary } from '#libs/contract/notebooks.js';
import { isEnded } from '#libs/contract/jobs.js';
import { notebookRoutes } from '#libs/contract/routes/notebooks.js';
import { useHttp } from '../../shared/account/use-http';
import { call } from '../../shared/http/call';
import { queryKeys } from '../../shared/http/query-keys';
import { Markdown } from '../../shared/markdown/markdown';
import { Button } from '../../shared/ui/button';
import { Spinner } from '../../shared/ui/spinner';
import { useLoadedJob, useSubmitJob } from '../runs/jobs/job-calls';
import { useNeedsPremium } from '../runs/jobs/premium-notice';
import { JobProgress } from '../submission/results/job-progress';

interface DocumentSummaryPanelProps {
  documentId: string;
  /** Whether the panel is open at first. */
  expanded: boolean;
  /** Asks a suggested question; null while questions cannot be asked. */
  onAsk: ((question: string) => void) | null;
}

/** What a document is about: summary, key points and questions. Made when a document is opened for the first time. */
export function DocumentSummaryPanel({ documentId, expanded, onAsk }: DocumentSummaryPanelProps) {
  const [open, setOpen] = useState(expanded);
  const { summary, content } = useSummary(documentId, onAsk);
  const title = summary?.engine === 'offline' ? 'Opening and headings' : 'Summary';
  return (
    <section aria-label={title} className="flex max-h-1/2 shrink-0 flex-col border-b border-line">
      <h3 className="font-sans text-sm font-semibold tracking-normal">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-10 w-full items-center justify-between gap-3 px-4 text-left outline-offset-[-2px] hover:bg-tint"
        >
          {title}
          <ChevronDown
            aria-hidden="true"
            className={`size-4 shrink-0 text-quiet transition-transform duration-200 ${open ? 'rotate-180' : ''}`}
          />
        </button>
      </h3>
      {open && (
        <div
          role="region"
          aria-label={`${title} of the document`}
          // Keyboard users must be able to focus a scrollable region.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="min-h-0 overflow-y-auto px-4 pb-4 text-sm outline-offset-[-2px]"
        >
          {content}
        </div>
      )}
    </section>
  );
}

/** The stored summary, or else the job that makes it. */
function useSummary(documentId: string, onAsk: DocumentSummaryPanelProps['onAsk']) {
  const http = useHttp();
  const needsPremium = useNeedsPremium();
  const stored = useQuery({
    queryKey: queryKeys.documentSummary(documentId),
    queryFn: async ({ signal }) =>
      (await call(http, notebookRoutes.getDocumentSummary, { params: { documentId }, signal })).summary,
    staleTime: (query) => (query.state.data ? Infinity : 0),
  });
  const submission = useSubmitJob('summarise-document');
  const { mutate, isIdle } = submission;
  const job = useLoadedJob(submission.data?.id ?? null)?.job;
  const isMissing = stored.data === null && !needsPremium;

  useEffect(() => {
    if (isMissing && isIdle) mutate({ input: { document_id: documentId } });
  }, [isMissing, isIdle, mutate, documentId]);

  const { refetch } = stored;
  const isMade = job?.status === 'succeeded';
  useEffect(() => {
    if (isMade) void refetch();
  }, [isMade, refetch]);

  const summary = stored.data ?? null;
  const hasFailed =
    submission.error !== null || (job !== undefined && isEnded(job.status) && job.status !== 'succeeded');
  const problem = stored.data === undefined ? stored.failureReason : submission.error;
  const content =
    summary !== null ? (
      <Summary summary={summary} onAsk={onAsk} />
    ) : needsPremium ? (
      <p className="text-quiet">Summaries are part of the premium plan.</p>
    ) : problem !== null || hasFailed ? (
      <div role="alert" className="grid justify-items-start gap-2">
        <p className="text-quiet">
          {problem?.message ?? job?.error?.message ?? 'The summary was cancelled.'}
        </p>
        <Button
          size="small"
          onClick={() =>
            stored.data === undefined ? void refetch() : mutate({ input: { document_id: documentId } })
          }
        >
          Try again
        </Button>
      </div>
    ) : job !== undefined && !isMade ? (
      <JobProgress job={job} label="Progress of the summary" />
    ) : (
      <p role="status" className="flex items-center gap-2 text-quiet">
        <Spinner />
        Loading
      </p>
    );
  return { summary, content };
}

interface SummaryProps {
  summary: DocumentSummary;
  onAsk: DocumentSummaryPanelProps['onAsk'];
}

function Summary({ summary: { text, keyPoints, questions, engine }, onAsk }: SummaryProps) {
  const isOffline = engine === 'offline';
  return (
    <div className="grid gap-4">
      {isOffline && (
        <p className="text-xs text-quiet">
          Made without AI: how the document begins, and its headings. This is no summary.
        </p>
      )}
      <Markdown text={text} className="text-sm" />
      {keyPoints.length > 0 && (
        <div>
          <h4 className="font-sans font-semibold tracking-normal">{isOffline ? 'Headings' : 'Key points'}</h4>
          <ul className="mt-1 grid list-disc gap-1 pl-5">
            {keyPoints.map((point) => (
              <li key={point} dir="auto" className="wrap-anywhere">
                {point}
              </li>
            ))}
          </ul>
        </div>
      )}
      {questions.length > 0 && (
        <div>
          <h4 className="font-sans font-semibold tracking-normal">Questions worth asking</h4>
          <ul className="mt-2 grid justify-items-start gap-2">
            {questions.map((question) => (
              <li key={question} className="max-w-full">
                <button
                  type="button"
                  dir="auto"
                  disabled={onAsk === null}
                  onClick={() => onAsk?.(question)}
                  className="rounded-control border border-edge px-3 py-1.5 text-left wrap-anywhere enabled:hover:border-ink enabled:hover:bg-tint disabled:text-quiet"
                >
                  {question}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
