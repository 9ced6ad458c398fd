import { useEffect, useId, type ReactNode } from 'react';
import clsx from 'clsx';
import { FileText, ImageUp, X } from 'lucide-react';
import { MAX_BATCH_ITEMS } from '#libs/contract/batches.js';
import { useImageUrl } from '../../../shared/lib/use-object-url';
import { Button } from '../../../shared/ui/button';
import { IconButton } from '../../../shared/ui/icon-button';
import { describedBy, FieldFrame } from '../../../shared/ui/field-frame';
import { formatBytes } from '../../../shared/lib/check-file';
import { DropArea } from './drop-area';
import type { FileChoice } from './use-file-choice';
import { useFilePicker, type FilePicker } from './use-file-picker';

interface FileFieldProps {
  label: string;
  hint: string;
  choice: FileChoice;
  onRemove?: () => void;
  /** Called when the user chooses several files at once. */
  onMany?: (files: File[]) => void;
  focusOnMount?: boolean;
  /** Renders a chosen image in place of the plain preview. */
  preview?: (url: string) => ReactNode;
}

/** Form field for a file. The user can choose, drop or paste the file; images get a preview. */
export function FileField({
  label,
  hint,
  choice,
  onRemove,
  onMany,
  focusOnMount = false,
  preview,
}: FileFieldProps) {
  const { kind, problem, choose } = choice;
  const id = useId();
  const picker = useFilePicker({ kind, onPick: choose, onPickMany: onMany });
  useEffect(() => {
    if (focusOnMount) picker.focus();
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const error = problem ?? undefined;
  const inputAttributes = {
    id,
    'aria-invalid': problem !== null || undefined,
    'aria-describedby': describedBy(id, hint, error),
  };
  const remove = () => {
    choose(null);
    onRemove?.();
  };
  const layoutProps = { choice, picker, inputAttributes, onRemove: remove };
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      {kind !== 'image' && kind !== 'mask' ? (
        <Row {...layoutProps} />
      ) : (
        <ImageArea {...layoutProps} preview={preview} />
      )}
    </FieldFrame>
  );
}

interface LayoutProps {
  choice: FileChoice;
  picker: FilePicker;
  inputAttributes: { id: string; 'aria-describedby': string | undefined };
  onRemove: () => void;
}

const selectTexts: Partial<Record<FileChoice['kind'], string>> = {
  pdf: 'Select PDF file',
  resume: 'Select PDF or Word file',
  document: 'Select a document',
};

function Row({ choice: { kind, file, problem }, picker, inputAttributes, onRemove }: LayoutProps) {
  return (
    <div
      {...picker.areaProps}
      className={clsx(
        'flex min-h-16 items-center gap-2 rounded-control border border-dashed py-2 pr-3 transition-colors duration-150',
        problem !== null
          ? 'border-danger'
          : picker.dragging
            ? 'border-ink bg-tint'
            : 'border-edge hover:border-ink',
      )}
    >
      <input {...picker.inputProps} {...inputAttributes} tabIndex={-1} className="sr-only" />
      <label
        htmlFor={inputAttributes.id}
        className="flex min-w-0 flex-1 cursor-pointer items-center gap-3 self-stretch pl-3.5"
      >
        <FileText aria-hidden="true" className="size-5 shrink-0 text-quiet" />
        {file === null ? (
          <span className="text-quiet">{selectTexts[kind]}</span>
        ) : (
          <span className="min-w-0">
            <span className="block truncate font-medium" title={file.name}>
              {file.name}
            </span>
            <span className="block font-mono text-xs text-quiet">{formatBytes(file.size)}</span>
          </span>
        )}
      </label>
      {file !== null && <IconButton label={`Remove ${file.name}`} icon={X} onClick={onRemove} />}
      <Button size="small" aria-describedby={inputAttributes['aria-describedby']} onClick={picker.open}>
        Browse
      </Button>
    </div>
  );
}

function ImageArea({
  choice,
  picker,
  inputAttributes,
  onRemove,
  preview,
}: LayoutProps & Pick<FileFieldProps, 'preview'>) {
  const { file, problem } = choice;
  const { url, canShow } = useImageUrl(file);
  const remove = () => {
    onRemove();
    picker.focus();
  };
  return (
    <div {...picker.areaProps} className="relative">
      <input {...picker.inputProps} {...inputAttributes} className="peer sr-only" />
      {file === null || url === null ? (
        <DropArea
          inputId={inputAttributes.id}
          dragging={picker.dragging}
          invalid={problem !== null}
          className="min-h-44 p-6 text-quiet"
        >
          <span className="grid justify-items-center gap-3">
            <ImageUp aria-hidden="true" className="size-7" strokeWidth={1.5} />
            {choice.loading
              ? 'Loading your picture'
              : picker.dragging
                ? 'Drop your image here'
                : 'Click or drag an image here'}
            {picker.inputProps.multiple && (
              <span className="text-sm">Several at once, up to {MAX_BATCH_ITEMS}, become a batch</span>
            )}
          </span>
        </DropArea>
      ) : (
        <div
          className={clsx(
            'rounded-control border bg-sunken p-2 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-live',
            picker.dragging ? 'border-ink' : 'border-line',
          )}
        >
          {canShow ? (
            (preview?.(url) ?? (
              <img src={url} alt="Preview" className="mx-auto max-h-80 rounded-[4px] object-contain" />
            ))
          ) : (
            <p className="p-6 text-center text-sm text-quiet">
              Your browser cannot show this picture. The server reads it.
            </p>
          )}
          <div className="flex items-center gap-2 pt-2 pl-1.5">
            <p className="min-w-0 flex-1 truncate text-sm" title={file.name}>
              {file.name} <span className="font-mono text-xs text-quiet">{formatBytes(file.size)}</span>
            </p>
            <IconButton label="Remove image" icon={X} onClick={remove} />
          </div>
        </div>
      )}
    </div>
  );
}
