import { useEffect, useRef, useState } from 'react';
import type { Creation } from '#libs/contract/creations.js';
import type { FileKind } from '#libs/contract/limits.js';
import { useAccounts } from '../../../shared/account/accounts';
import { useSource } from '../../creations/use-source';
import { fileDrafts } from '../../../shared/drafts/file-drafts';
import { checkFile } from '../../../shared/lib/check-file';

export interface FileChoice {
  kind: FileKind;
  file: File | null;
  /** The creation whose picture the file is. */
  source: Creation | null;
  /** Whether the picture of a creation is loading. */
  loading: boolean;
  /** Why the client or the server rejected the last file. */
  problem: string | null;
  /** Sets the file if it is valid, or else `problem`; null removes it. */
  choose: (file: File | null) => void;
  /** Sets `problem` to the server's message. */
  reject: (message: string) => void;
}

/** The chosen image as part of a request: the file, or the id of its creation. */
export const imageOf = (
  file: File,
  source: Creation | null,
): { input: { creation?: string }; files: Record<string, Blob> } =>
  source === null ? { input: {}, files: { image: file } } : { input: { creation: source.id }, files: {} };

/**
 * The file of a form, stored across reloads. The URL can name a creation whose image is used until a file is chosen.
 * @param field the name of the stored file
 */
export function useFileChoice(field: string, kind: FileKind): FileChoice {
  const { named, source, loading, problem: sourceProblem, remove } = useSource(kind === 'image');
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = useRef(false);
  // By user, since several users can use this browser.
  const draft = `${useAccounts().user?.id ?? ''}:${field}`;

  useEffect(() => {
    let current = true;
    void fileDrafts.read(draft).then((stored) => {
      if (current && stored !== null && !chosen.current) setFile(stored);
    });
    return () => {
      current = false;
    };
  }, [draft]);

  return {
    kind,
    // Only the picture that the URL names.
    file: named ? (source?.file ?? null) : file,
    source: source?.creation ?? null,
    loading,
    problem: problem ?? sourceProblem,
    choose: (next) => {
      const error = next === null ? null : checkFile(kind, next);
      setProblem(error);
      if (error !== null) return;
      chosen.current = true;
      remove();
      setFile(next);
      void fileDrafts.write(draft, next);
    },
    reject: setProblem,
  };
}
