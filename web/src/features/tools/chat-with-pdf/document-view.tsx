import { lazy, Suspense, type ReactNode } from 'react';
import { usePdfFile, useReadPdfWords } from '../../../modules/creations/api/pdf-chats';
import type { PdfLocation } from '../../../modules/conversation/pdf/use-pdf';
import { Notice } from '../../../shared/ui/notice';
import { Loading } from '../../../shared/ui/spinner';

const PdfViewer = lazy(() => import('../../../modules/conversation/pdf/pdf-viewer'));

interface DocumentViewProps {
  name: string;
  /** The PDF; null if this browser doesn't have the file, which is then fetched from the server. */
  file: File | null;
  location: PdfLocation;
}

/** The pages of the open document. */
export function DocumentView({ name, file, location }: DocumentViewProps) {
  const fetched = usePdfFile(name, file === null);
  const readWords = useReadPdfWords(name);
  const document = file ?? fetched.data;
  if (document === null)
    return (
      <Message>
        <Notice tone="note" title="Only the text of this document is stored">
          Upload it again to see its pages. The conversation continues.
        </Notice>
      </Message>
    );
  if (document !== undefined)
    return (
      <Suspense fallback={<Loading label="Loading the document" />}>
        <PdfViewer file={document} name={name} location={location} readWords={readWords} />
      </Suspense>
    );
  if (fetched.failureReason === null) return <Loading label="Loading the document" />;
  return (
    <Message>
      <Notice tone="danger" title="The document could not be loaded" onRetry={() => fetched.refetch()}>
        {fetched.failureReason.message}
      </Notice>
    </Message>
  );
}

const Message = ({ children }: { children: ReactNode }) => <div className="p-4">{children}</div>;
