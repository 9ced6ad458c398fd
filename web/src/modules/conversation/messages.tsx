import { useEffect, useRef, type ReactNode } from 'react';
import type { ToolRun } from '../submission/results/use-tool-run';
import { Message, type ConversationMessage } from './message';
import type { CitedLocation } from './page-links';
import { PendingAnswer, type PendingQuestion } from './pending-answer';

interface MessagesProps<M extends ConversationMessage> {
  messages: readonly M[];
  assistant: string;
  /** Shown while there are no messages. */
  empty: ReactNode;
  pending: PendingQuestion | null;
  run: ToolRun;
  onOpenPage: (location: CitedLocation) => void;
  /** Renders the actions on an answer. */
  actions?: (message: M) => ReactNode;
}

/** If the list is scrolled to within this many pixels of its end, it keeps scrolling with a streamed answer. */
const FOLLOW_DISTANCE = 120;

export function Messages<M extends ConversationMessage>({
  messages,
  assistant,
  empty,
  pending,
  run,
  onOpenPage,
  actions,
}: MessagesProps<M>) {
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
        empty
      ) : (
        <ol className="mx-auto grid max-w-3xl grid-cols-1 gap-8">
          {messages.map((message, index) => (
            <Message
              key={index}
              message={message}
              assistant={assistant}
              onOpenPage={onOpenPage}
              actions={message.role === 'assistant' && actions?.(message)}
            />
          ))}
          {pending !== null && (
            <PendingAnswer pending={pending} assistant={assistant} run={run} onOpenPage={onOpenPage} />
          )}
        </ol>
      )}
    </div>
  );
}
