import { useId, useRef, useState } from 'react';
import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { ScanLanguageOfFile } from '../../../modules/submission/files/scan-language-field';
import { ChatHistory } from './chat-history';
import { PdfUpload } from './pdf-upload';
import type { PdfChat } from './use-pdf-chat';

/** Upload field and chat history. On small screens, the sidebar is collapsible and collapses when a document is chosen. */
export function ChatSidebar({ chat }: { chat: PdfChat }) {
  const { upload, documentName, startsWithConversation, chooseFile, openDocument } = chat;
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const [expanded, setExpanded] = useState(!startsWithConversation);
  // Stay open after a rejected file, so that the user sees the error.
  const open = expanded || upload.problem !== null;
  const collapse = () => {
    setExpanded(false);
    toggle.current?.focus();
  };
  return (
    <div className="min-w-0">
      <button
        ref={toggle}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setExpanded(!expanded)}
        className="flex min-h-11 w-full items-center justify-between gap-3 rounded-control border border-line px-4 text-left font-semibold lg:hidden"
      >
        <span className="truncate">{documentName ?? 'Documents'}</span>
        <ChevronDown
          aria-hidden="true"
          className={clsx('size-5 shrink-0 transition-transform duration-200', open && 'rotate-180')}
        />
      </button>
      <div id={id} className={clsx('grid gap-8 pt-4 lg:grid lg:pt-0', !open && 'hidden')}>
        <PdfUpload
          upload={upload}
          documentName={documentName}
          disabled={chat.waiting}
          onChoose={(file) => {
            chooseFile(file);
            collapse();
          }}
          onRemove={() => (upload.file === null ? openDocument(null) : chooseFile(null))}
        />
        <ScanLanguageOfFile file={upload.file} choice={chat.scanLanguage} />
        <ChatHistory
          chat={chat}
          onOpen={(fileName) => {
            openDocument(fileName);
            collapse();
          }}
        />
      </div>
    </div>
  );
}
