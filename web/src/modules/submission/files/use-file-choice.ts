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
  /** The creation that the file is the picture of. */
  source: Creation | null;
  /** Whether the picture of a creation is on its way. */
  loading: boolean;
  /** Why the last file was rejected, by the client or the server. */
  problem: string | null;
  /** Sets the file if it is valid, or else `problem`; null removes it. */
  choose: (file: File | null) => void;
  /** Sets `problem` to the server's message. */
  reject: (message: string) => void;
}

/** A request's part with the chosen image: the file, or the id of the creation that has it. */
export const imageOf = (
  file: File,
  source: Creation | null,
): { input: { creation?: string }; files: Record<string, Blob> } =>
  source === null ? { input: {}, files: { image: file } } : { input: { creation: source.id }, files: {} };

/**
 * A form's file, kept over a reload. Of an image, the address may name a creation instead, until another is chosen.
 * @param field identifies it among the user's files
 */
export function useFileChoice(field: string, kind: FileKind): FileChoice {
  const { named, source, loading, problem: sourceProblem, remove } = useSource(kind === 'image');
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = useRef(false);
  // Per user, since several can use this browser.
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
    // Never another picture than the address names.
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
