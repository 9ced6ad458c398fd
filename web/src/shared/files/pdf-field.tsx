import { useId, useRef, useState } from 'react';
import clsx from 'clsx';
import { FileText, X } from 'lucide-react';
import { Button } from '../ui/button';
import { describedBy, FieldFrame } from '../ui/field-frame';
import { acceptOf, formatBytes } from './check-file';
import type { FileChoice } from './use-file-choice';

interface PdfFieldProps {
  label: string;
  hint: string;
  choice: FileChoice;
}

/** A PDF, browsed for or dropped. */
export function PdfField({ label, hint, choice: { kind, file, problem, choose } }: PdfFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const error = problem ?? undefined;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const [dropped] = event.dataTransfer.files;
          if (dropped !== undefined) choose(dropped);
        }}
        className={clsx(
          'flex min-h-16 items-center gap-2 rounded-control border border-dashed py-2 pr-3 transition-colors duration-150',
          problem !== null ? 'border-danger' : over ? 'border-ink bg-tint' : 'border-edge hover:border-ink',
        )}
      >
        <input
          ref={input}
          id={id}
          type="file"
          accept={acceptOf(kind)}
          tabIndex={-1}
          className="sr-only"
          aria-invalid={problem !== null || undefined}
          aria-describedby={describedBy(id, hint, error)}
          onChange={({ currentTarget }) => {
            const [picked] = currentTarget.files ?? [];
            if (picked !== undefined) choose(picked);
            // The same file chosen again, after a change on disk, is a choice too.
            currentTarget.value = '';
          }}
        />
        <label
          htmlFor={id}
          className="flex min-w-0 flex-1 cursor-pointer items-center gap-3 self-stretch pl-3.5"
        >
          <FileText aria-hidden="true" className="size-5 shrink-0 text-quiet" />
          {file === null ? (
            <span className="text-quiet">Select PDF file</span>
          ) : (
            <span className="min-w-0">
              <span className="block truncate font-medium" title={file.name}>
                {file.name}
              </span>
              <span className="block font-mono text-xs text-quiet">{formatBytes(file.size)}</span>
            </span>
          )}
        </label>
        {file !== null && (
          <button
            type="button"
            onClick={() => choose(null)}
            aria-label={`Remove ${file.name}`}
            className="grid size-9 shrink-0 place-items-center rounded-control text-quiet hover:bg-tint hover:text-ink"
          >
            <X aria-hidden="true" className="size-4" />
          </button>
        )}
        <Button
          size="small"
          aria-describedby={describedBy(id, hint, error)}
          onClick={() => input.current?.click()}
        >
          Browse
        </Button>
      </div>
    </FieldFrame>
  );
}
