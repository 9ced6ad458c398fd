import { useEffect, useRef } from 'react';
import { FileText } from 'lucide-react';
import type { EngineName } from '#libs/contract/engine.js';
import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { NoServiceHint } from '../submission/results/engine-note';
import type { ToolRun } from '../submission/results/use-tool-run';
import { CornerMarks } from '../../shared/ui/corner-marks';
import { Message } from './message';
import { PendingAnswer, type PendingQuestion } from './pending-answer';
import type { PdfLocation } from './pdf/use-pdf';

interface MessagesProps {
  messages: readonly PdfChatMessage[];
  /** Null if no document is chosen. */
  documentName: string | null;
  pending: PendingQuestion | null;
  run: ToolRun;
  onOpenPage: (location: PdfLocation) => void;
}

/** If the list is scrolled to within this many pixels of its end, it keeps scrolling with a streamed answer. */
const FOLLOW_DISTANCE = 120;

export function Messages({ messages, documentName, pending, run, onOpenPage }: MessagesProps) {
  const list = useRef<HTMLDivElement>(null);
  const text = pending?.view?.text ?? '';

  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages, pending?.question]);
  useEffect(() => {
    const box = list.current;
    if (box !== null && box.scrollHeight - box.scrollTop - box.clientHeight < FOLLOW_DISTANCE)
      box.scrollTo({ top: box.scrollHeight });
  }, [text]);

  return (
    <div
      ref={list}
      role="region"
      aria-label="Messages"
      // Keyboard users must be able to focus a scrollable region.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-y-auto px-4 py-6 outline-offset-[-2px] sm:px-8"
    >
      {messages.length === 0 && pending === null ? (
        <Empty documentName={documentName} engine={run.engine} />
      ) : (
        <ol className="mx-auto grid max-w-3xl gap-8">
          {messages.map((message, index) => (
            <Message key={index} message={message} onOpenPage={onOpenPage} />
          ))}
          {pending !== null && <PendingAnswer pending={pending} run={run} onOpenPage={onOpenPage} />}
        </ol>
      )}
    </div>
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
