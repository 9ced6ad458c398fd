import type { NotebookDocument } from '#libs/contract/notebooks.js';
import { DocumentContent, PdfViewer } from '../../../../modules/conversation/document-content';
import { DocumentSummaryPanel } from '../../../../modules/conversation/document-summary';
import type { PdfLocation } from '../../../../modules/conversation/pdf/use-pdf';
import { useDocumentFile, useDocumentText, useReadDocumentWords } from '../api/document-calls';
import { TextView } from './text-view';

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
  return (
    <DocumentContent query={hasPdf ? file : text}>
      {hasPdf
        ? file.data && <PdfViewer file={file.data} name={name} location={location} readWords={readWords} />
        : text.data && <TextView name={name} kind={kind} pages={text.data} location={location} />}
    </DocumentContent>
  );
}
