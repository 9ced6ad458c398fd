import { useRef, useState, type ChangeEvent, type ClipboardEvent, type DragEvent } from 'react';
import type { FileKind } from '#libs/contract/limits.js';
import { acceptOf } from '../../../shared/lib/check-file';

interface FilePickerOptions {
  kind: FileKind;
  disabled?: boolean;
  onPick: (file: File) => void;
  /** Called with several files at once. Without it, `onPick` gets the first file and the others are ignored. */
  onPickMany?: (files: File[]) => void;
}

export type FilePicker = ReturnType<typeof useFilePicker>;

/**
 * Makes a file input accept dropped and pasted files: spread `inputProps` on the input and `areaProps` on the element
 * around it. react-dropzone would add 6 kB and replace the input's native click and keyboard handling.
 */
export function useFilePicker({ kind, disabled = false, onPick, onPickMany }: FilePickerOptions) {
  const input = useRef<HTMLInputElement>(null);
  const [dragging, setDragging] = useState(false);
  const pick = (files: FileList | null) => {
    const file = files?.[0];
    if (file === undefined || disabled) return;
    if (onPickMany && files!.length > 1) onPickMany([...files!]);
    else onPick(file);
  };
  return {
    dragging,
    open: () => input.current?.click(),
    focus: () => input.current?.focus(),
    areaProps: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault();
        setDragging(true);
      },
      onDragLeave: () => setDragging(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setDragging(false);
        pick(event.dataTransfer.files);
      },
      onPaste: ({ clipboardData }: ClipboardEvent) => pick(clipboardData.files),
    },
    inputProps: {
      ref: input,
      type: 'file',
      accept: acceptOf(kind),
      multiple: onPickMany !== undefined,
      disabled,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        pick(currentTarget.files);
        // Browsers don't fire `change` if the same file is chosen again, unless the value is cleared.
        currentTarget.value = '';
      },
    },
  };
}
