import { useState, type RefObject } from 'react';
import toast from 'react-hot-toast';
import { IMPORTED_FILES } from '../import/read-file';
import { importFile } from './import-file';
import type { TextView } from './text-view';
import { keysText } from './toolbar';

const MESSAGE_MS = 8_000;

/** Inserts a file into the text, and says what happened. */
export function useFileImport(text: () => TextView | undefined) {
  const [importing, setImporting] = useState(false);
  const importFiles = async ([file]: FileList) => {
    const view = text();
    if (file === undefined || view === undefined || importing) return;
    setImporting(true);
    const { inserted, message } = await importFile(view, file);
    setImporting(false);
    if (inserted) toast.success(`${message} ${keysText('Mod+Z')} removes it.`, { duration: MESSAGE_MS });
    else toast.error(message, { duration: MESSAGE_MS });
  };
  return { importing, importFiles: (files: FileList) => void importFiles(files) };
}

interface ImportInputProps {
  ref: RefObject<HTMLInputElement | null>;
  onFiles: (files: FileList) => void;
}

export const ImportInput = ({ ref, onFiles }: ImportInputProps) => (
  <input
    ref={ref}
    type="file"
    hidden
    aria-label="Word or Markdown file"
    accept={IMPORTED_FILES}
    onChange={({ currentTarget }) => {
      if (currentTarget.files) onFiles(currentTarget.files);
      // Browsers fire no event if the same file is chosen again, unless the value is cleared.
      currentTarget.value = '';
    }}
  />
);
