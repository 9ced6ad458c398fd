import { useId, useState } from 'react';
import clsx from 'clsx';
import { FilePen, FileText, Trash2 } from 'lucide-react';
import { NOTEBOOK_NAME_MAX_CHARACTERS } from '#libs/contract/notebooks.js';
import type { PdfChatSummary } from '#libs/contract/pdf-chats.js';
import { Button } from '../../../shared/ui/button';
import { MenuItem } from '../../../shared/ui/menu';
import { NameDialog } from '../../../shared/ui/name-dialog';
import { RowMenu } from '../../../shared/ui/row-menu';
import { Spinner } from '../../../shared/ui/spinner';
import type { PdfChat } from './use-pdf-chat';

interface ChatHistoryProps {
  chat: PdfChat;
  onOpen: (fileName: string) => void;
}

export function ChatHistory({ chat, onOpen }: ChatHistoryProps) {
  const { documents, listFailed, fileName: openFileName, waiting } = chat;
  const id = useId();
  const [renamed, setRenamed] = useState<PdfChatSummary | null>(null);
  return (
    <section aria-labelledby={id}>
      <header className="flex min-h-9 items-center justify-between gap-3">
        <h2 id={id} className="text-lg">
          Chat History
        </h2>
        {documents !== undefined && documents.length > 0 && (
          <Button size="small" variant="quiet" onClick={chat.clearAll} disabled={waiting}>
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
          {documents.map((document) => (
            <li key={document.notebookId} className="flex items-center border-b border-line">
              <button
                type="button"
                disabled={waiting}
                aria-current={document.fileName === openFileName || undefined}
                onClick={() => onOpen(document.fileName)}
                className={clsx(
                  'flex min-w-0 flex-1 items-center gap-2.5 px-2 py-2.5 text-left text-sm outline-offset-[-2px] enabled:hover:bg-tint',
                  document.fileName === openFileName ? 'bg-tint font-semibold' : 'text-quiet',
                )}
              >
                <FileText
                  aria-hidden="true"
                  className={clsx('size-4 shrink-0', document.fileName === openFileName && 'text-live')}
                />
                <bdi className="truncate" title={document.fileName}>
                  {document.fileName}
                </bdi>
              </button>
              {!waiting && (
                <RowMenu label={`Actions for ${document.fileName}`}>
                  <MenuItem onSelect={() => setRenamed(document)}>
                    <FilePen aria-hidden="true" className="size-4" />
                    Rename
                  </MenuItem>
                  <MenuItem onSelect={() => chat.deleteChat(document)}>
                    <Trash2 aria-hidden="true" className="size-4" />
                    Delete
                  </MenuItem>
                </RowMenu>
              )}
            </li>
          ))}
        </ul>
      )}
      {renamed !== null && (
        <NameDialog
          title="Rename the chat"
          label="Name"
          name={renamed.fileName}
          maxLength={NOTEBOOK_NAME_MAX_CHARACTERS}
          action="Rename"
          busy={chat.renaming}
          onName={(name) => chat.renameChat(renamed, name, () => setRenamed(null))}
          onClose={() => setRenamed(null)}
        />
      )}
    </section>
  );
}
