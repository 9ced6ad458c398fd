import { useId } from 'react';
import clsx from 'clsx';
import { FileText } from 'lucide-react';
import { Button } from '../../../shared/ui/button';
import { Spinner } from '../../../shared/ui/spinner';
import type { PdfChat } from './use-pdf-chat';

interface ChatHistoryProps {
  chat: PdfChat;
  onOpen: (fileName: string) => void;
}

export function ChatHistory({ chat, onOpen }: ChatHistoryProps) {
  const { documents, listFailed, fileName: openFileName, waiting } = chat;
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <header className="flex min-h-9 items-center justify-between gap-3">
        <h2 id={id} className="text-lg">
          Chat History
        </h2>
        {documents !== undefined && documents.length > 0 && (
          <Button
            size="small"
            variant="quiet"
            onClick={chat.clearAll}
            busy={chat.clearing}
            disabled={waiting}
          >
            Clear all
          </Button>
        )}
      </header>
      {documents === undefined && listFailed ? (
        <div className="mt-3 grid justify-items-start gap-3 text-sm text-quiet">
          <p>Your chats could not be loaded. They are safe, and you can start a new one.</p>
          <Button size="small" onClick={chat.reloadList}>
            Try again
          </Button>
        </div>
      ) : documents === undefined ? (
        <p role="status" className="mt-3 flex items-center gap-2 text-sm text-quiet">
          <Spinner />
          Loading your chats
        </p>
      ) : documents.length === 0 ? (
        <p className="mt-3 text-sm text-quiet">No previous chats found</p>
      ) : (
        <ul className="mt-2 max-h-60 overflow-y-auto border-t border-line">
          {documents.map(({ id: key, fileName }) => (
            <li key={key} className="border-b border-line">
              <button
                type="button"
                disabled={waiting}
                aria-current={fileName === openFileName || undefined}
                onClick={() => onOpen(fileName)}
                className={clsx(
                  'flex w-full items-center gap-2.5 px-2 py-2.5 text-left text-sm outline-offset-[-2px] enabled:hover:bg-tint',
                  fileName === openFileName ? 'bg-tint font-semibold' : 'text-quiet',
                )}
              >
                <FileText
                  aria-hidden="true"
                  className={clsx('size-4 shrink-0', fileName === openFileName && 'text-live')}
                />
                <span className="truncate" title={fileName}>
                  {fileName}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
