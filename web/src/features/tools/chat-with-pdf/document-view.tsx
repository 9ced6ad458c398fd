import { DocumentContent, PdfViewer } from '../../../modules/conversation/document-content';
import { usePdfFile, useReadPdfWords } from '../../../modules/creations/api/pdf-chats';
import type { PdfLocation } from '../../../modules/conversation/pdf/use-pdf';
import { Notice } from '../../../shared/ui/notice';

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
      <div className="p-4">
        <Notice tone="note" title="Only the text of this document is stored">
          Upload it again to see its pages. The conversation continues.
        </Notice>
      </div>
    );
  return (
    <DocumentContent query={fetched}>
      {document && <PdfViewer file={document} name={name} location={location} readWords={readWords} />}
    </DocumentContent>
  );
}
