import { useState } from 'react';
import { NotebookText, Pin, Trash2 } from 'lucide-react';
import toast from 'react-hot-toast';
import type { NotebookMessage } from '#libs/contract/notebooks.js';
import { QUESTION_MAX_CHARACTERS } from '#libs/tools/ask-notebook/contract.js';
import { Messages } from '../../../../modules/conversation/messages';
import type { CitedLocation } from '../../../../modules/conversation/page-links';
import { QuestionField } from '../../../../modules/conversation/question-field';
import { PremiumNotice } from '../../../../modules/runs/jobs/premium-notice';
import { SubmissionProblem } from '../../../../modules/runs/jobs/submission-problem';
import { EngineNote, NoServiceHint } from '../../../../modules/submission/results/engine-note';
import { formatCount } from '../../../../shared/lib/format';
import { Button } from '../../../../shared/ui/button';
import { CopyButton } from '../../../../shared/ui/copy-button';
import { CornerMarks } from '../../../../shared/ui/corner-marks';
import { Dialog } from '../../../../shared/ui/dialog';
import { IconButton } from '../../../../shared/ui/icon-button';
import { Notice } from '../../../../shared/ui/notice';
import { Loading } from '../../../../shared/ui/spinner';
import { useAddNote } from '../api/note-calls';
import type { NotebookChat } from './use-notebook-chat';
import { clipboardHtml } from '../../../../modules/text-editor/export/clipboard-html';

interface ConversationPaneProps {
  notebookId: string;
  chat: NotebookChat;
  /** Number of documents that have been read. */
  documents: number;
  onOpenPage: (location: CitedLocation) => void;
  onClear: () => void;
}

export function ConversationPane(props: ConversationPaneProps) {
  const { notebookId, chat, documents, onOpenPage, onClear } = props;
  const { run, messages, pending, refreshFailure, searched, problem } = chat;
  const { engine } = run;
  const keep = useKeepAsNote(notebookId);
  const [clearing, setClearing] = useState(false);
  const list = messages.data;
  return (
    <section ref={run.paneRef} aria-label="Conversation" className="flex min-h-0 flex-1 flex-col">
      <h2 className="sr-only">Conversation</h2>
      <div className="flex min-h-12 items-center justify-between gap-x-4 border-b border-line py-1.5 pr-2 pl-4 text-sm text-quiet">
        {engine !== undefined && <EngineNote engine={engine} past={false} />}
        {list !== undefined && list.length > 0 && (
          <IconButton
            label="Clear the conversation"
            icon={Trash2}
            disabled={chat.waiting}
            onClick={() => setClearing(true)}
          />
        )}
      </div>
      {list === undefined ? (
        <div className="min-h-0 flex-1 p-4">
          {messages.failureReason === null ? (
            <Loading label="Loading the conversation" />
          ) : (
            <Notice
              tone="danger"
              title="The conversation could not be loaded"
              onRetry={() => messages.refetch()}
            >
              {messages.failureReason.message}
            </Notice>
          )}
        </div>
      ) : (
        <Messages
          messages={list}
          assistant="Notebook"
          empty={<Empty documents={documents} engine={engine} />}
          pending={pending}
          run={run}
          onOpenPage={onOpenPage}
          actions={(message) => (
            <AnswerActions message={message} isKeeping={keep.keepingId === message.id} onKeep={keep.keep} />
          )}
        />
      )}
      <div className="grid gap-2 border-t border-line p-3">
        <PremiumNotice />
        {list !== undefined && refreshFailure !== null && (
          <Notice
            tone="danger"
            title="The conversation could not be refreshed"
            onRetry={() => messages.refetch()}
          >
            {refreshFailure.message}
          </Notice>
        )}
        {problem !== null && <SubmissionProblem error={problem} onRetry={chat.retry} />}
        <QuestionField
          question={chat.question}
          maxLength={QUESTION_MAX_CHARACTERS}
          placeholder={
            documents === 0
              ? 'Add a document to ask about it'
              : searched === 0
                ? 'Switch a document on to ask'
                : 'Ask about the documents...'
          }
          disabled={!chat.canAsk}
          busy={chat.waiting}
          waiting={chat.wait > 0}
          onChange={chat.setQuestion}
          onAsk={chat.ask}
        />
        {documents > 0 && (
          <p className="text-xs text-quiet">
            Searches {searched === documents ? '' : `${searched} of `}
            {formatCount(documents, 'document')}
          </p>
        )}
      </div>
      {clearing && (
        <Dialog label="Clear the conversation?" onClose={() => setClearing(false)}>
          <div className="grid gap-5">
            <h2 aria-hidden="true" className="pr-10 text-2xl">
              Clear the conversation?
            </h2>
            <p className="text-quiet">All questions and answers are deleted. Documents and notes stay.</p>
            <div className="flex flex-wrap gap-3">
              <Button onClick={() => setClearing(false)}>Keep it</Button>
              <Button
                variant="danger"
                onClick={() => {
                  setClearing(false);
                  onClear();
                }}
              >
                Clear
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function Empty({ documents, engine }: { documents: number; engine: NotebookChat['run']['engine'] }) {
  return (
    <div className="grid min-h-full place-items-center text-center">
      <CornerMarks />
      <div className="max-w-sm">
        <NotebookText aria-hidden="true" className="mx-auto size-9 text-quiet" strokeWidth={1.25} />
        <p className="mt-4 font-display text-2xl">Ask across your documents</p>
        <p className="mt-3 text-quiet">
          {documents === 0
            ? 'Add documents first. Each answer then cites document and page.'
            : 'Each answer cites document and page, and each citation opens its place.'}
        </p>
        <NoServiceHint engine={engine} does="answers are quotations from the documents" />
      </div>
    </div>
  );
}

interface AnswerActionsProps {
  message: NotebookMessage;
  isKeeping: boolean;
  onKeep: (message: NotebookMessage) => void;
}

const AnswerActions = ({ message, isKeeping, onKeep }: AnswerActionsProps) => (
  <div className="mt-3 flex flex-wrap gap-2">
    <Button size="small" busy={isKeeping} onClick={() => onKeep(message)}>
      <Pin aria-hidden="true" className="size-4" />
      Keep as note
    </Button>
    <CopyButton
      toHtml={clipboardHtml}
      text={message.content}
      copied="Copied to clipboard!"
      failed="Failed to copy"
    />
  </div>
);

function useKeepAsNote(notebookId: string) {
  const add = useAddNote(notebookId);
  return {
    keepingId: add.isPending ? add.variables.messageId : undefined,
    keep: ({ id }: NotebookMessage) =>
      add.mutate(
        { messageId: id },
        {
          onSuccess: () => toast.success('Kept as a note'),
          onError: ({ message }) => toast.error(message),
        },
      ),
  };
}
