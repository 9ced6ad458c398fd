import { Paperclip } from 'lucide-react';
import toast from 'react-hot-toast';
import type { PdfAttachment } from '#libs/contract/pdf-details.js';
import { useReadPdfAttachment } from '../../../modules/creations/api/pdf-chats';
import { formatBytes } from '../../../shared/lib/check-file';
import { Button } from '../../../shared/ui/button';

interface AttachmentsProps {
  fileName: string;
  attachments: readonly PdfAttachment[];
  /** True while an answer is being written. */
  waiting: boolean;
  /** Opens an attached PDF as a document of its own. */
  onOpen: (file: File) => void;
}

/** Files within a PDF. Those that are PDFs can be opened. */
export function Attachments({ fileName, attachments, waiting, onOpen }: AttachmentsProps) {
  const read = useReadPdfAttachment(fileName);
  const open = (name: string) =>
    read.mutate(name, { onSuccess: onOpen, onError: (error) => toast.error(error.message) });
  return (
    <details className="border-b border-line text-sm">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-4 font-semibold hover:bg-tint">
        <Paperclip aria-hidden="true" className="size-4 text-quiet" />
        {attachments.length === 1 ? '1 attachment' : `${attachments.length} attachments`}
      </summary>
      <ul aria-label="Attachments" className="max-h-48 overflow-y-auto border-t border-line px-4 py-1">
        {attachments.map(({ name, size, isPdf }) => (
          <li key={name} className="flex min-h-10 items-center gap-3">
            <bdi className="min-w-0 flex-1 truncate" title={name}>
              {name}
            </bdi>
            <span className="font-mono text-xs whitespace-nowrap text-quiet">{formatBytes(size)}</span>
            {isPdf && (
              <Button
                size="small"
                aria-label={`Open ${name}`}
                disabled={waiting}
                busy={read.isPending && read.variables === name}
                onClick={() => open(name)}
              >
                Open
              </Button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
