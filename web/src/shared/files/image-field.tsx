import { useId, useRef, useState, type ReactNode } from 'react';
import clsx from 'clsx';
import { ImageUp, X } from 'lucide-react';
import { describedBy, FieldFrame } from '../ui/field-frame';
import { acceptOf, formatBytes } from './check-file';
import type { FileChoice } from './use-file-choice';
import { useObjectUrl } from '../lib/use-object-url';

interface ImageFieldProps {
  label: string;
  hint: string;
  choice: FileChoice;
  /** Called when the preview was removed. */
  onRemove: () => void;
  /** Shows the chosen image in place of the plain preview. */
  preview?: (url: string) => ReactNode;
}

/** An image, browsed for or dropped, and shown once it is chosen. */
export function ImageField({ label, hint, choice, onRemove, preview }: ImageFieldProps) {
  const { kind, file, problem, choose } = choice;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const url = useObjectUrl(file);
  const error = problem ?? undefined;
  const remove = () => {
    choose(null);
    onRemove();
    input.current?.focus();
  };
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div
        className="relative"
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
      >
        <input
          ref={input}
          id={id}
          type="file"
          accept={acceptOf(kind)}
          className="peer sr-only"
          aria-invalid={problem !== null || undefined}
          aria-describedby={describedBy(id, hint, error)}
          onChange={({ currentTarget }) => {
            const [picked] = currentTarget.files ?? [];
            if (picked !== undefined) choose(picked);
            // The same file chosen again, after a change on disk, is a choice too.
            currentTarget.value = '';
          }}
        />
        {file === null || url === null ? (
          <label
            htmlFor={id}
            className={clsx(
              'grid min-h-44 cursor-pointer place-items-center rounded-control border border-dashed p-6 text-center text-quiet transition-colors duration-150',
              'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-live',
              over
                ? 'border-ink bg-tint'
                : problem !== null
                  ? 'border-danger'
                  : 'border-edge hover:border-ink',
            )}
          >
            <span className="grid justify-items-center gap-3">
              <ImageUp aria-hidden="true" className="size-7" strokeWidth={1.5} />
              {over ? 'Drop your image here' : 'Click or drag an image here'}
            </span>
          </label>
        ) : (
          <div
            className={clsx(
              'rounded-control border bg-sunken p-2 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-live',
              over ? 'border-ink' : 'border-line',
            )}
          >
            {preview?.(url) ?? (
              <img src={url} alt="Preview" className="mx-auto max-h-80 rounded-[4px] object-contain" />
            )}
            <div className="flex items-center gap-2 pt-2 pl-1.5">
              <p className="min-w-0 flex-1 truncate text-sm" title={file.name}>
                {file.name} <span className="font-mono text-xs text-quiet">{formatBytes(file.size)}</span>
              </p>
              <button
                type="button"
                onClick={remove}
                aria-label="Remove the image"
                className="grid size-9 shrink-0 place-items-center rounded-control text-quiet hover:bg-tint hover:text-ink"
              >
                <X aria-hidden="true" className="size-4" />
              </button>
            </div>
          </div>
        )}
      </div>
    </FieldFrame>
  );
}
