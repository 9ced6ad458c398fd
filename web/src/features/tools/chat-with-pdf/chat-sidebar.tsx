import { useId, useRef, useState } from 'react';
import clsx from 'clsx';
import { ChevronDown, FileText, FileUp, X } from 'lucide-react';
import toast from 'react-hot-toast';
import type { PdfChatSummary } from '#libs/contract/pdf-chats.js';
import { Button } from '../../../shared/ui/button';
import { acceptOf, checkFile, formatBytes } from '../../../shared/files/check-file';
import type { FileChoice } from '../../../shared/files/use-file-choice';
import { Spinner } from '../../../shared/ui/spinner';

interface ChatSidebarProps {
  upload: FileChoice;
  onChoose: (file: File | null) => void;
  /** The documents with a conversation; undefined while they are on their way. */
  documents: readonly PdfChatSummary[] | undefined;
  /** Whether the last reading of them failed. */
  failed: boolean;
  onReload: () => void;
  /** The name of the open document. */
  active: string | null;
  /** Opens a document, or closes the open one. */
  onOpen: (fileName: string | null) => void;
  onClearAll: () => void;
  clearing: boolean;
  /** While an answer is on its way, the document stays. */
  disabled: boolean;
  /** Whether a conversation is about to be shown: on a small screen it then comes first. */
  folded: boolean;
}

/** The upload area and the documents so far; on small screens folded away by hand and once a document is chosen. */
export function ChatSidebar({ folded, onChoose, onOpen, ...rest }: ChatSidebarProps) {
  const { upload, active } = rest;
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const [unfolded, setUnfolded] = useState(!folded);
  // A file that was refused is to be chosen anew, and here is why.
  const open = unfolded || upload.problem !== null;
  const chosen = upload.file?.name ?? active;
  /** Makes room for the conversation; the focus stays in view. On a wide screen nothing folds. */
  const fold = () => {
    setUnfolded(false);
    toggle.current?.focus();
  };
  const props = {
    ...rest,
    onChoose: (file: File | null) => {
      onChoose(file);
      if (file !== null) fold();
    },
    onOpen: (fileName: string | null) => {
      onOpen(fileName);
      if (fileName !== null) fold();
    },
  };
  return (
    <div className="min-w-0">
      <button
        ref={toggle}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setUnfolded(!unfolded)}
        className="flex min-h-11 w-full items-center justify-between gap-3 rounded-control border border-line px-4 text-left font-semibold lg:hidden"
      >
        <span className="truncate">{chosen ?? 'Documents'}</span>
        <ChevronDown
          aria-hidden="true"
          className={clsx('size-5 shrink-0 transition-transform duration-200', open && 'rotate-180')}
        />
      </button>
      <div id={id} className={clsx('grid gap-8 pt-4 lg:grid lg:pt-0', !open && 'hidden')}>
        <Upload {...props} />
        <History {...props} />
      </div>
    </div>
  );
}

type PanelProps = Omit<ChatSidebarProps, 'folded'>;

function Upload({ upload, onChoose, active, onOpen, disabled }: PanelProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { kind, file, problem } = upload;

  const take = (picked: File | undefined) => {
    if (picked === undefined || disabled) return;
    const refusal = checkFile(kind, picked);
    if (refusal !== null)
      toast.error(picked.type === 'application/pdf' ? refusal : 'Please upload a valid PDF file');
    if (refusal === null) onChoose(picked);
    else upload.reject(refusal);
  };
  const chosen = file?.name ?? active;

  return (
    <div className="grid gap-3">
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files[0]);
        }}
      >
        <input
          ref={input}
          id={id}
          type="file"
          accept={acceptOf(kind)}
          disabled={disabled}
          className="peer sr-only"
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-error`}
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0]);
            // The same file chosen again, after a change on disk, is a choice too.
            currentTarget.value = '';
          }}
        />
        <label
          htmlFor={id}
          className={clsx(
            'grid min-h-36 cursor-pointer place-items-center rounded-control border border-dashed p-5 text-center transition-colors duration-150',
            'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-live',
            over ? 'border-ink bg-tint' : problem !== null ? 'border-danger' : 'border-edge hover:border-ink',
          )}
        >
          <span className="grid justify-items-center gap-1.5">
            <FileUp aria-hidden="true" className="size-6 text-quiet" strokeWidth={1.5} />
            <span className="font-semibold">
              {over ? 'Drop your PDF here' : 'Click or drag PDF to upload'}
            </span>
            <span className="text-sm text-quiet">Supports PDF files up to 5MB</span>
          </span>
        </label>
      </div>
      {problem !== null && (
        <p id={`${id}-error`} role="alert" className="text-sm font-medium text-danger">
          {problem}
        </p>
      )}
      {chosen !== null && (
        <p className="flex items-center gap-2 rounded-control bg-sunken py-1 pr-1 pl-3 text-sm">
          <FileText aria-hidden="true" className="size-4 shrink-0 text-quiet" />
          <span className="min-w-0 flex-1 truncate" title={chosen}>
            {chosen}
          </span>
          {file !== null && <span className="font-mono text-xs text-quiet">{formatBytes(file.size)}</span>}
          <button
            type="button"
            disabled={disabled}
            aria-label={`Remove ${chosen}`}
            onClick={() => {
              if (file === null) onOpen(null);
              else onChoose(null);
              input.current?.focus();
            }}
            className="grid size-9 shrink-0 place-items-center rounded-control text-quiet enabled:hover:bg-tint enabled:hover:text-ink"
          >
            <X aria-hidden="true" className="size-4" />
          </button>
        </p>
      )}
    </div>
  );
}

function History({
  documents,
  failed,
  onReload,
  active,
  onOpen,
  onClearAll,
  clearing,
  disabled,
}: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <header className="flex min-h-9 items-center justify-between gap-3">
        <h2 id={id} className="text-lg">
          Chat History
        </h2>
        {documents !== undefined && documents.length > 0 && (
          <Button size="small" variant="quiet" onClick={onClearAll} busy={clearing} disabled={disabled}>
            Clear all
          </Button>
        )}
      </header>
      {documents === undefined && failed ? (
        <div className="mt-3 grid justify-items-start gap-3 text-sm text-quiet">
          <p>
            Your chats could not be loaded. They are safe, and a new document can be asked about meanwhile.
          </p>
          <Button size="small" onClick={onReload}>
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
                disabled={disabled}
                aria-current={fileName === active || undefined}
                onClick={() => onOpen(fileName)}
                className={clsx(
                  'flex w-full items-center gap-2.5 px-2 py-2.5 text-left text-sm outline-offset-[-2px] enabled:hover:bg-tint',
                  fileName === active ? 'bg-tint font-semibold' : 'text-quiet',
                )}
              >
                <FileText
                  aria-hidden="true"
                  className={clsx('size-4 shrink-0', fileName === active && 'text-live')}
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
