import type { ComponentProps } from 'react';
import clsx from 'clsx';
import { BookOpen, FileText } from 'lucide-react';
import type { EngineName } from '#libs/contract/engine.js';
import { EngineNote, NoServiceHint } from '../../../modules/submission/results/engine-note';
import { PremiumNotice } from '../../../modules/runs/jobs/premium-notice';
import { Button } from '../../../shared/ui/button';
import { CornerMarks } from '../../../shared/ui/corner-marks';
import { Messages } from '../../../modules/conversation/messages';
import type { PdfLocation } from '../../../modules/conversation/pdf/use-pdf';
import { QuestionBox } from './question-box';
import type { PdfChat } from './use-pdf-chat';

type QuestionBoxRef = ComponentProps<typeof QuestionBox>['ref'];

interface ConversationPaneProps {
  chat: PdfChat;
  /** True if the document is open next to the conversation. */
  documentOpen: boolean;
  onShowPage: (location: PdfLocation) => void;
  questionBox: QuestionBoxRef;
}

export function ConversationPane({ chat, documentOpen, onShowPage, questionBox }: ConversationPaneProps) {
  const { run, upload, documentName, messages, pending } = chat;
  return (
    <section
      ref={run.paneRef}
      aria-label="Conversation"
      // On wide screens, the height leaves room for the page's heading, so that the question box is visible without
      // scrolling.
      className={clsx(
        'panel flex h-[calc(100dvh-8rem-var(--job-tray-height))] min-h-[30rem] flex-col overflow-hidden',
        !documentOpen && 'lg:h-[calc(100dvh-20rem-var(--job-tray-height))]',
      )}
    >
      <h2 className="sr-only">Conversation</h2>
      {/* The minimum height prevents a layout shift when the text loads. */}
      <div className="flex min-h-16 items-center justify-between gap-4 border-b border-line py-1.5 pr-2 pl-4 text-sm text-quiet sm:pl-6 xl:min-h-12">
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          {run.engine !== undefined && <EngineNote engine={run.engine} past={false} />}
          <span>{run.cost}</span>
        </p>
        {documentName !== null && !documentOpen && (
          <Button size="small" variant="quiet" className="min-w-11" onClick={() => onShowPage({ page: 1 })}>
            <BookOpen aria-hidden="true" className="size-4" />
            <span className="max-sm:sr-only">Show pages</span>
          </Button>
        )}
      </div>
      <Messages
        messages={messages}
        assistant="PDF Assistant"
        empty={<Empty documentName={documentName} engine={run.engine} />}
        pending={pending}
        run={run}
        onOpenPage={onShowPage}
      />
      <div className="grid gap-3 border-t border-line p-3 sm:p-4">
        <PremiumNotice />
        <QuestionBox
          ref={questionBox}
          startsNew={chat.same.startsNew}
          upload={upload}
          fileName={chat.fileName}
          history={messages}
          language={chat.scanLanguage.language}
          waiting={chat.waiting}
          onAsked={chat.handleAsked}
        />
      </div>
    </section>
  );
}

function Empty({ documentName, engine }: { documentName: string | null; engine: EngineName | undefined }) {
  return (
    <div className="grid min-h-full place-items-center text-center">
      <CornerMarks />
      <div className="max-w-sm">
        <FileText aria-hidden="true" className="mx-auto size-9 text-quiet" strokeWidth={1.25} />
        <h2 className="mt-4 text-2xl">Chat with your PDF</h2>
        <p className="mt-3 break-words text-quiet">
          {documentName === null
            ? 'Upload a document and ask a question. Each answer cites its pages.'
            : `Ask the first question about ${documentName}.`}
        </p>
        <NoServiceHint engine={engine} does="answers are quotations from the document" />
      </div>
    </div>
  );
}
