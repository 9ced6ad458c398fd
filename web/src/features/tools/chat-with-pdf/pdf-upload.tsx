import { useId } from 'react';
import { FileText, FileUp, X } from 'lucide-react';
import toast from 'react-hot-toast';
import { sizeHint } from '#libs/contract/limits.js';
import { checkFile, formatBytes } from '../../../shared/lib/check-file';
import { IconButton } from '../../../shared/ui/icon-button';
import { DropArea } from '../../../modules/submission/files/drop-area';
import type { FileChoice } from '../../../modules/submission/files/use-file-choice';
import { useFilePicker } from '../../../modules/submission/files/use-file-picker';

interface PdfUploadProps {
  upload: FileChoice;
  documentName: string | null;
  disabled: boolean;
  onChoose: (file: File) => void;
  onRemove: () => void;
}

export function PdfUpload({ upload, documentName, disabled, onChoose, onRemove }: PdfUploadProps) {
  const { kind, file, problem } = upload;
  const id = useId();
  const choose = (picked: File) => {
    const error = checkFile(kind, picked);
    if (error === null) return onChoose(picked);
    toast.error(picked.type === 'application/pdf' ? error : 'Please upload a valid PDF file');
    upload.reject(error);
  };
  const picker = useFilePicker({ kind, disabled, onPick: choose });
  return (
    <div className="grid gap-3">
      <div {...picker.areaProps}>
        <input
          {...picker.inputProps}
          id={id}
          className="peer sr-only"
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-error`}
        />
        <DropArea inputId={id} dragging={picker.dragging} invalid={problem !== null} className="min-h-36 p-5">
          <span className="grid justify-items-center gap-1.5">
            <FileUp aria-hidden="true" className="size-6 text-quiet" strokeWidth={1.5} />
            <span className="font-semibold">
              {picker.dragging ? 'Drop your PDF here' : 'Click or drag PDF to upload'}
            </span>
            <span className="text-sm text-quiet">Supports PDF files up to {sizeHint('pdf')}</span>
          </span>
        </DropArea>
      </div>
      {problem !== null && (
        <p id={`${id}-error`} role="alert" className="text-sm font-medium text-danger">
          {problem}
        </p>
      )}
      {documentName !== null && (
        <p className="flex items-center gap-2 rounded-control bg-sunken py-1 pr-1 pl-3 text-sm">
          <FileText aria-hidden="true" className="size-4 shrink-0 text-quiet" />
          <span className="min-w-0 flex-1 truncate" title={documentName}>
            {documentName}
          </span>
          {file !== null && <span className="font-mono text-xs text-quiet">{formatBytes(file.size)}</span>}
          <IconButton
            label={`Remove ${documentName}`}
            icon={X}
            disabled={disabled}
            onClick={() => {
              onRemove();
              picker.focus();
            }}
          />
        </p>
      )}
    </div>
  );
}
