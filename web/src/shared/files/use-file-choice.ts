import { useEffect, useRef, useState } from 'react';
import type { FileKind } from '#libs/contract/file-kinds.js';
import { useAccounts } from '../session/accounts';
import { fileDrafts } from '../drafts/file-drafts';
import { checkFile } from './check-file';

export interface FileChoice {
  kind: FileKind;
  file: File | null;
  /** Why the last file was rejected, by the client or the server. */
  problem: string | null;
  /** Sets the file if it is valid, or else `problem`; null removes it. */
  choose: (file: File | null) => void;
  /** Sets `problem` to the server's message. */
  reject: (message: string) => void;
}

/** A form's file, kept over a reload. @param field identifies it among the user's files */
export function useFileChoice(field: string, kind: FileKind): FileChoice {
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
    file,
    problem,
    choose: (next) => {
      const error = next === null ? null : checkFile(kind, next);
      setProblem(error);
      if (error !== null) return;
      chosen.current = true;
      setFile(next);
      void fileDrafts.write(draft, next);
    },
    reject: setProblem,
  };
}
