import { lazy, Suspense } from 'react';
import type { NotebookDocument } from '#libs/contract/notebooks.js';
import { DocumentSummaryPanel } from '../../../../modules/conversation/document-summary';
import type { PdfLocation } from '../../../../modules/conversation/pdf/use-pdf';
import { Notice } from '../../../../shared/ui/notice';
import { Loading } from '../../../../shared/ui/spinner';
import { useDocumentFile, useDocumentText, useReadDocumentWords } from '../api/document-calls';
import { TextView } from './text-view';

const PdfViewer = lazy(() => import('../../../../modules/conversation/pdf/pdf-viewer'));

interface DocumentReaderProps {
  notebookId: string;
  document: NotebookDocument;
  /** Null if the document was opened as a whole. */
  location: PdfLocation | null;
  onAsk: ((question: string) => void) | null;
}

/** A document of a notebook with its summary: the pages of a PDF, or the text of another file. */
export function DocumentReader({ notebookId, document, location, onAsk }: DocumentReaderProps) {
  const { id, name, state } = document;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="border-b border-line px-4 py-2.5">
        <h2 className="font-sans text-sm font-semibold tracking-normal wrap-anywhere">
          <bdi className="line-clamp-2" title={name}>
            {name}
          </bdi>
        </h2>
        {state === 'replaced' && (
          <p className="text-xs text-quiet">An earlier version. New questions search its newer version.</p>
        )}
      </header>
      <DocumentSummaryPanel
        key={`${id} ${location === null}`}
        documentId={id}
        expanded={location === null}
        onAsk={onAsk}
      />
      <Pages key={id} notebookId={notebookId} document={document} location={location} />
    </div>
  );
}

function Pages({ notebookId, document, location }: Omit<DocumentReaderProps, 'onAsk'>) {
  const { id, name, kind, hasFile } = document;
  const showsPdf = kind === 'pdf' && hasFile;
  const file = useDocumentFile(notebookId, id, showsPdf);
  const hasPdf = showsPdf && file.data !== null;
  const text = useDocumentText(notebookId, id, !hasPdf);
  const readWords = useReadDocumentWords(notebookId, id);
  const query = hasPdf ? file : text;
  if (hasPdf && file.data)
    return (
      <Suspense fallback={<Loading label="Loading the document" />}>
        <PdfViewer file={file.data} name={name} location={location} readWords={readWords} />
      </Suspense>
    );
  if (!hasPdf && text.data) return <TextView name={name} kind={kind} pages={text.data} location={location} />;
  if (query.failureReason === null) return <Loading label="Loading the document" />;
  return (
    <div className="p-4">
      <Notice tone="danger" title="The document could not be loaded" onRetry={() => query.refetch()}>
        {query.failureReason.message}
      </Notice>
    </div>
  );
}
