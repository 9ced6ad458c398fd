import { useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import toast from 'react-hot-toast';
import { z } from 'zod';
import { isEnded } from '#libs/contract/jobs.js';
import { pdfChatMessageSchema } from '#libs/contract/pdf-chats.js';
import { useClearPdfChats, usePdfChats } from '../../../api/pdf-chats';
import { queryKeys } from '../../../api/query-keys';
import { useFileChoice } from '../../../components/files/use-file-choice';
import { PageHeading } from '../../../components/page-heading';
import { PremiumBadge } from '../../../components/premium-badge';
import { PremiumNeeded } from '../../../components/premium-needed';
import { EngineNote } from '../../../components/proof/engine-note';
import { useToolRun } from '../../../components/proof/use-tool-run';
import { chatCache } from '../../../session/chat-cache';
import { drafts } from '../../../session/drafts';
import { Messages } from './messages';
import { QuestionBox } from './question-box';
import { ChatSidebar } from './sidebar';
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
  const { fileName, messages, open, take } = useConversation();
  const waiting = run.id !== null && (run.view === null || !isEnded(run.view.job.status));

  // On load: the document that the address names, else the last selected one, if it is still in the list.
  const wanted = useRef(parameters.get('file') ?? chatCache.readSelected());
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
    take(answer.data.fileName, answer.data.chatHistory);
    choose(null);
    show(null);
    void queries.invalidateQueries({ queryKey: queryKeys.pdfChats });
  }, [job, take, choose, show, queries]);

  const asked = askedSchema.safeParse(drafts.read(ASKED)).data;
  const pending =
    run.id === null || job?.status === 'succeeded'
      ? null
      : { question: asked?.jobId === run.id ? asked.question : (job?.title ?? ''), view: run.view };

  const clearAll = () =>
    clear.mutate(undefined, {
      onSuccess: () => {
        chatCache.forgetAll();
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
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-10">
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
          loading={documents.isPending}
          active={upload.file === null ? fileName : null}
          onOpen={(name) => {
            choose(null);
            show(null);
            open(name);
          }}
          onClearAll={clearAll}
          clearing={clear.isPending}
          disabled={waiting}
        />
        <section
          ref={run.place}
          aria-label="Conversation"
          className="sheet flex h-[calc(100dvh-8rem)] min-h-[30rem] scroll-mt-20 flex-col overflow-hidden"
        >
          <p className="flex flex-wrap gap-x-4 gap-y-1 border-b border-line px-4 py-3 text-sm text-quiet sm:px-6">
            {run.engine !== undefined && <EngineNote engine={run.engine} made={false} />}
            <span>{run.cost}</span>
          </p>
          <Messages
            messages={upload.file === null ? messages : []}
            about={upload.file?.name ?? fileName}
            pending={pending}
            run={run}
          />
          <div className="grid gap-3 border-t border-line p-3 sm:p-4">
            <PremiumNeeded />
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
      </div>
    </>
  );
}
