import { useId, useState } from 'react';
import clsx from 'clsx';
import { ClipboardPaste, FileUp } from 'lucide-react';
import toast from 'react-hot-toast';
import {
  MAX_NOTEBOOK_DOCUMENTS,
  NOTEBOOK_NAME_MAX_CHARACTERS,
  type NotebookDocument,
} from '#libs/contract/notebooks.js';
import { PremiumHint } from '../../../../modules/runs/jobs/premium-notice';
import { DropArea } from '../../../../modules/submission/files/drop-area';
import { ScanLanguageField, useScanLanguage } from '../../../../modules/submission/files/scan-language-field';
import { useFilePicker } from '../../../../modules/submission/files/use-file-picker';
import { Button } from '../../../../shared/ui/button';
import { NameDialog } from '../../../../shared/ui/name-dialog';
import { useChangeDocument, useRemoveDocument } from '../api/document-calls';
import { DocumentRow } from './document-row';
import { PasteDialog } from './paste-dialog';
import { ReadingRow, UnreadRow, UploadRow } from './pending-rows';
import { ReplaceDialog } from './replace-dialog';
import { useAddFiles } from './use-add-files';
import { useReadingNotices } from './use-reading-notices';
import type { UploadList } from './use-document-uploads';

interface DocumentsPaneProps {
  notebookId: string;
  /** The documents that the user has not removed. */
  documents: readonly NotebookDocument[];
  uploads: UploadList;
  /** True if documents cannot be added, since the user has not the premium plan. */
  disabled: boolean;
  openId: string | null;
  onOpen: (documentId: string) => void;
  onRemove: (document: NotebookDocument) => void;
}

type Open = { kind: 'paste' } | { kind: 'rename' | 'replace'; document: NotebookDocument } | null;

/** The documents of a notebook and ways to add more. Files can be dropped anywhere on it. */
export function DocumentsPane(props: DocumentsPaneProps) {
  const { notebookId, documents, uploads, disabled, openId, onOpen, onRemove } = props;
  const id = useId();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const change = useChangeDocument(notebookId);
  const { mutate: forget } = useRemoveDocument(notebookId);
  const notices = useReadingNotices(notebookId);
  const scanLanguage = useScanLanguage();
  const failed = ({ message }: Error) => void toast.error(message);

  const current = documents.filter(({ state }) => state === 'ready');
  const reading = documents.filter(({ state }) => state === 'reading');
  const unread = documents.filter(({ state }) => state === 'failed');
  const replaced = documents.filter(({ state }) => state === 'replaced');
  const count = current.length + reading.length + uploads.uploads.length;
  const { language } = scanLanguage;
  const room = MAX_NOTEBOOK_DOCUMENTS - count;
  const { problems, clearProblems, addFiles } = useAddFiles({ disabled, room, language, add: uploads.add });
  const isFull = room <= 0;
  const isClosed = disabled || isFull;
  const picker = useFilePicker({
    kind: 'document',
    onPick: (file) => addFiles([file]),
    onPickMany: addFiles,
  });
  const row = (document: NotebookDocument) => (
    <DocumentRow
      key={document.id}
      document={document}
      notice={notices.get(document.id) ?? document.message}
      isOpen={document.id === openId}
      onOpen={() => onOpen(document.id)}
      onEnable={(enabled) => change.mutate({ documentId: document.id, enabled }, { onError: failed })}
      onRename={() => setOpen({ kind: 'rename', document })}
      onReplace={() => setOpen({ kind: 'replace', document })}
      onRemove={() => onRemove(document)}
    />
  );

  return (
    <>
      <section
        aria-labelledby={`${id}-heading`}
        className={clsx('flex min-h-0 flex-1 flex-col', picker.dragging && 'bg-tint')}
        {...picker.areaProps}
      >
        <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 border-b border-line px-4">
          <h2 id={`${id}-heading`} className="font-sans text-base font-semibold tracking-normal">
            Documents
          </h2>
          <span className="font-mono text-xs text-quiet">
            {count} of {MAX_NOTEBOOK_DOCUMENTS}
          </span>
        </header>
        <div className="grid gap-2 border-b border-line p-3">
          <input
            {...picker.inputProps}
            id={id}
            // Dropped and pasted files are still taken, to say why they are not added.
            disabled={isClosed}
            className="peer sr-only"
            aria-describedby={
              clsx(isClosed && `${id}-closed`, problems.length > 0 && `${id}-problems`) || undefined
            }
          />
          <DropArea inputId={id} dragging={picker.dragging} invalid={problems.length > 0} className="p-3">
            <span className="grid justify-items-center gap-1">
              <FileUp aria-hidden="true" className="size-5 text-quiet" strokeWidth={1.5} />
              <span className="text-sm font-semibold">
                {picker.dragging ? 'Drop the files here' : 'Add files'}
              </span>
              <span className="text-xs text-quiet">PDF, Word, text, Markdown, HTML</span>
            </span>
          </DropArea>
          <Button
            size="small"
            variant="quiet"
            disabled={isClosed}
            aria-describedby={isClosed ? `${id}-closed` : undefined}
            onClick={() => setOpen({ kind: 'paste' })}
          >
            <ClipboardPaste aria-hidden="true" className="size-4" />
            Paste a text
          </Button>
          <PremiumHint id={`${id}-closed`} what="Adding documents" />
          {isFull && !disabled && (
            <p id={`${id}-closed`} role="status" className="text-xs text-quiet">
              The notebook is full: it takes up to {MAX_NOTEBOOK_DOCUMENTS} documents. Remove one to add
              another.
            </p>
          )}
          {problems.length > 0 && (
            <div id={`${id}-problems`} role="alert" className="grid justify-items-start gap-1">
              {problems.map((problem, index) => (
                <p key={index} className="text-xs wrap-anywhere text-danger">
                  {problem}
                </p>
              ))}
              <Button size="small" variant="quiet" onClick={clearProblems}>
                Dismiss
              </Button>
            </div>
          )}
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto">
          <ul aria-label="Documents of this notebook">
            {current.map(row)}
            {uploads.uploads.map((upload) => (
              <UploadRow
                key={upload.id}
                upload={upload}
                onRetry={() => uploads.retry(upload.id)}
                onRemove={() => uploads.remove(upload.id)}
              />
            ))}
            {reading.map((document) => (
              <ReadingRow
                key={document.id}
                document={document}
                onRemove={() => forget(document.id, { onError: failed })}
              />
            ))}
            {unread.map((document) => (
              <UnreadRow
                key={document.id}
                document={document}
                onRemove={() => forget(document.id, { onError: failed })}
              />
            ))}
          </ul>
          {replaced.length > 0 && (
            <details className="border-b border-line">
              <summary className="cursor-pointer px-3 py-2.5 text-sm text-quiet">
                Earlier versions ({replaced.length})
              </summary>
              <ul aria-label="Earlier versions">
                {replaced.map((document) => (
                  <li key={document.id}>
                    <button
                      type="button"
                      onClick={() => onOpen(document.id)}
                      className="w-full px-3 py-2 text-left text-sm hover:bg-tint"
                    >
                      <bdi className="line-clamp-2 wrap-anywhere">{document.name}</bdi>
                      <span className="font-mono text-xs text-quiet">{document.source}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </details>
          )}
          <details className="px-3 py-2 text-sm">
            <summary className="cursor-pointer py-1 text-quiet">Language of scans</summary>
            <div className="pt-2">
              <ScanLanguageField choice={scanLanguage} />
            </div>
          </details>
        </div>
      </section>
      {/* Outside the section, which would also take files that are dropped on a dialog or pasted into it. */}
      {open?.kind === 'paste' && (
        <PasteDialog
          onAdd={(text, name) => {
            uploads.add([{ text, name }]);
            close();
          }}
          onClose={close}
        />
      )}
      {open?.kind === 'rename' && (
        <NameDialog
          title="Rename the document"
          label="Name"
          name={open.document.name}
          maxLength={NOTEBOOK_NAME_MAX_CHARACTERS}
          action="Rename"
          busy={change.isPending}
          onName={(name) => {
            change.mutate({ documentId: open.document.id, name }, { onError: failed });
            close();
          }}
          onClose={close}
        />
      )}
      {open?.kind === 'replace' && (
        <ReplaceDialog
          document={open.document}
          onReplace={(file) => {
            uploads.add([{ file, name: file.name, replaces: open.document.id, language }]);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
