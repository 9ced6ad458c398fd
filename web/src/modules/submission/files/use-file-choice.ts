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
  /** The creation that `file` is the image of; null if the user chose the file. */
  source: Creation | null;
  /** True while the image of a creation is loading. */
  loading: boolean;
  /** Error message of the last file if the client or the server rejected it. */
  problem: string | null;
  /** Sets the file if it is valid, otherwise removes the one before and sets `problem`. Null removes the file. */
  choose: (file: File | null) => void;
  /** Sets `problem` after the server rejected the file. */
  reject: (message: string) => void;
}

/** Parts of a request for the chosen image: the ID of its creation as input, or else the file. */
export const imageOf = (
  file: File,
  source: Creation | null,
): { input: { creation?: string }; files: Record<string, Blob> } =>
  source === null ? { input: {}, files: { image: file } } : { input: { creation: source.id }, files: {} };

/**
 * The chosen file of a form, stored across reloads. If the URL names a creation, its image is used until the user chooses a
 * file.
 * @param field name under which the file is stored
 */
export function useFileChoice(field: string, kind: FileKind): FileChoice {
  const { named, source, loading, problem: sourceProblem, remove } = useSource(kind === 'image');
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = useRef(false);
  const draft = useDraftName(field);

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
    // If the URL names a creation, don't fall back to the stored file while its image is loading.
    file: named ? (source?.file ?? null) : file,
    source: source?.creation ?? null,
    loading,
    problem: problem ?? sourceProblem,
    choose: (next) => {
      const error = next === null ? null : checkFile(kind, next);
      // The file before a refused one is not kept: the form would send it in place of the one that the user meant.
      const accepted = error === null ? next : null;
      setProblem(error);
      chosen.current = true;
      remove();
      setFile(accepted);
      void fileDrafts.write(draft, accepted);
    },
    reject: setProblem,
  };
}

/** Reads the file that was last chosen in a form, as {@link useFileChoice} stores it. */
export function useStoredFile(field: string): () => Promise<File | null> {
  const draft = useDraftName(field);
  return () => fileDrafts.read(draft);
}

/** The name includes the user, since several users can share this browser. */
const useDraftName = (field: string) => `${useAccounts().user?.id ?? ''}:${field}`;
