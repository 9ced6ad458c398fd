import { useEffect, useRef, useState } from 'react';
import clsx from 'clsx';
import { BookOpen } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import toast from 'react-hot-toast';
import { z } from 'zod';
import { isEnded } from '#libs/contract/jobs.js';
import { pdfChatMessageSchema } from '#libs/contract/pdf-chats.js';
import { useClearPdfChats, usePdfChats } from '../../../shared/api/pdf-chats';
import { queryKeys } from '../../../shared/http/query-keys';
import { Button } from '../../../shared/ui/button';
import { useFileChoice } from '../../../shared/files/use-file-choice';
import { PageHeading } from '../../../shared/ui/page-heading';
import type { PdfLocation } from './pdf/use-pdf';
import { PremiumBadge } from '../../../shared/ui/premium-badge';
import { PremiumNotice } from '../../../shared/submission/premium-notice';
import { EngineNote } from '../../../shared/results/engine-note';
import { useToolRun } from '../../../shared/results/use-tool-run';
import { chatCache } from './chat-cache';
import { drafts } from '../../../shared/drafts/drafts';
import { DocumentPane } from './document-pane';
import { Messages } from './messages';
import { QuestionBox } from './question-box';
import { ChatSidebar } from './chat-sidebar';
import { useConversation } from './use-conversation';

const TOOL = 'chat-with-pdf';
const ASKED = 'chat-with-pdf-asked';

const answerSchema = z.object({ fileName: z.string(), chatHistory: z.array(pdfChatMessageSchema) });
const askedSchema = z.object({ jobId: z.string(), question: z.string() });

export default function ChatWithPdfPage() {
  const queries = useQueryClient();
  const [parameters] = useSearchParams();
  const run = useToolRun(TOOL);
  const documents = usePdfChats();
  const clear = useClearPdfChats();
  const upload = useFileChoice(TOOL, 'pdf');
  const { fileName, messages, open, show: showConversation } = useConversation();
  const waiting = run.id !== null && (run.view === null || !isEnded(run.view.job.status));

  // On load: the document that the address names, else the last selected one, if it is still in the list.
  const wanted = useRef(parameters.get('file') ?? chatCache.readSelected());
  const [opensOne] = useState(() => (parameters.get('file') ?? chatCache.readSelected() ?? run.id) !== null);
  const known = documents.data;
  useEffect(() => {
    const name = wanted.current;
    if (known === undefined || name === null) return;
    wanted.current = null;
    if (known.some((document) => document.fileName === name)) open(name);
  }, [known, open]);

  const failed = documents.failureReason !== null;
  useEffect(() => {
    if (failed) toast.error('Failed to load initial data', { id: 'pdf-chats' });
  }, [failed]);

  // The answer's conversation takes the place of the present one.
  const job = run.view?.job;
  const answered = useRef<string>(null);
  const { choose } = upload;
  const { show } = run;
  useEffect(() => {
    if (job?.status !== 'succeeded' || answered.current === job.id) return;
    const answer = answerSchema.safeParse(job.result);
    if (!answer.success) return;
    answered.current = job.id;
    wanted.current = null;
    showConversation(answer.data.fileName, answer.data.chatHistory);
    // An answer of some time ago, opened again: what was said since, the server knows.
    if (askedSchema.safeParse(drafts.read(ASKED)).data?.jobId !== job.id) open(answer.data.fileName);
    choose(null);
    show(null);
    void queries.invalidateQueries({ queryKey: queryKeys.pdfChats });
  }, [job, showConversation, open, choose, show, queries]);

  const asked = askedSchema.safeParse(drafts.read(ASKED)).data;
  const pending =
    run.id === null || job?.status === 'succeeded'
      ? null
      : { question: asked?.jobId === run.id ? asked.question : (job?.title ?? ''), view: run.view };

  const about = upload.file?.name ?? fileName;
  const [shown, setShown] = useState<{ about: string; place: PdfLocation } | null>(null);
  const place = shown !== null && shown.about === about ? shown.place : null;
  // Where the reader was, to go back to.
  const opener = useRef<Element>(null);
  const showPage = (wantedPlace: PdfLocation) => {
    if (about === null) return;
    if (place === null) opener.current = document.activeElement;
    setShown({ about, place: wantedPlace });
  };
  const hidePages = () => {
    setShown(null);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };

  const clearAll = () =>
    clear.mutate(undefined, {
      onSuccess: () => {
        chatCache.clearAll();
        choose(null);
        open(null);
        show(null);
        toast.success('Chat history cleared');
      },
      onError: (error) => toast.error(error.message),
    });

  return (
    <>
      <PageHeading
        badge={<PremiumBadge />}
        lead="Ask a document, and get its answer with the page it stands on."
      >
        Chat With PDF
      </PageHeading>
      <div
        className={clsx(
          'grid grid-cols-1 items-start gap-6',
          place === null
            ? 'lg:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[18rem_minmax(0,1fr)] xl:gap-10'
            : 'lg:grid-cols-2 lg:[&>:first-child]:hidden',
        )}
      >
        <ChatSidebar
          upload={upload}
          onChoose={(file) => {
            choose(file);
            if (file !== null) {
              open(null);
              show(null);
            }
          }}
          documents={documents.data}
          failed={failed}
          onReload={() => void documents.refetch()}
          active={upload.file === null ? fileName : null}
          onOpen={(name) => {
            choose(null);
            show(null);
            open(name);
          }}
          onClearAll={clearAll}
          clearing={clear.isPending}
          disabled={waiting}
          folded={opensOne}
        />
        <section
          ref={run.paneRef}
          aria-label="Conversation"
          // On a wide screen the question box is in view from the start, below the page's heading.
          className={clsx(
            'panel flex h-[calc(100dvh-8rem)] min-h-[30rem] flex-col overflow-hidden',
            place === null && 'lg:h-[calc(100dvh-20rem)]',
          )}
        >
          <h2 className="sr-only">Conversation</h2>
          {/* As high as its words will be: they come a moment later. */}
          <div className="flex min-h-16 items-center justify-between gap-4 border-b border-line py-1.5 pr-2 pl-4 text-sm text-quiet sm:pl-6 xl:min-h-12">
            <p className="flex flex-wrap gap-x-4 gap-y-1">
              {run.engine !== undefined && <EngineNote engine={run.engine} past={false} />}
              <span>{run.cost}</span>
            </p>
            {about !== null && place === null && (
              <Button size="small" variant="quiet" onClick={() => showPage({ page: 1 })}>
                <BookOpen aria-hidden="true" className="size-4" />
                <span className="max-sm:sr-only">Show pages</span>
              </Button>
            )}
          </div>
          <Messages
            messages={upload.file === null ? messages : []}
            about={about}
            pending={pending}
            run={run}
            onOpenPage={showPage}
          />
          <div className="grid gap-3 border-t border-line p-3 sm:p-4">
            <PremiumNotice />
            <QuestionBox
              upload={upload}
              fileName={upload.file === null ? fileName : null}
              history={upload.file === null ? messages : []}
              waiting={waiting}
              onAsked={(accepted, question) => {
                drafts.write(ASKED, { jobId: accepted.id, question });
                show(accepted.id);
              }}
            />
          </div>
        </section>
        {about !== null && place !== null && (
          <DocumentPane name={about} file={upload.file} location={place} onClose={hidePages} />
        )}
      </div>
    </>
  );
}
