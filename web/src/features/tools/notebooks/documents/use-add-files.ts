import { useState } from 'react';
import { MAX_NOTEBOOK_DOCUMENTS } from '#libs/contract/notebooks.js';
import type { ScanLanguage } from '#libs/contract/scans.js';
import { checkFile } from '../../../../shared/lib/check-file';
import type { NewDocument } from './document-uploads';

interface AddFilesOptions {
  /** True if documents cannot be added, since the user has not the premium plan. */
  disabled: boolean;
  /** How many more documents the notebook takes. */
  room: number;
  language: ScanLanguage | undefined;
  add: (documents: readonly NewDocument[]) => void;
}

/** Returns a function that adds the valid ones of the chosen files, and why others were not added. */
export function useAddFiles({ disabled, room, language, add }: AddFilesOptions) {
  const [problems, setProblems] = useState<readonly string[]>([]);
  const addFiles = (files: readonly File[]) => {
    if (disabled) {
      setProblems(['Adding documents is part of the premium plan. Nothing was added.']);
      return;
    }
    const checked = files.map((file) => ({ file, problem: checkFile('document', file) }));
    const valid = checked.filter(({ problem }) => problem === null);
    const left = valid.slice(0, Math.max(0, room));
    const refused = checked.flatMap(({ problem }) => problem ?? []);
    const full = valid.length - left.length;
    if (full > 0)
      refused.push(
        `A notebook takes up to ${MAX_NOTEBOOK_DOCUMENTS} documents. ${full} of the chosen files ${full === 1 ? 'was' : 'were'} not added.`,
      );
    setProblems(refused);
    if (left.length > 0) add(left.map(({ file }) => ({ file, name: file.name, language })));
  };
  return { problems, clearProblems: () => setProblems([]), addFiles };
}
