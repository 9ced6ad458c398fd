import { useRef, useState, type ChangeEvent, type ClipboardEvent, type DragEvent } from 'react';
import type { FileKind } from '#libs/contract/limits.js';
import { acceptOf, withDetectedType } from '../../../shared/lib/check-file';

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
  const pick = async (list: FileList | null) => {
    if (disabled) return;
    // Before the first `await`, because browsers empty the list afterwards.
    const files = await Promise.all([...(list ?? [])].map(withDetectedType));
    if (onPickMany && files.length > 1) onPickMany(files);
    else if (files[0]) onPick(files[0]);
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
        void pick(event.dataTransfer.files);
      },
      onPaste: ({ clipboardData }: ClipboardEvent) => void pick(clipboardData.files),
    },
    inputProps: {
      ref: input,
      type: 'file',
      accept: acceptOf(kind),
      multiple: onPickMany !== undefined,
      disabled,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        void pick(currentTarget.files);
        // Browsers don't fire `change` if the same file is chosen again, unless the value is cleared.
        currentTarget.value = '';
      },
    },
  };
}
