import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { FileText, RotateCcw } from 'lucide-react';
import { isEnded } from '#libs/contract/jobs.js';
import type { Citation, PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { chatWithPdf } from '#libs/tools/chat-with-pdf/contract.js';
import type { EngineName } from '#libs/contract/engine-name.js';
import { Button } from '../../../shared/ui/button';
import { Markdown } from '../../../shared/markdown/markdown';
import { Notice } from '../../../shared/ui/notice';
import type { PdfLocation } from './pdf/use-pdf';
import { ProgressBar } from '../../../shared/ui/progress-bar';
import { OfflineEngineHint, EngineNote } from '../../../shared/results/engine-note';
import { screenReaderStatus, statusText } from '../../../shared/results/job-status';
import { SubmissionProblem } from '../../../shared/submission/submission-problem';
import type { ToolRun } from '../../../shared/results/use-tool-run';
import { CornerMarks } from '../../../shared/ui/corner-marks';
import { Spinner } from '../../../shared/ui/spinner';
import type { JobView } from '../../../shared/jobs/job-store';
import { linkPages, parsePageLink } from './page-links';

/** A question whose answer is not whole yet. */
export interface Pending {
  question: string;
  /** Null while the job is on its way. */
  view: JobView | null;
}

interface MessagesProps {
  messages: readonly PdfChatMessage[];
  /** The document's name, or null while none is chosen. */
  about: string | null;
  pending: Pending | null;
  run: ToolRun;
  /** Shows a page of the document. */
  onOpenPage: (place: PdfLocation) => void;
}

/** How near to its end, in pixels, the view is kept there while an answer streams. */
const NEAR_END = 120;

export function Messages({ messages, about, pending, run, onOpenPage }: MessagesProps) {
  const list = useRef<HTMLDivElement>(null);
  const text = pending?.view?.text ?? '';

  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages, pending?.question]);
  useEffect(() => {
    const box = list.current;
    if (box !== null && box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END)
      box.scrollTo({ top: box.scrollHeight });
  }, [text]);

  const empty = messages.length === 0 && pending === null;
  return (
    <div
      ref={list}
      role="region"
      aria-label="Messages"
      // A region that scrolls must be within reach of the keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-y-auto px-4 py-6 outline-offset-[-2px] sm:px-8"
    >
      {empty ? (
        <Empty about={about} engine={run.engine} />
      ) : (
        <ol className="mx-auto grid max-w-3xl gap-8">
          {messages.map((message, place) => (
            <Message key={place} message={message} onOpenPage={onOpenPage} />
          ))}
          {pending !== null && <Answering pending={pending} run={run} onOpenPage={onOpenPage} />}
        </ol>
      )}
    </div>
  );
}

function Empty({ about, engine }: { about: string | null; engine: EngineName | undefined }) {
  return (
    <div className="grid min-h-full place-items-center text-center">
      <CornerMarks />
      <div className="max-w-sm">
        <FileText aria-hidden="true" className="mx-auto size-9 text-quiet" strokeWidth={1.25} />
        <h2 className="mt-4 text-2xl">Chat with your PDF</h2>
        <p className="mt-3 break-words text-quiet">
          {about === null
            ? 'Upload a document and ask what you want to know. Each answer names the pages it stands on.'
            : `Ask the first question about ${about}.`}
        </p>
        <OfflineEngineHint engine={engine} />
      </div>
    </div>
  );
}

interface MessageProps {
  message: PdfChatMessage;
  onOpenPage: (place: PdfLocation) => void;
}

function Message({ message: { role, content, citations = [], engine }, onOpenPage }: MessageProps) {
  if (role === 'user') return <Question text={content} />;
  return (
    <li>
      <Speaker name="PDF Assistant">{engine === 'offline' && <EngineNote engine={engine} past />}</Speaker>
      <Answer text={content} citations={citations} onOpenPage={onOpenPage} />
      {citations.length > 0 && <Citations citations={citations} onOpenPage={onOpenPage} />}
    </li>
  );
}

interface AnswerProps {
  text: string;
  citations: readonly Citation[];
  streaming?: boolean;
  onOpenPage: (place: PdfLocation) => void;
}

/** An answer in which the pages it names are links to them. */
function Answer({ text, citations, streaming, onOpenPage }: AnswerProps) {
  const follow = (event: MouseEvent<HTMLDivElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const place = parsePageLink(link?.getAttribute('href') ?? null, citations);
    if (place === null) return;
    event.preventDefault();
    link?.focus();
    onOpenPage(place);
  };
  return (
    // The links in it are what is pressed; their clicks are caught here.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div onClick={follow}>
      <Markdown text={linkPages(text, citations)} streaming={streaming} />
    </div>
  );
}

function Question({ text }: { text: string }) {
  return (
    <li className="rounded-panel bg-sunken px-5 py-4">
      <Speaker name="You" />
      <Markdown text={text} />
    </li>
  );
}

function Speaker({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <p className="mb-2 flex flex-wrap items-center justify-between gap-x-4 text-sm text-quiet">
      <span className="font-semibold text-ink">{name}</span>
      {children}
    </p>
  );
}

/** Where the answer stands in the document, word for word. */
function Citations({ citations, onOpenPage }: Pick<AnswerProps, 'citations' | 'onOpenPage'>) {
  return (
    <section aria-label="Sources" className="mt-4 border-t border-line pt-3">
      <h3 className="font-sans text-sm font-semibold tracking-normal">From the document</h3>
      <ul className="mt-2 grid gap-2">
        {citations.map(({ page, quote }) => (
          <li key={`${page} ${quote}`} className="grid grid-cols-[auto_minmax(0,1fr)] gap-3 text-sm">
            <button
              type="button"
              aria-label={`Open page ${page} of the document`}
              onClick={() => onOpenPage({ page, quote })}
              className="h-fit min-h-6 rounded-[4px] border border-edge px-1.5 font-mono text-xs leading-6 whitespace-nowrap hover:border-ink hover:bg-tint"
            >
              Page {page}
            </button>
            <q className="leading-6 break-words text-quiet">{quote}</q>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The question, and the answer as far as it is set. */
function Answering({
  pending: { question, view },
  run,
  onOpenPage,
}: { pending: Pending } & Pick<MessagesProps, 'run' | 'onOpenPage'>) {
  const job = view?.job;
  const stopped = job?.status === 'failed' || job?.status === 'cancelled';
  return (
    <>
      <Question text={question} />
      <li>
        <Speaker name="PDF Assistant">
          {job !== undefined && !isEnded(job.status) && (
            <Button size="small" onClick={run.cancel} busy={run.cancelling}>
              Cancel
            </Button>
          )}
        </Speaker>
        {view !== null && view.text !== '' && (
          <Answer
            text={view.text}
            citations={[]}
            streaming={job?.status === 'running'}
            onOpenPage={onOpenPage}
          />
        )}
        {run.problem !== null && (
          <div className="mt-3">
            <SubmissionProblem error={run.problem} onRetry={stopped ? run.retry : run.cancel} />
          </div>
        )}
        {stopped ? (
          <div className="mt-3">
            <Notice
              tone={job.status === 'failed' ? 'danger' : 'note'}
              title={job.status === 'failed' ? chatWithPdf.failureMessage : 'You cancelled this question'}
              action={
                <Button size="small" onClick={run.retry} busy={run.retrying}>
                  <RotateCcw aria-hidden="true" className="size-4" />
                  Retry
                </Button>
              }
            >
              {job.status === 'failed'
                ? `${job.error?.message ?? 'Something went wrong on our side.'} It cost nothing.`
                : 'It cost nothing. Retry asks it again.'}
            </Notice>
          </div>
        ) : (
          <div className="mt-3 grid max-w-sm gap-2">
            <p className="flex items-center gap-2 text-sm text-quiet">
              <Spinner />
              <span role="status">
                Generating response...
                {job !== undefined && <span className="sr-only"> {screenReaderStatus(job)}</span>}
              </span>
              {job !== undefined && (
                <span aria-hidden="true" className="truncate">
                  {statusText(job)}
                </span>
              )}
              {job?.status === 'running' && (
                <span className="font-mono text-xs">{Math.round(job.progress.percent)}%</span>
              )}
            </p>
            <ProgressBar
              label="Progress of the answer"
              percent={job?.status === 'running' ? job.progress.percent : 0}
              measured={job?.status === 'running'}
            />
          </div>
        )}
      </li>
    </>
  );
}
